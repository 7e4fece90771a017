"""The numbers from which on something is told of a table: rules judge by them, explanations name them."""

from __future__ import annotations

#: Up to here text is a category however few rows there are; beyond, levels must repeat.
FEW_LEVELS = 20
#: Fewer rows than this say nothing about numbers that are all different.
FEW_ROWS = 10
#: Integers of a counter take up at most so many times as many places as there are of them.
DENSE = 2
#: Short text has fewer words than this on average.
FREE_TEXT_WORDS = 3
#: Text is almost numeric from this share of numbers on.
ALMOST = 0.9
#: From so many rows on it is told that integers are all different.
DIFFERENT_ROWS = 100

#: A class with fewer rows than this has very few.
FEW_OF_A_CLASS = 5
#: A class with this share of the rows makes accuracy say little.
MOST_ROWS = 0.8
#: More classes than this, and than one for so many rows, are a quantity more often.
MANY_CLASSES = 20
ROWS_PER_CLASS = 10

#: A column is suspected of leaking if it alone removes this share of the errors of the majority class ...
LEAK = 0.95
#: ... on a table of at least so many rows: with fewer, one column often does by chance.
LEAK_ROWS = 20

#: Fewer rows than so many per feature are few.
ROWS_PER_FEATURE = 5
#: A category with more levels than this has many.
MANY_LEVELS = 50
#: A column with more missing cells than this share is mostly missing.
MOSTLY = 0.5
