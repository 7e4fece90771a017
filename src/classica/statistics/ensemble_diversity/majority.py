r"""The accuracy of a majority vote.

.. math:: P(\text{majority right}) = \sum_{k > n/2} \binom{n}{k} p^k (1 - p)^{n - k}

The sum holds for members with independent errors. Errors of real members are correlated, and the more they
coincide, the less a vote gains.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from classica.arrays import VectorLike
from classica.errors import ParameterError, must
from classica.native import Codes, Floats
from classica.params import Integer, Numbers, Real

_SHARE = Real(at_least=0, at_most=1)


def majority_accuracy(p: VectorLike, n: int | None = None, *, correlation: float = 0.0) -> float:
    r"""Compute the probability that more than half of the members are right; a tie counts half.

    With two classes this is the accuracy of the vote. With more classes it is a lower bound: wrong votes may
    be spread over several classes, so that the right class wins with less than half of the votes.

    Parameters
    ----------
    p : float or sequence of float
        The accuracy of all members, or one value per member.
    n : int, optional
        Number of members; only if `p` is a single number.
    correlation : float, default=0
        The correlation of correctness between any two members, from 0 (independent) to 1 (all right or all
        wrong together). Members are then modelled as exchangeable: their accuracy varies between rows by a
        beta distribution with mean p, so the number of right members is beta-binomial. Members of different
        accuracies are replaced by their mean.

    Returns
    -------
    float

    Notes
    -----
    With :math:`\theta = \rho / (1 - \rho)` for a correlation :math:`\rho`,

    .. math:: P(k) = \binom{n}{k} \frac{\prod_{i<k} (p + i\theta) \prod_{i<n-k} (1 - p + i\theta)}
              {\prod_{i<n} (1 + i\theta)}

    which is the binomial distribution for :math:`\rho = 0`. For independent members of different
    accuracies the distribution is Poisson-binomial, computed by convolution in O(n²).

    Examples
    --------
    The lecture's five classifiers with an accuracy of 70%, and a hundred and one of them:

    >>> round(majority_accuracy(0.7, 5), 6), round(majority_accuracy(0.7, 101), 6)
    (0.83692, 0.999987)

    Members that tend to fail on the same rows gain little:

    >>> round(majority_accuracy(0.7, 101, correlation=0.3), 3)
    0.771
    """
    if not _SHARE.accepts(correlation):
        raise ParameterError(must("correlation", str(_SHARE), correlation))
    if not isinstance(p, str) and hasattr(p, "__len__"):
        shares = _read_shares(p, n)
        if correlation == 0:
            return _upper_half(_independent(shares))
        mean, members = float(shares.mean()), len(shares)
    else:
        mean, members = _read_share(p, n)
    if correlation == 1 or mean in (0, 1):
        return mean
    return _upper_half(_exchangeable(mean, members, float(correlation)))


def _read_share(p: Any, n: Any) -> tuple[float, int]:
    if not _SHARE.accepts(p):
        raise ParameterError(must("p", f"{_SHARE}, or a sequence of such", p))
    if not Integer(at_least=1).accepts(n):
        raise ParameterError(must("n", "an integer of at least 1 for a single p", n))
    return float(p), int(n)


def _read_shares(p: Any, n: Any) -> Floats:
    if n is not None:
        raise ParameterError(must("n", "None where every member has its own p", n))
    if not Numbers().accepts(p) or not len(p):
        raise ParameterError(must("p", f"{_SHARE}, or a sequence of such", p))
    shares = np.asarray(p, dtype=np.float64)
    outside = (shares < 0) | (shares > 1)
    if outside.any():
        raise ParameterError(must("p", f"{_SHARE}, or a sequence of such", float(shares[outside][0])))
    return shares


def _upper_half(probabilities: Floats) -> float:
    """Return the probability of more than half of the members, plus half of that of a tie."""
    n = len(probabilities) - 1
    tie = 0.5 * probabilities[n // 2] if n % 2 == 0 else 0.0
    return min(1.0, float(probabilities[n // 2 + 1 :].sum() + tie))


def _independent(shares: Floats) -> Floats:
    """Return the distribution of the number of right members, for independent members."""
    probabilities = np.ones(1)
    for share in shares:
        probabilities = np.convolve(probabilities, [1 - share, share])
    return probabilities


def _exchangeable(p: float, n: int, correlation: float) -> Floats:
    """Return the distribution for exchangeable members, by recursion from its mode in both directions."""
    unit = correlation / (1 - correlation)
    k = np.arange(n)
    steps = np.log((n - k) / (k + 1) * (p + k * unit) / (1 - p + (n - 1 - k) * unit))
    peak = int(np.argmax(np.append(0.0, np.cumsum(steps))))
    below, above = -np.cumsum(steps[:peak][::-1])[::-1], np.cumsum(steps[peak:])
    shares = np.exp(np.concatenate([below, [0.0], above]))
    probabilities: Floats = shares / shares.sum()
    return probabilities


def most_votes(codes: Codes, labels: int) -> Codes:
    """Return the label with most votes in each row; ties go to the first.

    Parameters
    ----------
    codes : ndarray of shape (n_members, n_rows)
        The predictions of each member.
    labels : int
        Number of classes.
    """
    rows = codes.shape[1]
    votes = np.bincount((np.arange(rows) * labels + codes).ravel(), minlength=rows * labels)
    winner: Codes = votes.reshape(rows, labels).argmax(axis=1).astype(np.int32)
    return winner
