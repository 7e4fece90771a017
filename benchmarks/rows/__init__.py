"""One file per benchmark; each holds a module-level ``BENCHMARK`` (or a list, ``BENCHMARKS``)."""
