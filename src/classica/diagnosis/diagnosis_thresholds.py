"""The numbers from which on a diagnosis speaks: the rules judge by them, and the explanations name them."""

from __future__ import annotations

#: A model overfits if it loses this share of what it has learned (beyond chance) on new rows.
LOST = 0.2
#: A gain of a point, or of this share of the error if that is less, is worth collecting rows for.
POINT = 0.01
OF_ERROR = 0.15
#: More rows are claimed to help if they do by this at the least.
SURE = 0.001

#: Two classes are confused if this share of all errors is between them, and of their rows ...
OF_ERRORS = 0.25
OF_ROWS = 0.05
#: ... and at least so many rows.
FEWEST = 5
#: At most so many pairs are told.
PAIRS = 3
#: A class is missed if this share of its rows gets another label.
MISSED = 0.5

#: A vote takes so many.
VOTERS = 3
#: A calibration error from here on matters, if it is well above what chance alone would show.
BADLY = 0.05
TIMES_CHANCE = 3.0

#: Errors of no more than this on so many rows, where chance errs on so many, are rare in honest tables.
TOO_GOOD = 0.002
ENOUGH_ROWS = 100
CHANCE_ERROR = 0.2
#: With fewer folds than this, even large differences are rarely shown.
ENOUGH_FOLDS = 5
#: An error is close to the Bayes error if this share of it is estimated to stay.
CLOSE = 0.5
#: An error is above what neighbours reach if it is so many of its standard errors above.
SPREADS = 2
