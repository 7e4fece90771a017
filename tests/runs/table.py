"""What the runs of the tests may do: apart from `deeds`, which workers import, so that they start at once."""

from classica.runs import WorkTable
from tests.runs import deeds

TABLE = WorkTable({"square": deeds.square, "deed": deeds.deed}, preload=["numpy"])
