#include "classica/tree_pruning.hpp"

#include "classica/rule_counts.hpp"
#include "tree_arrays.hpp"
#include "words.hpp"

namespace classica::bind {
namespace {

void links(const Ints& first_child, const Ints& child_count, const Reals& risk, const Packed1<double>& out) {
  const std::ptrdiff_t nodes = size(risk, 0);
  require(size(first_child, 0) == nodes && size(child_count, 0) == nodes && size(out, 0) == nodes,
          "all arrays of a tree must have one entry per node.");
  for (std::ptrdiff_t k = 0; k < nodes; ++k)
    require(child_count(k) == 0 ||
                (first_child(k) > k && child_count(k) > 1 && first_child(k) <= nodes - child_count(k)),
            "two children or more must lie behind their parent.");
  run([&] { weakest_links(vector(first_child), vector(child_count), vector(risk), out.data()); });
}

nb::dict arrays_of(PrunedTree&& tree) {
  nb::dict found;
  found["origin"] = array_of(std::move(tree.origin));
  found["first_child"] = array_of(std::move(tree.first_child));
  found["child_count"] = array_of(std::move(tree.child_count));
  found["levels_at"] = array_of(std::move(tree.levels_at));
  found["level_child"] = array_of(std::move(tree.level_child));
  found["cases"] = array_of(std::move(tree.cases));
  found["counts"] = array_of(std::move(tree.counts));
  return found;
}

template <class T>
nb::dict by_errors(const Array2<const T>& X, const Ints& codes, const std::optional<Reals>& weights,
                   const std::optional<Reals>& row_cases, const Packed1<const std::uint32_t>& rows,
                   const nb::tuple& arrays, const Packed2<const double>& counts, const Reals& cases,
                   double confidence, double deviate, bool raising, bool divides_rows,
                   const std::string& categories) {
  const TreeView tree = tree_view(arrays);
  const Target target = target_of(size(X, 0), codes, size(counts, 1), {}, weights, row_cases);
  require(size(counts, 0) == tree.nodes.size && size(cases, 0) == tree.nodes.size,
          "all arrays of a tree must have one entry per node.");
  const ErrorRules rules{confidence, deviate, raising, divides_rows, from_word<CategorySplit>(categories)};
  PrunedTree pruned;
  run([&] {
    pruned = prune_by_errors(matrix(X), target, vector(rows), tree, matrix(counts), vector(cases), rules);
  });
  return arrays_of(std::move(pruned));
}

void rule_counts(const Packed2<const std::uint8_t>& fails, const Bytes& asked, const Longs& starts,
                 const Ints& answers, const Ints& codes, const Reals& weights, int threads,
                 const Packed1<double>& cases, const Packed1<double>& errors) {
  const std::ptrdiff_t rules = size(answers, 0), parts = size(fails, 0);
  require(size(starts, 0) == rules + 1 && starts(0) == 0 && starts(rules) == parts && size(asked, 0) == parts,
          "starts must lead from none to all conditions.");
  for (std::ptrdiff_t r = 0; r < rules; ++r)
    require(starts(r) <= starts(r + 1) && starts(r + 1) - starts(r) < 65536,
            "starts must ascend, by fewer than 65536 conditions.");
  require(size(codes, 0) == size(fails, 1) && size(weights, 0) == size(fails, 1),
          "codes and weights must have one entry per row.");
  require(size(cases, 0) == parts + rules && size(errors, 0) == parts + rules,
          "cases and errors must have one entry per condition and one per rule.");
  const RuleConditions conditions{matrix(fails), vector(asked), vector(starts), vector(answers)};
  run([&] {
    count_rules(conditions, vector(codes), vector(weights), threads, vector(cases), vector(errors));
  });
}

}  // namespace

void bind_tree_pruning(nb::module_& module) {
  module.def("weakest_links", links, nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(),
             nb::arg().noconvert());
  module.def("count_rules", rule_counts, nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(),
             nb::arg().noconvert(), nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(),
             nb::arg().noconvert(), nb::arg().noconvert());
  const auto for_type = [&]<class T>() {
    module.def("prune_by_errors", by_errors<T>, nb::arg().noconvert(), nb::arg().noconvert(),
               nb::arg().noconvert().none(), nb::arg().noconvert().none(), nb::arg().noconvert(), nb::arg(),
               nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
               nb::arg());
  };
  for_type.operator()<double>();
  for_type.operator()<float>();
}

}  // namespace classica::bind
