#include "classica/posterior.hpp"

#include "arrays.hpp"

namespace classica::bind {

void bind_posterior(nb::module_& module) {
  module.def(
      "highest_scores",
      [](const Packed2<const double>& scores, int threads, const Packed1<std::int64_t>& out) {
        require(size(scores, 1) > 0 && size(out, 0) == size(scores, 0), "out must have one entry per row.");
        run([&] { highest_scores(matrix(scores), threads, vector(out)); });
      },
      nb::arg().noconvert(), nb::arg(), nb::arg().noconvert());
  module.def(
      "scores_to_posteriors",
      [](const Packed2<const double>& scores, int threads, const Packed2<double>& out) {
        require(size(out, 0) == size(scores, 0) && size(out, 1) == size(scores, 1),
                "scores and out must agree in shape.");
        run([&] { scores_to_posteriors(matrix(scores), threads, matrix(out)); });
      },
      nb::arg().noconvert(), nb::arg(), nb::arg().noconvert());
}

}  // namespace classica::bind
