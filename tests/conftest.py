"""Settings every test shares."""

import os

# Read by SciPy when it is first imported: without it scikit-learn skips its array-API check.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

from hypothesis import settings

# Examples are the same on every run, and a slow machine is no failure.
settings.register_profile("classica", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("classica")
