"""Classifiers of whole tables: the schema, what the encoder has learned, and the classifier inside."""

from __future__ import annotations

from sklearn.base import is_classifier

from classica.errors import ModelFileError
from classica.kinds import Flag, ListOf, Maybe, Number, Scope, Whole, Word
from classica.persist.description import (
    Member,
    RecordOf,
    describe_estimator,
    describe_parameters,
    describe_record,
    with_rules,
)
from classica.persist.label_kinds import COLUMNS, NAMES, Level
from classica.table_classifier import TableClassifier
from classica.tables import ColumnSchema, Schema, TableEncoder
from classica.tables.column_schema import KINDS, PARTS, ROLES
from classica.tables.encoding.encoded_column import EncodedColumn
from classica.tables.typing.number_format import SEPARATORS, UNITS

_WORDS = ListOf(Word(), made=tuple)


def _check_column(column: ColumnSchema, scope: Scope) -> None:
    with_rules(column.__post_init__, scope)
    texts = [str(level) for level in column.levels or ()]
    scope.require(len(set(texts)) == len(texts), "given with levels that read differently", texts)
    scope.require(column.kind == "date" or not column.parts, "a date to have parts", column.kind)
    scope.require(len(set(column.parts)) == len(column.parts), "made of different parts", column.parts)


describe_record(
    ColumnSchema,
    {
        "name": Word(),
        "kind": Word(*KINDS),
        "role": Word(*ROLES),
        "levels": Maybe(ListOf(Level(), made=tuple)),
        "format": Maybe(Word()),
        "decimal": Word(".", ","),
        "thousands": Word(*SEPARATORS),
        "unit": Word(*UNITS),
        "parts": ListOf(Word(*PARTS), made=tuple),
        "missing": _WORDS,
        "reason": Word(),
    },
    _check_column,
)


def _check_schema(schema: Schema, scope: Scope) -> None:
    with_rules(schema.__post_init__, scope)
    for name in schema.names("feature"):
        column = schema[name]
        is_valid = column.levels is not None or not column.has_levels
        scope.require(is_valid, "made with levels for its categories", name)
    names = schema.feature_names()
    scope.require(len(set(names)) == len(names), "made of features of different names")


describe_record(
    Schema,
    {
        "columns": ListOf(RecordOf(ColumnSchema), made=tuple),
        "missing": _WORDS,
        "other_columns": Word("ignore", "decide"),
    },
    _check_schema,
)


def _check_encoded(column: EncodedColumn, scope: Scope) -> None:
    by_level = column.form in ("one-hot", "rank")
    scope.require(by_level or not column.levels, "free of levels where it has none", column.levels)
    if column.fill is not None and column.form != "number":
        most = max(len(column.levels), 1) if by_level else 2
        scope.require(column.fill in range(most), "filled by one of its levels", column.fill)
    moved = (column.center, column.scale) != (0.0, 1.0)
    scope.require(not moved or column.form in ("number", "rank"), "a number to have a scale", column.form)


describe_record(
    EncodedColumn,
    {
        "name": Word(),
        "form": Word("number", "flag", "rank", "one-hot"),
        "levels": _WORDS,
        "fill": Maybe(Number()),
        "filled": Whole(),
        "center": Number(),
        "scale": Number(above=0.0),
    },
    _check_encoded,
)


def _check_encoder(encoder: TableEncoder, scope: Scope) -> None:
    """Compare everything that follows from the schema with it."""
    # How results are returned is for transformers that users hold themselves.
    scope.require("_sklearn_output_config" not in vars(encoder), "free of settings for its output")
    wanted = encoder.schema.feature_names()
    scope.require(list(encoder.feature_names_in_) == wanted, "made for the features of its schema")
    planned = [] if encoder.passes_on else list(encoder.planned())
    encoded = [(column.name, column.form, column.levels) for column in encoder.columns_]
    scope.require(
        encoded == [(column.name, column.form, column.levels) for column in planned],
        "made of the columns and levels of its schema",
    )
    for column in encoder.columns_:
        filled = (column.fill is not None) == bool(encoder.fill)
        scope.require(filled, "filled where it says so", column.name)
        # A missing level that stays a level needs one to become.
        possible = bool(column.levels) or encoder.encode or column.form in ("number", "flag")
        scope.require(possible, "made with levels for its categories", column.name)
        moved = (column.center, column.scale) != (0.0, 1.0)
        scope.require(encoder.standardise or not moved, "without scales unless it standardises", column.name)
    with_rules(encoder.require_different_names, scope)


_FLAGS = dict.fromkeys(("encode", "fill", "standardise"), Flag())
describe_parameters(TableEncoder, {"schema": RecordOf(Schema), **_FLAGS})
describe_estimator(
    TableEncoder,
    {**COLUMNS, **NAMES, "columns_": ListOf(RecordOf(EncodedColumn), made=tuple)},
    check=_check_encoder,
)


def _check_classifier(model: TableClassifier, scope: Scope) -> None:
    encoder, inside = model.encoder_, model.estimator_
    scope.require(type(encoder) is TableEncoder, "made with an encoder", type(encoder).__name__)
    scope.require(is_classifier(inside), "made around a classifier", type(inside).__name__)
    scope.require(model.schema == encoder.schema, "made with the schema of its encoder")
    try:
        needed = TableEncoder.for_estimator(inside, model.schema)
        names, columns = list(inside.feature_names_in_), int(inside.n_features_in_)
    except (AttributeError, TypeError, ValueError):
        raise ModelFileError(f"{scope.where} must contain a classifier of columns, got another.") from None
    same = all(getattr(needed, key) == getattr(encoder, key) for key in ("encode", "fill", "standardise"))
    scope.require(same, "made with the encoder that its classifier needs")
    wanted = list(encoder.get_feature_names_out())
    scope.require(names == wanted, "made around a classifier of the columns of its encoder", names)
    scope.require(columns == len(wanted), "made around a classifier of as many columns", columns)
    _check_levels(model, scope)


def _check_levels(model: TableClassifier, scope: Scope) -> None:
    """Compare the categories that the classifier inside has learned with those of the schema."""
    for name, levels in getattr(model.estimator_, "category_levels_", {}).items():
        if name not in model.schema or not model.schema[name].has_levels:
            continue  # a Boolean, whose levels are its own
        texts = {str(level) for level in model.schema[name].levels or ()}
        odd = [level for level in levels if str(level) not in texts]
        scope.require(not odd, f"made with levels of {name!r} that are in its schema", odd)


describe_parameters(TableClassifier, {"schema": RecordOf(Schema)})
describe_estimator(TableClassifier, {"encoder_": Member(), "estimator_": Member()}, check=_check_classifier)
