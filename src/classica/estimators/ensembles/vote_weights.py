"""How much the members of an ensemble weigh, learned from answers to rows they have not seen."""

from __future__ import annotations

import numpy as np

from classica.native import Floats

#: The search for mixture weights ends when a step gains less, per case, or after so many steps.
_LEAST_GAIN = 1e-10
_MOST_STEPS = 1000


def log_odds_weights(right: Floats, cases: Floats, classes: int) -> Floats:
    r"""Return the log-odds of being right, which are the best weights of independent voters.

    .. math:: w_m = \max\left(0, \ln \frac{p_m}{1 - p_m} + \ln (C - 1)\right)

    (Nitzan and Paroush, 1982; with errors spread evenly over the other classes.) A member that is never or
    always right is taken to be so up to half a case. If none beats chance, all weigh the same.

    Parameters
    ----------
    right : array of shape (n_members, n_cases)
        Whether (1 or 0) each member is right.
    cases : array of shape (n_cases,)
        How much each case counts.
    classes : int
        How many classes there are.
    """
    total = cases.sum()
    if classes < 2 or not total:
        return np.ones(len(right))
    half = min(0.5, 0.5 / total)
    share = np.clip(right @ cases / total, half, 1 - half)
    odds: Floats = np.maximum(0.0, np.log(share) - np.log1p(-share) + np.log(classes - 1))
    return odds if odds.any() else np.ones(len(right))


def mixture_weights(likelihoods: Floats, cases: Floats) -> Floats:
    r"""Return the shares of a mixture under which the cases are most likely, by expectation-maximization.

    .. math:: \max_w \sum_i v_i \ln \sum_m w_m \, p_m(y_i \mid x_i), \quad \sum_m w_m = 1

    Every step gains likelihood, which is concave in the shares, so the way leads to the maximum.

    Parameters
    ----------
    likelihoods : array of shape (n_members, n_cases)
        The probability each member gave to the true class of each case.
    cases : array of shape (n_cases,)
        How much each case counts (:math:`v_i`).
    """
    members = len(likelihoods)
    shares = np.full(members, 1 / members)
    possible = likelihoods.any(axis=0)  # no weights help where no member thought of the truth
    likelihoods, cases = likelihoods[:, possible], cases[possible]
    if not cases.any():
        return shares
    likelihoods = likelihoods / likelihoods.max(axis=0)  # the same maximum, and nothing underflows
    cases = cases / cases.sum()
    before = -np.inf
    for _ in range(_MOST_STEPS):
        mixed = shares @ likelihoods
        reached = float(cases @ np.log(mixed))
        if reached - before < _LEAST_GAIN:
            break
        before, shares = reached, shares * (likelihoods @ (cases / mixed))
        shares = shares / shares.sum()
    return shares
