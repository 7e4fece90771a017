#include "arrays.hpp"
#include "classica/level.hpp"

namespace {

// Runs the pending Python signal handlers; true when one of them raised. Only the interpreter's main
// thread has any to run.
bool signal_handler_raised() {
  const nanobind::gil_scoped_acquire acquire;
  return PyErr_CheckSignals() != 0;
}

}  // namespace

NB_MODULE(_core, module) {
  using namespace classica;
  active_level();  // a wrong CLASSICA_ISA is told at import
  set_interrupt_hook(signal_handler_raised);
  bind::bind_bayes(module);
  bind::bind_boosting(module);
  bind::bind_core(module);
  bind::bind_forests(module);
  bind::bind_gaussian(module);
  bind::bind_kernels(module);
  bind::bind_linear_svm(module);
  bind::bind_logistic(module);
  bind::bind_mlp(module);
  bind::bind_moments(module);
  bind::bind_nearest_mean(module);
  bind::bind_neighbours(module);
  bind::bind_online(module);
  bind::bind_posterior(module);
  bind::bind_samples(module);
  bind::bind_svm(module);
  bind::bind_tables(module);
  bind::bind_tree_pruning(module);
  bind::bind_trees(module);
}
