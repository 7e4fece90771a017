"""One file per row or family of rows: a ``BENCHMARK``, a list ``BENCHMARKS``, or a ``GROWTH``."""
