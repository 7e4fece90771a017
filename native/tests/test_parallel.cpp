#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "classica/parallel.hpp"

using namespace classica;

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using Index = std::ptrdiff_t;

void sleep_milliseconds(int count) { std::this_thread::sleep_for(milliseconds(count)); }

// Waits until it holds, but not for ever: a test fails rather than hangs.
template <class Condition>
bool wait_until(Condition holds) {
  const auto deadline = Clock::now() + std::chrono::seconds(10);
  while (!holds()) {
    if (Clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return true;
}

bool runs_every_index_once(Index count, Index grain, int threads) {
  std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
  parallel_for(count, grain, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
  });
  return std::all_of(visits.begin(), visits.end(), [](const auto& times) { return times == 1; });
}

// Sets the interrupt hook for the length of a test.
struct WithHook {
  explicit WithHook(InterruptHook hook) { set_interrupt_hook(hook); }
  ~WithHook() { set_interrupt_hook(nullptr); }
};

// What the hooks below look at and leave behind. Only the calling thread may ask them, so plain values do;
// ThreadSanitizer would tell.
Clock::time_point stop_at;
int times_asked = 0;
std::set<std::thread::id> asked_on;

bool stop_when_due() { return Clock::now() >= stop_at; }

bool never_stop() {
  ++times_asked;
  asked_on.insert(std::this_thread::get_id());
  return false;
}

std::atomic<bool> stop_now{false}, asked_after_stop{false};
bool stop_when_told() {
  if (!stop_now) return false;
  asked_after_stop = true;
  return true;
}

}  // namespace

TEST_CASE("every index runs exactly once") {
  int wrong = 0;
  for (const Index count : {1, 2, 3, 7, 8, 64, 1000, 1001})
    for (const Index grain : {1, 2, 3, 7, 64, 999, 1000, 5000})
      for (const int threads : {1, 2, 3, 4, 8, 17}) wrong += !runs_every_index_once(count, grain, threads);
  CHECK(wrong == 0);
}

TEST_CASE("odd arguments are harmless") {
  int calls = 0;
  const RangeBody count_calls = [&](Index, Index) { ++calls; };
  for (const Index count : {Index{0}, Index{-1}, std::numeric_limits<Index>::min()})
    for (const int threads : {1, 4}) parallel_for(count, 1, threads, count_calls);
  CHECK(calls == 0);
  CHECK(runs_every_index_once(10, 0, 4));
  CHECK(runs_every_index_once(10, -5, 4));
  CHECK(runs_every_index_once(10, std::numeric_limits<Index>::max(), 4));
  CHECK(runs_every_index_once(10, 1, 0));
  CHECK(runs_every_index_once(10, 1, -3));
}

TEST_CASE("chunks, and so results, do not depend on the number of threads") {
  const auto chunk_sums = [](int threads) {
    std::vector<double> sums(144);
    parallel_for(1001, 7, threads, [&](Index begin, Index end) {
      double& sum = sums[static_cast<std::size_t>(begin / 7)];
      for (Index i = begin; i < end; ++i) sum += 1.0 / static_cast<double>(i + 1);
    });
    return sums;
  };
  const std::vector<double> expected = chunk_sums(1);
  for (int threads = 2; threads <= 8; ++threads) CHECK(chunk_sums(threads) == expected);
}

TEST_CASE("as many threads as asked for work at once, and the pool keeps them") {
  std::atomic<int> arrived{0};
  std::atomic<bool> all_met{true};
  parallel_for(4, 1, 4, [&](Index, Index) {
    ++arrived;
    if (!wait_until([&] { return arrived == 4; })) all_met = false;
  });
  CHECK(all_met);
  const int size = pool_size();
  CHECK(size >= 3);
  for (int repeat = 0; repeat < 20; ++repeat) parallel_for(100, 1, 4, [](Index, Index) {});
  CHECK(pool_size() == size);
}

TEST_CASE("an exception reaches the caller, stops the loop and leaves the pool usable") {
  for (const int threads : {1, 4})
    for (const Index bad : {0, 5, 99}) {
      std::atomic<Index> chunks_run{0};
      const auto fail = [&](Index i, Index) {
        if (i == bad) throw std::runtime_error("chunk " + std::to_string(i));
        if (i > bad) sleep_milliseconds(1);
        ++chunks_run;
      };
      CHECK_THROWS_WITH_AS(parallel_for(2000, 1, threads, fail), ("chunk " + std::to_string(bad)).c_str(),
                           std::runtime_error);
      CHECK(chunks_run < 1000);
      CHECK(runs_every_index_once(1000, 3, threads));
    }
}

TEST_CASE("an exception that is no std::exception passes too") {
  CHECK_THROWS_AS(parallel_for(8, 1, 4, [](Index, Index) { throw 42; }), int);
}

TEST_CASE("of several exceptions the one with the smallest index is reported") {
  for (int repeat = 0; repeat < 20; ++repeat) {
    std::atomic<int> arrived{0};
    const auto all_fail = [&](Index i, Index) {
      ++arrived;
      wait_until([&] { return arrived == 4; });
      if (i == 0) sleep_milliseconds(2);  // the smallest comes last
      throw i;
    };
    Index reported = -1;
    try {
      parallel_for(4, 1, 4, all_fail);
    } catch (const Index& index) {
      reported = index;
    }
    REQUIRE(reported == 0);
  }
}

TEST_CASE("a loop inside a parallel loop runs on the thread that meets it") {
  REQUIRE(runs_every_index_once(8, 1, 8));  // a pool of more threads than the outer loop will use
  std::atomic<int> inner{0}, elsewhere{0};
  parallel_for(2, 1, 2, [&](Index, Index) {
    const auto outer_thread = std::this_thread::get_id();
    parallel_for(30, 1, 8, [&](Index, Index) {
      ++inner;
      if (std::this_thread::get_id() != outer_thread) ++elsewhere;
      sleep_milliseconds(1);
    });
  });
  CHECK(inner == 2 * 30);
  CHECK(elsewhere == 0);
}

TEST_CASE("an exception passes through nested loops") {
  const auto inner_fails = [](Index i, Index) {
    parallel_for(10, 1, 4, [&](Index j, Index) {
      if (i == 3 && j == 7) throw std::runtime_error("inner");
    });
  };
  for (const int threads : {1, 4})
    CHECK_THROWS_WITH_AS(parallel_for(10, 1, threads, inner_fails), "inner", std::runtime_error);
}

TEST_CASE("many threads may run loops at once") {
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 8; ++caller)
    callers.emplace_back([&, caller] {
      for (int repeat = 0; repeat < 30; ++repeat) {
        wrong += !runs_every_index_once(200 + caller, 1 + repeat % 5, 1 + repeat % 4);
        try {  // a failure of one caller is nobody else's
          parallel_for(20, 1, 3, [&](Index i, Index) {
            if (i == 7) throw caller;
          });
          ++wrong;
        } catch (const int& thrown) {
          wrong += thrown != caller;
        }
      }
    });
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == 0);
}

// Milliseconds from the wish to stop to the end of a loop: the middle of five tries, because a busy machine
// may hold up any single one.
double delay_of_stop(Index count, int threads, const RangeBody& body) {
  const WithHook hook(stop_when_due);
  std::vector<double> delays;
  for (int repeat = 0; repeat < 5; ++repeat) {
    stop_at = Clock::now() + milliseconds(5 + 4 * repeat);
    CHECK_THROWS_AS(parallel_for(count, 1, threads, body), Interrupted);
    delays.push_back(std::chrono::duration<double, std::milli>(Clock::now() - stop_at).count());
  }
  CHECK(*std::min_element(delays.begin(), delays.end()) >= 0.0);
  std::nth_element(delays.begin(), delays.begin() + 2, delays.end());
  return delays[2];
}

// A long chunk that asks, as it should, whether to stop.
void poll_for_two_seconds(Index, Index) {
  for (int step = 0; step < 2000; ++step) {
    sleep_milliseconds(1);
    poll_interrupt();
  }
}

TEST_CASE("a loop stops within 50 ms of the wish to stop, and the next one runs") {
  for (const int threads : {1, 4}) {
    CAPTURE(threads);
    CHECK(delay_of_stop(2000, threads, [](Index, Index) { sleep_milliseconds(1); }) < 50.0);
    CHECK(runs_every_index_once(1000, 3, threads));
  }
}

TEST_CASE("long chunks that poll stop within 50 ms, on every thread") {
  for (const int threads : {1, 4}) {
    CAPTURE(threads);
    CHECK(delay_of_stop(4, threads, poll_for_two_seconds) < 50.0);
  }
}

TEST_CASE("loops inside a loop stop within 50 ms, on every thread, whether they poll or not") {
  const auto inner_loop = [](Index, Index) {
    parallel_for(2000, 1, 4, [](Index, Index) { sleep_milliseconds(1); });
  };
  const auto inner_poll = [](Index, Index) { parallel_for(1, 1, 4, poll_for_two_seconds); };
  for (const int threads : {1, 4}) {
    CAPTURE(threads);
    CHECK(delay_of_stop(4, threads, inner_loop) < 50.0);
    CHECK(delay_of_stop(4, threads, inner_poll) < 50.0);
  }
}

TEST_CASE("long chunks that poll stop when another one fails, and its exception is the one reported") {
  const auto begin = Clock::now();
  const auto body = [](Index i, Index end) {
    if (i < 3) poll_for_two_seconds(i, end);
    sleep_milliseconds(5);
    throw std::runtime_error("the last chunk");
  };
  CHECK_THROWS_WITH_AS(parallel_for(4, 1, 4, body), "the last chunk", std::runtime_error);
  CHECK(Clock::now() - begin < std::chrono::seconds(1));
}

TEST_CASE("a wish to stop is heard while the caller only waits for its helpers") {
  // The hook has by then raised the exception in the interpreter, so the loop must not end as if nothing
  // had happened, even though all its work gets done.
  const WithHook hook(stop_when_told);
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> helper_came{false}, helper_heard{false};
  const auto body = [&](Index, Index) {
    if (std::this_thread::get_id() == caller) {
      wait_until([&] { return helper_came.load(); });
      return;
    }
    helper_came = true;
    sleep_milliseconds(1);
    stop_now = true;
    helper_heard = wait_until([] { return asked_after_stop.load(); });
  };
  CHECK_THROWS_AS(parallel_for(2, 1, 2, body), Interrupted);
  CHECK(helper_heard);
  stop_now = asked_after_stop = false;
}

TEST_CASE("a hook that says no is asked on the calling thread only and changes nothing") {
  const WithHook hook(never_stop);
  times_asked = 0;
  asked_on.clear();
  for (const int threads : {1, 4}) {
    CHECK(runs_every_index_once(1000, 3, threads));
    std::atomic<int> chunks{0};
    parallel_for(60, 1, threads, [&](Index, Index) {
      sleep_milliseconds(1);
      poll_interrupt();
      ++chunks;
    });
    CHECK(chunks == 60);
  }
  CHECK(times_asked >= 4);
  CHECK(times_asked < 1000);
  CHECK(asked_on == std::set<std::thread::id>{std::this_thread::get_id()});
}

TEST_CASE("poll_interrupt stops a loop of its own") {
  sleep_milliseconds(11);  // the hook is asked every ten
  CHECK_NOTHROW(poll_interrupt());
  const WithHook hook([] { return true; });
  sleep_milliseconds(11);
  CHECK_THROWS_AS(poll_interrupt(), Interrupted);
  CHECK_NOTHROW(poll_interrupt());
}

// ThreadSanitizer refuses new threads after a fork of a process that has some, and switches itself off in
// such a child if made to go on: there is nothing for it to test here.
#if !defined(__SANITIZE_THREAD__)

namespace {

// Whether the check holds in a forked child. Children end by _exit, so that nothing is flushed or torn
// down twice, and by an alarm when they hang.
template <class Check>
bool holds_in_child(Check check) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    bool holds = false;
    try {
      holds = check();
    } catch (...) {
    }
    _exit(holds ? 0 : 1);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("a forked child starts with a pool of its own") {
  REQUIRE(runs_every_index_once(1000, 3, 4));
  const int size = pool_size();
  CHECK(holds_in_child([] { return pool_size() == 0; }));
  CHECK(holds_in_child([] { return runs_every_index_once(1000, 3, 4) && pool_size() == 3; }));
  const auto forks_again = [] {
    return runs_every_index_once(100, 3, 4) &&
           holds_in_child([] { return runs_every_index_once(100, 3, 4); });
  };
  CHECK(holds_in_child(forks_again));
  CHECK(pool_size() == size);
  CHECK(runs_every_index_once(1000, 3, 4));
}

TEST_CASE("a fork while another thread is inside a loop does the child no harm") {
  std::atomic<bool> finished{false};
  std::atomic<int> wrong_in_parent{0};
  std::thread busy([&] {
    // Few captures: the body then needs no memory of its own, and no fork meets a locked allocator (which
    // the C library takes care of, but AddressSanitizer's does not).
    std::atomic<int> chunks{0};
    while (!finished) {
      chunks = 0;
      parallel_for(64, 1, 4, [&](Index, Index) { ++chunks; });
      wrong_in_parent += chunks != 64;
    }
  });
  int wrong_in_child = 0;
  for (int repeat = 0; repeat < 50 && wrong_in_child < 3; ++repeat)
    wrong_in_child += !holds_in_child([] { return runs_every_index_once(100, 3, 4); });
  finished = true;
  busy.join();
  CHECK(wrong_in_child == 0);
  CHECK(wrong_in_parent == 0);
}

TEST_CASE("a fork from inside a body, on any thread, gives a child with a calling thread of its own") {
  const auto is_calling_thread = [] {
    if (!runs_every_index_once(100, 3, 4) || pool_size() != 3) return false;
    set_interrupt_hook([] { return true; });
    sleep_milliseconds(11);
    try {
      poll_interrupt();
    } catch (const Interrupted&) {
      return true;
    }
    return false;
  };
  std::atomic<int> arrived{0}, wrong{0};
  parallel_for(2, 1, 2, [&](Index, Index) {
    ++arrived;
    wait_until([&] { return arrived == 2; });  // one chunk on the caller, one on a helper
    wrong += !holds_in_child(is_calling_thread);
  });
  CHECK(wrong == 0);
}

// Skipped in a common run, where the pool of this process has long been made: see CMakeLists.txt.
TEST_SUITE("fork_during_first_loop") {
  TEST_CASE("a fork in the middle of the first loop of a process does the child no harm" * doctest::skip()) {
    REQUIRE(pool_size() == 0);
    const auto fork_during_first_loop = [](int delay) {
      std::atomic<int> step{0};
      std::thread other([&] {
        step = 1;
        while (step != 2) continue;
        runs_every_index_once(8, 1, 4);
      });
      while (step != 1) continue;
      step = 2;
      for (std::atomic<int> spin{0}; spin < delay; ++spin) continue;
      const bool holds = holds_in_child([] { return runs_every_index_once(8, 1, 4); });
      other.join();
      return holds;
    };
    int wrong = 0;
    // Each try in a process that has run no loop yet; after three failures there is nothing to learn.
    for (int delay = 0; delay < 200 && wrong < 3; ++delay)
      wrong += !holds_in_child([&] { return fork_during_first_loop(delay); });
    CHECK(wrong == 0);
  }
}

#endif
