#include "sample_arrays.hpp"

namespace classica::bind {

void bind_samples(nb::module_& module) {
  module.def(
      "draw_sample",
      [](const nb::tuple& given, std::uint64_t number, const Packed1<std::uint32_t>& counts) {
        const SampleRules rules = sample_rules(given, size(counts, 0));
        run([&] { draw_sample(rules, number, vector(counts)); });
      },
      nb::arg(), nb::arg(), nb::arg().noconvert());
}

}  // namespace classica::bind
