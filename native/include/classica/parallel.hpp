// The one parallel construct. See ARCHITECTURE.md, "Threads".
#pragma once

#include <cstddef>
#include <exception>
#include <functional>

namespace classica {

// Thrown when the interrupt hook asked to stop (Ctrl-C).
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// Asked on the calling thread every few milliseconds; true means stop.
using InterruptHook = bool (*)();
void set_interrupt_hook(InterruptHook hook);

// For long loops, inside a body of parallel_for or not: throws Interrupted when the work should stop.
// Cheap enough for every few thousand operations.
void poll_interrupt();

using RangeBody = std::function<void(std::ptrdiff_t begin, std::ptrdiff_t end)>;

// Runs body over [0, count) in chunks of at most `grain`, on at most `threads` threads including the
// caller, and returns when all is done. Chunks start in index order and may run at once, so a body
// writes only where its own range says; results then do not depend on `threads`. The first exception
// stops the loop and is rethrown here. A chunk should take a few milliseconds at most: that bounds the
// answer to Ctrl-C. Inside a body that runs beside others, a further parallel_for keeps to its own thread.
void parallel_for(std::ptrdiff_t count, std::ptrdiff_t grain, int threads, const RangeBody& body);

// Threads the pool of this process has started so far.
int pool_size();

}  // namespace classica
