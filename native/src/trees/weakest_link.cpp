// Weakest-link pruning (cost-complexity pruning, Breiman et al. 1984) in one pass: the alpha of every node,
// without growing the sequence of subtrees one after the other (own formulation). The least risk + alpha *
// leaves of a branch is a concave, piecewise linear function of alpha, kept as the bends where nodes
// collapse; a node takes the bends of its children, smaller heaps into larger ones, and drops those beyond
// its own.
//
// Invariant: the heap of a node holds exactly the bends below its alpha, the largest on top; alphas never
// rise from parent to child. Cost: O(n log^2 n) for n nodes.
#include <algorithm>
#include <numeric>

#include "classica/parallel.hpp"
#include "classica/tree_pruning.hpp"

namespace classica {
namespace {

// Alphas this close, relative to themselves, are one; a split that lowers the risk of its node by no more
// than `no_gain` of it lowers nothing.
constexpr double same_alpha = 1e-11;
constexpr double no_gain = 1e-12;

// The least risk + alpha * leaves of a branch is a concave function of alpha. It bends where a node
// collapses: from there on it has so much more risk and so many fewer leaves.
struct Bend {
  double alpha, risk, leaves;
  bool operator<(const Bend& other) const { return alpha < other.alpha; }
};
using Bends = std::vector<Bend>;  // a heap, largest alpha first

void absorb(Bends& into, Bends&& from) {
  if (into.size() < from.size()) std::swap(into, from);
  for (const Bend& bend : from) {
    into.push_back(bend);
    std::push_heap(into.begin(), into.end());
  }
  Bends().swap(from);
}

// Adds the alpha at which a node with these bends below it collapses. Coming from high alphas, where all
// children are leaves, it takes away what would collapse later.
double collapse(double own_risk, double risk, double leaves, Bends& bends) {
  for (;;) {
    const double gain = own_risk - risk;
    const double alpha = gain > no_gain * own_risk ? gain / (leaves - 1.0) : 0.0;
    if (bends.empty() || bends.front().alpha <= alpha) {
      bends.push_back({alpha, gain, leaves - 1.0});
      std::push_heap(bends.begin(), bends.end());
      return alpha;
    }
    risk -= bends.front().risk;
    leaves += bends.front().leaves;
    std::pop_heap(bends.begin(), bends.end());
    bends.pop_back();
  }
}

void make_equal(Vector<const std::int32_t> child_count, double* alpha) {
  std::vector<std::int32_t> inner;
  for (std::ptrdiff_t k = 0; k < child_count.size; ++k)
    if (child_count[k] > 0) inner.push_back(static_cast<std::int32_t>(k));
  std::sort(inner.begin(), inner.end(), [&](auto a, auto b) { return alpha[a] < alpha[b]; });
  double first = 0.0;
  for (const std::int32_t k : inner) {
    if (alpha[k] > first * (1.0 + same_alpha)) first = alpha[k];
    alpha[k] = first;
  }
}

}  // namespace

void weakest_links(Vector<const std::int32_t> first_child, Vector<const std::int32_t> child_count,
                   Vector<const double> risk, double* alpha) {
  std::vector<Bends> bends(static_cast<std::size_t>(risk.size));
  for (std::ptrdiff_t k = risk.size; k-- > 0;) {
    if (k % 4096 == 0) poll_interrupt();
    alpha[k] = 0.0;
    if (child_count[k] == 0) continue;
    Bends& below = bends[static_cast<std::size_t>(k)];
    double risk_below = 0.0;
    for (std::int32_t c = first_child[k]; c < first_child[k] + child_count[k]; ++c) {
      risk_below += risk[c];
      absorb(below, std::move(bends[static_cast<std::size_t>(c)]));
    }
    alpha[k] = collapse(risk[k], risk_below, child_count[k], below);
  }
  for (std::ptrdiff_t k = 0; k < risk.size; ++k)
    for (std::int32_t c = first_child[k]; c < first_child[k] + child_count[k]; ++c)
      alpha[c] = std::min(alpha[c], alpha[k]);
  make_equal(child_count, alpha);
}

}  // namespace classica
