"""Linear models learned by likelihood or online: logistic regression, perceptrons, Winnow."""
