// The one parallel construct: a pool of threads that take chunks of a loop from a shared counter
// (docs/decisions/0003). The calling thread works along, looks for Ctrl-C every 10 ms, and waits for the
// helpers inside.
//
// Invariant: chunks start in index order, and of several failures the one with the smallest index is
// reported; a job lives on the caller's stack and outlives every helper inside it; after a fork the child
// starts with a new pool. Cost: one atomic addition per chunk.
#include "classica/parallel.hpp"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace classica {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto poll_every = std::chrono::milliseconds(10);

std::atomic<InterruptHook> interrupt_hook{nullptr};
struct Job;
thread_local bool inside_body = false;
thread_local bool is_worker = false;
thread_local Job* current_job = nullptr;
thread_local Clock::time_point last_poll{};

bool asked_to_stop() {
  const auto now = Clock::now();
  if (now - last_poll < poll_every) return false;
  last_poll = now;
  const InterruptHook hook = interrupt_hook.load();
  return hook && hook();
}

// One parallel_for call. It lives on the caller's stack, which outlives every helper inside it.
struct Job {
  const RangeBody& body;
  const std::ptrdiff_t count;
  const std::ptrdiff_t grain;
  int places;                            // helpers that may still join; guarded by the pool's mutex
  int inside = 0;                        // helpers at work; guarded by the pool's mutex
  const Job* const outer = current_job;  // the loop whose body this one was called from
  std::atomic<std::ptrdiff_t> next{0};
  std::atomic<bool> stopped{false};
  std::mutex error_mutex{};
  std::exception_ptr error{};
  std::ptrdiff_t error_at = std::numeric_limits<std::ptrdiff_t>::max();

  // Runs the next chunk; false when there is none left.
  bool run_chunk() {
    if (stopped.load(std::memory_order_relaxed)) return false;
    const std::ptrdiff_t begin = next.fetch_add(grain, std::memory_order_relaxed);
    if (begin >= count) return false;
    Job* const before = std::exchange(current_job, this);
    try {
      body(begin, std::min(begin + grain, count));
    } catch (const Interrupted&) {
      // A body that stopped because another one failed has nothing to add.
      if (!stopped) fail(-1, std::current_exception());
    } catch (...) {
      fail(begin, std::current_exception());
    }
    current_job = before;
    return true;
  }

  // Of several failures the one with the smallest index is reported.
  void fail(std::ptrdiff_t at, std::exception_ptr what) {
    const std::lock_guard lock(error_mutex);
    if (at < error_at) {
      error_at = at;
      error = std::move(what);
    }
    stopped = true;
  }
};

class Pool {
 public:
  void run(Job& job) {
    add(job);
    inside_body = true;
    while (job.run_chunk())
      if (asked_to_stop()) job.fail(-1, std::make_exception_ptr(Interrupted{}));
    inside_body = false;
    finish(job);
  }

  int size() {
    const std::lock_guard lock(mutex_);
    return static_cast<int>(workers_);
  }

 private:
  void add(Job& job) {
    const std::lock_guard lock(mutex_);
    while (workers_ < job.places && start_worker()) {
    }
    jobs_.push_back(&job);
    work_.notify_all();
  }

  void finish(Job& job) {
    std::unique_lock lock(mutex_);
    jobs_.erase(std::find(jobs_.begin(), jobs_.end(), &job));
    while (job.inside > 0) {
      done_.wait_for(lock, poll_every);
      if (job.inside == 0) break;
      // The hook takes the interpreter's lock: never while holding ours.
      lock.unlock();
      if (asked_to_stop()) job.fail(-1, std::make_exception_ptr(Interrupted{}));
      lock.lock();
    }
  }

  // Workers take no signals: those belong to the interpreter's main thread.
  bool start_worker() {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = true;
    try {
      std::thread([this] { work(); }).detach();
      ++workers_;
    } catch (const std::system_error&) {
      started = false;  // no more threads to be had: fewer do the same work
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return started;
  }

  [[noreturn]] void work() {
    inside_body = is_worker = true;
    std::unique_lock lock(mutex_);
    for (;;) {
      Job* job = nullptr;
      work_.wait(lock, [&] { return (job = open_job()) != nullptr; });
      --job->places;
      ++job->inside;
      lock.unlock();
      while (job->run_chunk()) {
      }
      lock.lock();
      if (--job->inside == 0) done_.notify_all();
    }
  }

  Job* open_job() {
    const auto open = [](const Job* job) { return job->places > 0 && job->next.load() < job->count; };
    const auto found = std::find_if(jobs_.begin(), jobs_.end(), open);
    return found == jobs_.end() ? nullptr : *found;
  }

  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable done_;
  std::vector<Job*> jobs_;
  std::ptrdiff_t workers_ = 0;
};

// The pool is never destroyed: its threads may be waiting in it while the process exits. After a fork
// the child has none of the threads and perhaps a locked mutex, so it starts with a new pool.
std::atomic<Pool*> current_pool{nullptr};

void forget_pool_in_child() {
  current_pool = nullptr;
  inside_body = is_worker = false;
  current_job = nullptr;
}

// Registered at load, not at the first use: a fork in the middle of the first use would leave the child
// without the handler, or waiting for ever for a thread it does not have to finish registering it.
[[maybe_unused]] const int registered = pthread_atfork(nullptr, nullptr, forget_pool_in_child);

Pool& pool() {
  if (Pool* existing = current_pool.load()) return *existing;
  Pool* fresh = new Pool;
  Pool* expected = nullptr;
  if (current_pool.compare_exchange_strong(expected, fresh)) return *fresh;
  delete fresh;
  return *expected;
}

// Whether the body this thread is in should stop: a loop around it has failed or was interrupted, or, on a
// calling thread, it is interrupted now.
bool should_stop() {
  for (const Job* job = current_job; job; job = job->outer)
    if (job->stopped.load(std::memory_order_relaxed)) return true;
  if (is_worker || !asked_to_stop()) return false;
  // Told to the job here, so that Ctrl-C counts even when a body has failed at the same moment.
  if (current_job) current_job->fail(-1, std::make_exception_ptr(Interrupted{}));
  return true;
}

void run_alone(Job& job) {
  while (job.run_chunk())
    if (should_stop()) job.fail(-1, std::make_exception_ptr(Interrupted{}));
}

}  // namespace

void set_interrupt_hook(InterruptHook hook) { interrupt_hook = hook; }

void poll_interrupt() {
  if (should_stop()) throw Interrupted{};
}

int pool_size() {
  Pool* existing = current_pool.load();
  return existing ? existing->size() : 0;
}

void parallel_for(std::ptrdiff_t count, std::ptrdiff_t grain, int threads, const RangeBody& body) {
  if (count <= 0) return;
  grain = std::max<std::ptrdiff_t>(grain, 1);
  const std::ptrdiff_t chunks = (count - 1) / grain + 1;
  const int helpers = static_cast<int>(std::min<std::ptrdiff_t>(threads, chunks)) - 1;
  Job job{body, count, grain, helpers};
  if (helpers < 1 || inside_body)
    run_alone(job);
  else
    pool().run(job);
  if (job.error) std::rethrow_exception(job.error);
}

}  // namespace classica
