// From neighbour lists to classes (Cover and Hart 1967; the rules for ties are in votes.hpp): groups of
// equal rank are added from the nearest on. Leave-one-out errors of every K come from the same list, which
// grows by one group after the other, and from the leader after each group.
//
// Invariant: votes are those of the first rows of the list, added in its order, so that a K larger by one
// costs only its own group. Cost: O(length of the list * classes); for all K together not more, but for
// runs of ties.
#include "classica/votes.hpp"

#include <algorithm>
#include <vector>

#include "classica/parallel.hpp"

namespace classica {
namespace {

// The votes over the first rows of one list, growing group by group.
class Tally {
 public:
  Tally(const Lists& lists, Vector<const double> weights, Vector<const std::int32_t> codes,
        std::ptrdiff_t classes)
      : lists_(lists), weights_(weights), codes_(codes), votes_(static_cast<std::size_t>(classes)) {}

  void start(std::ptrdiff_t list) {
    begin_ = end_ = lists_.starts[list];
    limit_ = lists_.starts[list + 1];
    std::fill(votes_.begin(), votes_.end(), 0.0);
  }

  std::ptrdiff_t used() const { return end_ - begin_; }
  bool at_end() const { return end_ == limit_; }

  void add_one() {
    votes_[static_cast<std::size_t>(codes_[lists_.rows[end_]])] += weights_.size ? weights_[end_] : 1.0;
    ++end_;
  }
  void add_group() {
    const double rank = lists_.ranks[end_];
    while (end_ < limit_ && lists_.ranks[end_] == rank) add_one();
  }

  std::ptrdiff_t leader() const { return std::max_element(votes_.begin(), votes_.end()) - votes_.begin(); }
  bool one_leads() const {
    return std::count(votes_.begin(), votes_.end(), votes_[static_cast<std::size_t>(leader())]) == 1;
  }

  void shares(double* out) const {
    double total = 0.0;
    for (const double votes : votes_) total += votes;
    for (std::size_t c = 0; c < votes_.size(); ++c) out[c] = votes_[c] / total;
  }

 private:
  const Lists& lists_;
  Vector<const double> weights_;
  Vector<const std::int32_t> codes_;
  std::vector<double> votes_;
  std::ptrdiff_t begin_ = 0, end_ = 0, limit_ = 0;
};

// The last size, up to K and its ties, at which one class led; or the first group.
std::ptrdiff_t size_when_decreasing(Tally& tally, std::ptrdiff_t list, std::int32_t neighbours) {
  tally.start(list);
  tally.add_group();
  std::ptrdiff_t size = tally.used();
  while (tally.used() < neighbours && !tally.at_end()) {
    tally.add_group();
    if (tally.one_leads()) size = tally.used();
  }
  return size;
}

// Leaves the tally as the rule wants it; false when `increase` cannot tell yet.
bool settle(Tally& tally, std::ptrdiff_t list, std::int32_t neighbours, Ties ties, bool complete) {
  if (ties == Ties::decrease) {
    const std::ptrdiff_t size = size_when_decreasing(tally, list, neighbours);
    tally.start(list);
    while (tally.used() < size) tally.add_group();
    return true;
  }
  tally.start(list);
  while (tally.used() < neighbours && !tally.at_end())
    ties == Ties::lowest ? tally.add_one() : tally.add_group();
  while (ties == Ties::increase && !tally.one_leads()) {
    if (tally.at_end()) return complete;
    tally.add_group();
  }
  return true;
}

// Exactly K rows, and the first of the leaders.
void add_lowest_errors(Tally& tally, std::ptrdiff_t list, std::int32_t truth, Matrix<std::int64_t> errors) {
  tally.start(list);
  for (std::ptrdiff_t k = 0; k < errors.cols; ++k) {
    if (!tally.at_end()) tally.add_one();
    errors(2, k) += tally.leader() != truth;
  }
}

}  // namespace

void vote(const Lists& lists, Vector<const double> weights, Vector<const std::int32_t> codes,
          std::int32_t neighbours, Ties ties, bool complete, int threads, Matrix<double> out,
          Vector<std::int32_t> used) {
  parallel_for(lists.count(), 256, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    Tally tally(lists, weights, codes, out.cols);
    for (std::ptrdiff_t i = begin; i < end; ++i) {
      const bool settled = settle(tally, i, neighbours, ties, complete);
      tally.shares(out.row(i));
      used[i] = settled ? static_cast<std::int32_t>(tally.used()) : -1;
    }
  });
}

void leave_one_out_errors(const Lists& lists, Vector<const double> weights, Vector<const std::int32_t> codes,
                          Vector<const std::int32_t> truths, std::int32_t classes, bool complete,
                          Matrix<std::int64_t> errors, Vector<bool> open) {
  Tally tally(lists, weights, codes, classes), lowest(tally);
  std::vector<std::ptrdiff_t> ends, leaders;  // per group: where it ends, and the one leader up to it or -1
  for (std::ptrdiff_t i = 0; i < lists.count(); ++i) {
    ends.clear();
    leaders.clear();
    tally.start(i);
    while (!tally.at_end() && (tally.used() < errors.cols || leaders.empty() || leaders.back() < 0)) {
      tally.add_group();
      ends.push_back(tally.used());
      // Within the nearest group the first of the leaders wins when decreasing.
      leaders.push_back(tally.one_leads() ? tally.leader() : (ends.size() == 1 ? -2 - tally.leader() : -1));
    }
    add_lowest_errors(lowest, i, truths[i], errors);
    const bool settled = leaders.back() >= 0 || complete;
    open[i] = !settled;
    std::size_t group = 0;
    for (std::ptrdiff_t k = 1; k <= errors.cols; ++k) {
      while (group + 1 < ends.size() && ends[group] < k) ++group;
      std::size_t down = group, up = group;
      while (down > 0 && leaders[down] < 0) --down;
      const std::ptrdiff_t smaller = leaders[down] <= -2 ? -2 - leaders[down] : leaders[down];
      errors(0, k - 1) += smaller != truths[i];
      if (!settled) continue;
      while (up + 1 < leaders.size() && leaders[up] < 0) ++up;
      errors(1, k - 1) += (leaders[up] >= 0 ? leaders[up] : tally.leader()) != truths[i];
    }
  }
}

}  // namespace classica
