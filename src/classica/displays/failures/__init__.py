"""Pictures of where a model fails: segments, thresholds and costs, coverage and risk."""
