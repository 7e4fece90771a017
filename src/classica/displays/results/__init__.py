"""Pictures of results: confusion, bias and variance, ranks, diversity, weights."""
