"""What a loaded model may say: an answer that makes sense, or an error of ours."""

import re

import numpy as np

from classica.errors import ClassicaError

_OTHER_ROWS = re.compile(r"X has \d+ features, but|The feature names should match")


def fault(model, X):
    """Return what is wrong with the answers of a model about X; None if they are valid or refused."""
    try:
        said = model.predict(X)
        if len(said) != len(X):
            return f"{len(said)} answers"
        if not hasattr(model, "classes_"):
            return None if np.isfinite(said).all() else "a number that is not finite"
        classes = model.classes_
        if not np.isin(said, classes).all():
            return "an answer that is no class"
        return _fault_of_shares(model, X, len(classes)) if hasattr(model, "predict_proba") else None
    except ClassicaError:
        return None
    except ValueError as error:
        # scikit-learn's own errors about rows that are not those of the model.
        return None if _OTHER_ROWS.match(str(error)) else f"a ValueError ({error})"


def _fault_of_shares(model, X, classes):
    shares = model.predict_proba(X)
    if shares.shape != (len(X), classes):
        return f"probabilities of shape {shares.shape}"
    if not np.isfinite(shares).all() or shares.min() < 0:
        return "probabilities that are none"
    return None if np.abs(shares.sum(axis=1) - 1).max() < 1e-6 else "probabilities that do not add up"
