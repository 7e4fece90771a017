#include "classica/nearest_mean.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "arrays.hpp"

namespace classica::bind {
namespace {

using Centers = Packed2<const double>;
using Spreads = std::optional<Packed2<const double>>;
using Starts = Packed1<const std::int32_t>;
using Priors = Packed1<const double>;

MeanModel model(std::ptrdiff_t cols, const Centers& centers, const Spreads& inverse_spreads,
                const Starts& starts, const Priors& log_priors) {
  const MeanModel made{size(log_priors, 0),
                       size(centers, 0),
                       size(centers, 1),
                       centers.data(),
                       inverse_spreads ? inverse_spreads->data() : nullptr,
                       starts.data(),
                       log_priors.data()};
  require(made.cols == cols, "X and centers must have the same number of columns.");
  require(!inverse_spreads || inverse_spreads->size() == centers.size(),
          "centers and spreads must agree in shape.");
  require(size(starts, 0) == made.classes + 1 && starts.data()[0] == 0, "class_starts must begin at 0.");
  for (std::ptrdiff_t c = 0; c < made.classes; ++c)
    require(starts.data()[c] <= starts.data()[c + 1], "class_starts must not fall.");
  require(made.classes > 0 && starts.data()[made.classes] == made.means,
          "class_starts must end at the last mean.");
  return made;
}

template <class Out, class Kernel>
void define(nb::module_& module, const char* name, Kernel kernel) {
  define_for_rows<const Centers&, const Spreads&, const Starts&, const Priors&, int, const Out&>(
      module, name,
      [kernel](const auto& X, const Centers& centers, const Spreads& spreads, const Starts& starts,
               const Priors& log_priors, int threads, const Out& out) {
        const MeanModel made = model(X.cols, centers, spreads, starts, log_priors);
        require(size(out, 0) == X.rows, "out must have one row per row of X.");
        require(out.ndim() == 1 || size(out, 1) == made.classes, "out must have one column per class.");
        run([&] { kernel(X, made, threads, out); });
      });
}

}  // namespace

void bind_nearest_mean(nb::module_& module) {
  define<Packed1<std::int64_t>>(module, "nearest_mean_predict",
                                [](const auto& X, const MeanModel& made, int threads, const auto& out) {
                                  predict(X, made, threads, vector(out));
                                });
  define<Packed2<double>>(module, "nearest_mean_posteriors",
                          [](const auto& X, const MeanModel& made, int threads, const auto& out) {
                            posteriors(X, made, threads, matrix(out));
                          });
  define<Packed2<double>>(module, "nearest_mean_distances",
                          [](const auto& X, const MeanModel& made, int threads, const auto& out) {
                            class_distances(X, made, threads, matrix(out));
                          });
}

}  // namespace classica::bind
