"""Kernel functions in NumPy, each value from the two rows themselves."""

import numpy as np


def kernel_matrix(A, B, kernel, gamma=1.0, coef0=0.0, degree=3):
    A, B = (np.asarray(rows, dtype=np.float64) for rows in (A, B))
    if kernel == "rbf":
        squares = ((A[:, None, :] - B[None, :, :]) ** 2).sum(axis=2)
        return np.exp(-gamma * squares)
    dots = A @ B.T
    if kernel == "linear":
        return dots
    return (gamma * dots + coef0) ** degree if kernel == "poly" else np.tanh(gamma * dots + coef0)
