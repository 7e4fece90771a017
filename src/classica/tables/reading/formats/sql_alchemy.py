"""Rows of other databases, through SQLAlchemy."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from classica.errors import ParameterError, TableError, must
from classica.tables.reading.note import Note


def other_rows(address: str, options: dict[str, Any]) -> Generator[Any]:
    """Yield the name of the source, the columns and notes; then row after row. Nothing is ever committed."""
    try:
        import sqlalchemy as sa
    except ImportError:
        rule = "the address of a SQLite file, or SQLAlchemy installed (pip install sqlalchemy)"
        raise ParameterError(must("source", rule, address.partition(":")[0])) from None
    if options["table"] is None and options["query"] is None:
        raise ParameterError(must("table", "given, or a query, for a database", None))
    try:
        url = sa.make_url(address)
        name = url.render_as_string(hide_password=True)
        engine = sa.create_engine(url)
    except (sa.exc.SQLAlchemyError, ImportError) as error:
        raise ParameterError(
            must("source", f"an address that SQLAlchemy knows ({error})", "another")
        ) from None
    try:
        with engine.connect() as connection:
            streaming = connection.execution_options(stream_results=True, yield_per=10_000)
            result = streaming.execute(_statement(sa, options))
            yield name, list(result.keys()), [Note("table", options["table"] or "the rows of a query")]
            for row in result:
                yield tuple(row)
            connection.rollback()
    except sa.exc.SQLAlchemyError as error:
        reason = " ".join(str(error).split())[:200]
        raise TableError.at(name, "database error", f"the database must answer, got: {reason}") from None
    finally:
        engine.dispose()


def _statement(sa: Any, options: dict[str, Any]) -> Any:
    if options["query"] is not None:
        return sa.text(options["query"])
    schema, _, table = options["table"].rpartition(".")
    return sa.select(sa.text("*")).select_from(sa.table(table, schema=schema or None))
