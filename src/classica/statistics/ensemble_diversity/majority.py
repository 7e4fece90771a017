r"""How often the majority is right: why a vote of mediocre members can be good.

.. math:: P(\text{majority right}) = \sum_{k > n/2} \binom{n}{k} p^k (1 - p)^{n - k}

The sum holds for members that err independently of one another, which real ones do not: the more their errors
coincide, the less the vote gains.
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
    r"""Return how often more than half of the members are right; a tie counts half.

    With two classes the majority is then right. With more, members that are wrong in different ways can leave
    the right class ahead with fewer votes than half, so a vote is right at least as often.

    Parameters
    ----------
    p : float or sequence of float
        The accuracy of every member, or one for each.
    n : int, optional
        How many members there are; only for a single `p`.
    correlation : float, default=0
        How much being right of any two members correlates, from 0 (independent) to 1 (they stand and fall
        together). The members are exchangeable then: on some rows all of them are right more often than on
        others, by a beta distribution with mean p, and the number of right ones is beta-binomial. Members of
        several accuracies count with the mean of these.

    Returns
    -------
    float

    Notes
    -----
    With :math:`\theta = \rho / (1 - \rho)` for a correlation :math:`\rho`,

    .. math:: P(k) = \binom{n}{k} \frac{\prod_{i<k} (p + i\theta) \prod_{i<n-k} (1 - p + i\theta)}
              {\prod_{i<n} (1 + i\theta)}

    which is the binomial distribution for :math:`\rho = 0`. Independent members of several accuracies are
    convolved one by one (the Poisson-binomial distribution), at a cost of n².

    Examples
    --------
    The lecture's five classifiers that are right 7 times of 10, and a hundred and one of them:

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
    """Return the probability of more than half of the members, and of half a tie."""
    n = len(probabilities) - 1
    tie = 0.5 * probabilities[n // 2] if n % 2 == 0 else 0.0
    return min(1.0, float(probabilities[n // 2 + 1 :].sum() + tie))


def _independent(shares: Floats) -> Floats:
    """Return the probability of each number of right members that are independent."""
    probabilities = np.ones(1)
    for share in shares:
        probabilities = np.convolve(probabilities, [1 - share, share])
    return probabilities


def _exchangeable(p: float, n: int, correlation: float) -> Floats:
    """Return the same for members that are all alike, as steps up and down from the likeliest number."""
    unit = correlation / (1 - correlation)
    k = np.arange(n)
    steps = np.log((n - k) / (k + 1) * (p + k * unit) / (1 - p + (n - 1 - k) * unit))
    peak = int(np.argmax(np.append(0.0, np.cumsum(steps))))
    below, above = -np.cumsum(steps[:peak][::-1])[::-1], np.cumsum(steps[peak:])
    shares = np.exp(np.concatenate([below, [0.0], above]))
    probabilities: Floats = shares / shares.sum()
    return probabilities


def most_votes(codes: Codes, labels: int) -> Codes:
    """Return the label with most votes in each row, the first of them in a tie.

    Parameters
    ----------
    codes : ndarray of shape (n_members, n_rows)
        What each member answers.
    labels : int
        How many codes there are.
    """
    rows = codes.shape[1]
    votes = np.bincount((np.arange(rows) * labels + codes).ravel(), minlength=rows * labels)
    winner: Codes = votes.reshape(rows, labels).argmax(axis=1).astype(np.int32)
    return winner
