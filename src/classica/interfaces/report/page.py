"""From the summary of a comparison to a page of HTML: all that is shown is in the summary or its run."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from classica.comparison import Compared
from classica.comparison.results.sentences import shown
from classica.comparison.results.summary import ModelResult, Summary
from classica.errors import DataError, ParameterError, must
from classica.interfaces.finding_codes import occurring_codes
from classica.interfaces.report.confusion_table import confusion_table
from classica.interfaces.report.interval_bar import Scale, interval_bar
from classica.interfaces.report.links import LinkedFinding, anchors, linked_findings
from classica.interfaces.report.material import Material
from classica.interfaces.report.model_section import model_section
from classica.interfaces.report.overlap_table import overlap_table
from classica.interfaces.report.pictures import look_pictures, model_pictures
from classica.params import Integer
from classica.tables.profiles.column_profile import ColumnProfile
from classica.whole_file import whole_file
from classica.wording import counted

REPORT = "report.html"

#: Models that get all pictures, the recommended one first; the others have sketches.
PICTURES = 1

#: More columns than this are told by their number.
_COLUMNS = 200


def write_report(compared: Compared, path: str | Path | None = None, *, pictures: int = PICTURES) -> Path:
    """Write the report of a comparison, by default as ``report.html`` in its folder; return where it is.

    Parameters
    ----------
    compared : Compared
        The comparison.
    path : str or Path, optional
        Where to.
    pictures : int, default=1
        How many models get all pictures, the recommended one first, then by rank.
    """
    place = compared.folder / REPORT if path is None else Path(path)
    text = report_html(compared, pictures=pictures)
    with whole_file(place, DataError) as file:
        file.write(text.encode())
    return place


def report_html(compared: Compared, *, pictures: int = PICTURES) -> str:
    """Return the page, with all pictures of so many models."""
    if not Integer(at_least=0).accepts(pictures):
        raise ParameterError(must("pictures", "an integer of at least 0", pictures))
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, loader=FunctionLoader(_template),
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    material = Material(compared.folder, compared.summary)
    return environment.get_template("report.html").render(_context(material, pictures))


def _template(name: str) -> str:
    return resources.files(__package__).joinpath("templates", name).read_text("utf-8")


def _context(material: Material, pictures: int) -> dict[str, Any]:
    summary, judged = material.summary, material.summary.judged
    profile = summary.table.profile
    names = [model.name for model in judged]
    places = dict(zip(names, anchors(names, "model"), strict=True))
    findings = linked_findings(summary.findings, judged, places)
    # There is nothing to see in what guesses.
    learned = [model.name for model in judged if model.role != "baseline"]
    full = sorted(learned, key=lambda name: name != summary.recommended)[:pictures]
    return {
        "css": Markup(_template("report.css")),
        "summary": summary,
        "table": _table(summary),
        "judged": _judged(summary),
        "confidence": f"{100 * summary.settings.confidence:g}%",
        "rope": shown(summary.settings.rope, share=summary.metric.is_share),
        "scale": Scale.of(summary) if judged else None,
        "done": [
            _model(material, model, places[model.name], in_full=model.name in full)
            | {"findings": [each for each in findings if _speaks_of(each, model)]}
            for model in judged
        ],
        "full": len(full),
        "folder": material.folder.name,
        "files": _files(summary, places),
        "others": [_unranked(model, summary) for model in summary.models if not model.is_judged],
        "findings": findings,
        "looks": look_pictures(material),
        "overlap": overlap_table(summary.diversity, {model.name: model.title for model in judged}),
        "columns": [(column, _values(column)) for column in profile.columns[:_COLUMNS]],
        "more_columns": max(len(profile.columns) - _COLUMNS, 0),
        "data_findings": profile.findings,
        "codes": occurring_codes(summary.findings, profile.findings),
        "notes": ", ".join(summary.table.notes),
    }


def _model(material: Material, model: ModelResult, place: str, *, in_full: bool) -> dict[str, Any]:
    summary = material.summary
    return {
        "place": place,
        "in_full": in_full,
        "is_reference": model.role == "reference",
        "picture": interval_bar(model, Scale.of(summary)),
        "confusion": None if model.confusion is None else confusion_table(model.confusion),
        **model_section(model, summary),
        **model_pictures(material, model, place, in_full=in_full),
    }


def _unranked(model: ModelResult, summary: Summary) -> dict[str, str]:
    """Return the row of a model that is not ranked: its score so far, and why it was not judged."""
    score = ""
    if model.provisional is not None and model.learned_rows is not None:
        score = shown(model.provisional.mean, share=summary.metric.is_share)
    return {"title": model.title, "score": score, "reason": model.reason}


def _files(summary: Summary, places: Mapping[str, str]) -> list[dict[str, str]]:
    """Return where the file of every model is; the recommended one has a second, the best may be another."""
    found = []
    for model in summary.judged:
        if model.delivered is None or model.delivered.file is None:
            continue
        is_used = model.name == summary.recommended
        notes = [f"recommended; also {summary.best_file}"] if is_used and summary.best_file else []
        notes += ["best score"] if model.name == summary.best else []
        found.append(
            {
                "place": places[model.name],
                "title": model.title,
                "mean": shown(model.score.mean, share=summary.metric.is_share),
                "file": model.delivered.file,
                "also": f" ({', '.join(notes)})" if notes else "",
            }
        )
    return found


def _speaks_of(finding: LinkedFinding, model: ModelResult) -> bool:
    return any(link.name == model.name for link in finding.models)


def _table(summary: Summary) -> dict[str, Any]:
    table = summary.table
    shares = ", ".join(f"{each.label} {each.rows / table.rows:.1%}" for each in table.classes[:8])
    more = f" and {len(table.classes) - 8} more" if len(table.classes) > 8 else ""
    return {
        "source": table.source,
        "target": table.target,
        "fingerprint": table.fingerprint,
        "source_name": Path(table.source).name,
        "rows_told": counted(table.rows, "row"),
        "features_told": counted(table.features, "feature"),
        "classes_told": f"{counted(len(table.classes), 'class', 'classes')}: {shares}{more}",
    }


def _judged(summary: Summary) -> str:
    settings, folds = summary.settings, len(summary.folds.counted)
    tuned = _tuned(summary)
    kind = "in order of time" if settings.time else "by group" if settings.groups else "stratified"
    planned = "" if summary.is_complete else f" of {summary.folds.planned} planned"
    if summary.is_provisional:
        return f"Provisional: {tuned}, on samples of the rows; no model has been judged on all folds."
    return f"Judged on {folds}{planned} folds, {kind}, {tuned}."


def _tuned(summary: Summary) -> str:
    settings = summary.settings
    if not settings.tune:
        return "default parameters"
    if summary.is_nested:
        return f"parameters tuned inside each training set by {settings.inner_folds}-fold cross-validation"
    return (
        "parameters tuned on the same folds; the score of the recommended model is corrected for having been"
        " selected, the others for the selection of their parameters"
    )


def _values(column: ColumnProfile) -> str:
    """Return levels with counts, or the range, shortened for a table."""
    if column.counts:
        ordered = sorted(column.counts, key=lambda pair: -pair[1])
        more = f", and {len(ordered) - 8} more" if len(ordered) > 8 else ""
        return ", ".join(f"{value} {count:,}" for value, count in ordered[:8]) + more
    return column.values()
