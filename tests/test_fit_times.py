"""Cards say how long a fit takes, and it takes about as long."""

from time import process_time

import numpy as np
import pytest
from sklearn.base import is_classifier
from threadpoolctl import threadpool_limits

from classica import catalog
from classica.registry import _UNKNOWN_TIME, FitTime

CARDS = [card for card in catalog.cards() if is_classifier(card.build())]
ROWS, COLUMNS = 2000, 20

#: Fits expected to be longer are left to the benchmarks.
MOST_SECONDS = 0.2


def generated(rows, columns, seed=0):
    """Return numbers of two classes that overlap."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, columns))
    y = X @ random.normal(size=columns) + random.logistic(size=rows) * 2 > 0
    return X, y.astype(int)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.slug)
def test_every_classifier_says_how_long_it_takes(card):
    told = card.fit_time
    assert isinstance(told, FitTime)
    assert told != _UNKNOWN_TIME
    assert told.seconds > 0
    assert told.grid >= 1
    assert 0 <= told.rows <= 3
    assert 0 <= told.columns <= 3
    assert 0 <= told.classes <= 3
    assert bool(card.grid) or told.grid == 1


@pytest.mark.filterwarnings("ignore")  # not all converge
@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.slug)
def test_a_fit_takes_about_as_long_as_the_card_says(card):
    told = card.fit_time.predicted(ROWS, COLUMNS, 2)
    if told > MOST_SECONDS:
        pytest.skip("takes too long to be fitted here")
    X, y = generated(ROWS + ROWS // 2, COLUMNS)
    taken = min(_seconds(card, X, y) for _ in range(3))
    # A card counts the encoding of a table, which is not done here, too: it may exceed a quick fit by more.
    assert taken < 20 * told
    assert taken > told / 20 or told < 0.01


def _seconds(card, X, y):
    known = card.build().get_params(deep=False)
    model = card.build(**{key: 1 for key in ("n_jobs", "random_state") if key in known})
    with threadpool_limits(1):
        began = process_time()
        model.fit(X[:ROWS], y[:ROWS]).predict(X[ROWS:])
        return process_time() - began


def test_time_grows_by_the_powers_of_the_card():
    told = FitTime(0.01, rows=1.5, columns=0.5, classes=1.0)
    assert told.predicted(1000, 20, 2) == pytest.approx(0.01)
    assert told.predicted(4000, 80, 4) == pytest.approx(0.01 * 8 * 2 * 2)
    assert told.predicted(1000, 20, 1) == pytest.approx(0.01)
