// Machines that learn online: rows are presented one after the other, and a machine changes when it errs.
#pragma once

#include <cstdint>
#include <vector>

#include "classica/kernels.hpp"
#include "classica/view.hpp"
#include "classica/words.hpp"

namespace classica {

// Which rows a machine sees, and on which side they are. A machine scores its first side.
struct Sides {
  Vector<const std::int32_t> codes;  // the class of each row
  Matrix<const std::int8_t> side;    // (machines, classes): 1 first side, -1 second, 0 takes no part
};

struct Presentations {
  bool shuffle = true;   // draw the order of every epoch; else as given
  bool replace = false;  // draw every presentation from all rows: a row may come again or not at all
  std::uint64_t seed = 0;
  std::uint64_t first_epoch = 0;  // orders are a function of the seed and the epoch
  int zero = 0;  // a score of zero speaks for the first side (1), the second (-1) or is a mistake (0)
};

// The order in which `count` rows are presented in an epoch: their numbers.
std::vector<std::int64_t> epoch_order(std::uint64_t seed, std::uint64_t epoch, std::ptrdiff_t count);

// What a perceptron keeps beside its weights.
CLASSICA_WORDS(Keep, last, average, pocket);

// What machines know between two calls, one row each. The last column of the weights is the intercept's.
struct PerceptronState {
  Matrix<double> weights;         // the current ones
  Matrix<double> kept;            // average: sum of time * change; pocket: those that survived longest
  Vector<std::int64_t> seen;      // presentations so far
  Vector<std::int64_t> survived;  // those the current weights have lasted, the one that made them included
  Vector<std::int64_t> longest;   // those the pocket's have
};

// How a run went, one row per machine.
struct Progress {
  Matrix<std::int64_t> mistakes;  // (machines, epochs); -1 where an epoch did not take place
  Vector<std::uint8_t> converged;
};

// The changes of one machine: the row and after how many presentations.
struct Changes {
  std::vector<std::int64_t> rows, times;
};

// Presents the rows for as many epochs as `progress` has room for, or until one without mistakes. With
// `intercept`, a change adds the side to it. `changes` is empty, or has one entry per machine.
template <class Rows>
void train_perceptrons(const Rows& X, const Sides& sides, const Presentations& how, Keep keep, bool intercept,
                       int threads, const PerceptronState& state, const Progress& progress,
                       std::vector<Changes>& changes);

// The same in the space of a kernel, where a machine is known by its score of every row: scores(m, i) holds
// them before and after. `offset` is added to the kernel; the values of `room` rows with all others are kept.
void train_kernel_perceptrons(Matrix<const double> X, const KernelFunction& kernel, const Sides& sides,
                              const Presentations& how, double offset, std::ptrdiff_t room, int threads,
                              Matrix<double> scores, Vector<std::int64_t> seen, const Progress& progress,
                              std::vector<Changes>& changes);

// The columns in which each row has a one.
template <class Index>
struct Ones {
  Vector<const Index> columns;
  Vector<const Index> starts;  // rows + 1 entries
};

struct WinnowRules {
  double threshold = 0.0;
  double promotion = 2.0;          // the factor of a weight when the first side was missed
  double demotion = 0.5;           // and when the second was
  double least = 0.0, most = 0.0;  // no weight leaves these bounds
};

// The same for weights that change by factors; `opposed` are taken away from `weights`, or empty.
template <class Index>
void train_winnow(const Ones<Index>& X, const Sides& sides, const Presentations& how,
                  const WinnowRules& rules, int threads, Matrix<double> weights, Matrix<double> opposed,
                  const Progress& progress);

// Changes of a machine in the order they were made, and how long the weights after each survived.
struct VotedMachine {
  Vector<const std::int32_t> places;  // columns of the products
  Vector<const double> signs;
  Vector<const std::int64_t> survivals;
};

// out[i]: the votes of all weights a machine ever had, sum of survival * sign(score), where a score is the
// sum of sign * products(i, place) of the changes so far. A score of zero votes `of_zero` (0 or 1).
void running_votes(Matrix<const double> products, const VotedMachine& machine, double of_zero, int threads,
                   Vector<double> out);

}  // namespace classica
