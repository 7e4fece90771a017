"""What each code about the kind of a column means, how it was decided, and what helps (D1)."""

from __future__ import annotations

from classica.finding_code import FindingCode
from classica.tables.table_thresholds import (
    ALMOST,
    DENSE,
    DIFFERENT_ROWS,
    FEW_LEVELS,
    FEW_ROWS,
    FREE_TEXT_WORDS,
)

_SCHEMA = "write a schema (--write-schema), change the column there and read the table with it (--schema)"
_TYPES = ("classica.tables.decide_types", "classica.tables.Schema")

COLUMN_CODES = (
    FindingCode(
        "D101",
        "like an identifier, not used",
        "The column names the rows and says nothing about new rows, so it is left out.",
        f"Integers that are all different, in at least {FEW_ROWS} known cells, and lie as close together as "
        f"a counter (at most {DENSE} places per number) or have a name such as id, key or number; or short "
        f"text that hardly repeats: all of at least {FEW_ROWS} cells different, or more than {FEW_LEVELS} "
        "values and more than half as many as cells.",
        "Usually nothing: a learner would learn the rows by heart from it. If it does carry meaning, "
        f"{_SCHEMA}.",
        _TYPES,
    ),
    FindingCode(
        "D102",
        "constant, not used",
        "Every cell is the same, or every cell is missing: nothing can be told from it.",
        "At most one different value in a table of two or more rows, and no missing cell beside it; or no "
        "known cell at all.",
        "Nothing. If the column should vary, look at where the table comes from.",
        _TYPES,
    ),
    FindingCode(
        "D103",
        "free text, not used",
        "Sentences that hardly repeat: the classifiers here take numbers and categories.",
        f"Text of at least {FREE_TEXT_WORDS} words per cell on average that hardly repeats: all of at least "
        f"{FEW_ROWS} cells different, or more than {FEW_LEVELS} values and more than half as many as cells.",
        "Make columns of it that say what matters: whether a word occurs, how long the text is, a topic.",
        _TYPES,
    ),
    FindingCode(
        "D104",
        "a date, used by its parts",
        "A date as such never comes again; year, month, day, weekday, hour or minute may.",
        "Cells have the type of a date, or all of them are dates written in one of the known ways. Parts "
        "that vary become columns; without any the column is not used.",
        f"If the order of time matters, compare with --time. To choose other parts, {_SCHEMA}.",
        _TYPES,
    ),
    FindingCode(
        "D105",
        "words that count as missing",
        "Cells such as NA or ? count as missing values.",
        "Cells of text that equal one of the words for missing of the schema (?, NA, N/A, NaN, NULL and "
        "the like), counted by word.",
        f"If such a word means something in this table, {_SCHEMA}: its list \"missing\" says which words "
        "count.",
        _TYPES,
    ),
    FindingCode(
        "D106",
        "almost numeric",
        "Nearly all cells are numbers, but not all; so the column is text.",
        f"At least {ALMOST:.0%} of the known cells, but not all, are numbers.",
        "Look at the cell that is shown. If it stands for a missing value, list it with all others in a "
        "schema file, {\"classica_schema\": 1, \"missing\": [\"\", \"NA\", \"-\"], \"columns\": []}, and "
        "read the table with it (--schema). If it is a slip, correct it: as text every number is a level of "
        "its own, and their order is lost.",
        _TYPES,
    ),
    FindingCode(
        "D107",
        "integers beyond 2**53",
        "Integers so large that two of them would become the same number; kept as they are and not used.",
        "An integer above 2**53 in magnitude, beyond which not every integer has a double of its own.",
        f"Mostly such integers are keys, and nothing is lost. If they are quantities, divide them, "
        f"or {_SCHEMA}.",
        _TYPES,
    ),
    FindingCode(
        "D108",
        "all different integers, used as numbers",
        "The column is used as a quantity, though it could be a key.",
        f"At least {DIFFERENT_ROWS} integers, all different, but neither as close together as a counter nor "
        "with the name of a key.",
        f"If they name the rows, give the column the role \"id\": {_SCHEMA}. A key that rises with time can "
        "look like a strong feature and is worthless for new rows.",
        _TYPES,
    ),
    FindingCode(
        "D109",
        "leading zeros",
        "Cells such as 007 are words written in digits; as numbers they would lose their zeros.",
        "Cells of text that are written like numbers, with a zero or a plus sign in front. Levels that "
        f"repeat are categories; all different ones, or more than {FEW_LEVELS} and more than half as many as "
        "cells, are an identifier.",
        f"If they are quantities after all, {_SCHEMA}.",
        _TYPES,
    ),
    FindingCode(
        "D110",
        "true and false written as text",
        "The column is taken for a Boolean.",
        "Every known cell of text says true or false, in any capitals.",
        "Nothing. Later tables are read the same way.",
        _TYPES,
    ),
    FindingCode(
        "D111",
        "dates that can be read in two ways, not used",
        "03/04/2025 is a day in March or in April; a guess would be wrong half the time.",
        "All cells fit two ways of writing dates, and no day above 12 decides.",
        f"Name the format: {_SCHEMA}, with \"format\" such as \"%d/%m/%Y\".",
        _TYPES,
    ),
    FindingCode(
        "D112",
        "nested or binary values, not used",
        "Cells are lists, records or bytes, not single values.",
        "The type of the column in the file.",
        "Make columns of single values from it where the table is made.",
        _TYPES,
    ),
    FindingCode(
        "D113",
        "numbers with separators or units",
        "3,14, 1.234,56 or 38,0% was read as a number. A model remembers how, for later tables.",
        "Every known cell of text is a number with a decimal comma, thousands separators, a per cent sign or "
        "one currency sign, and can be read in one way only.",
        f"Nothing, if that is right. Otherwise {_SCHEMA}, or read with --decimal.",
        _TYPES,
    ),
    FindingCode(
        "D114",
        "thousands or fractions",
        "1.234 is one thousand two hundred thirty-four, or a little more than one.",
        "Every known cell fits both ways: exactly three digits behind the only sign.",
        f"Name the decimal sign with --decimal, or {_SCHEMA} (\"decimal\" and \"thousands\").",
        _TYPES,
    ),
)  # fmt: skip
