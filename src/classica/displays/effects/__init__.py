"""Pictures of what drives a model: importances, dependences, interactions, coefficients."""
