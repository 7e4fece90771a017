"""Render the summary of a comparison as a page of HTML."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from classica.comparison import ComparisonResult
from classica.comparison.results.sentences import score_text
from classica.comparison.results.summary import ModelResult, Summary
from classica.errors import DataError, ParameterError, must
from classica.interfaces.finding_codes import occurring_codes
from classica.interfaces.report.interval_bar import Scale, interval_bar
from classica.interfaces.report.links import LinkedFinding, anchors, linked_findings
from classica.interfaces.report.material import Material
from classica.interfaces.report.model_section import model_section
from classica.interfaces.report.pictures import look_pictures, model_pictures
from classica.interfaces.report.reason_parts import driver_parts, failure_parts
from classica.interfaces.report.report_tables import confusion_table, overlap_table
from classica.params import Integer
from classica.tables.profiles.column_profile import ColumnProfile
from classica.whole_file import whole_file
from classica.wording import counted

REPORT = "report.html"

#: Models that get all pictures, the recommended one first; the others have sketches.
PICTURES = 1

#: More columns than this are told by their number.
_COLUMNS = 200


def write_report(
    compared: ComparisonResult, path: str | Path | None = None, *, pictures: int = PICTURES
) -> Path:
    """Write the report of a comparison, by default as ``report.html`` in its folder, and return its path.

    Parameters
    ----------
    compared : ComparisonResult
        The comparison.
    path : str or Path, optional
        File to write.
    pictures : int, default=1
        Number of models with all plots, the recommended one first, then by rank.
    """
    path = compared.folder / REPORT if path is None else Path(path)
    text = report_html(compared, pictures=pictures)
    with whole_file(path, DataError) as file:
        file.write(text.encode())
    return path


def report_html(compared: ComparisonResult, *, pictures: int = PICTURES) -> str:
    """Return the page, with all plots for this number of models."""
    if not Integer(at_least=0).accepts(pictures):
        raise ParameterError(must("pictures", "an integer of at least 0", pictures))
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, loader=FunctionLoader(_template),
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    material = Material(compared)
    return environment.get_template("report.html").render(_context(material, pictures))


def _template(name: str) -> str:
    return resources.files(__package__).joinpath("templates", name).read_text("utf-8")


def _context(material: Material, pictures: int) -> dict[str, Any]:
    summary, judged = material.summary, material.summary.judged
    profile = summary.table.profile
    names = [model.name for model in judged]
    model_anchors = dict(zip(names, anchors(names, "model"), strict=True))
    findings = linked_findings(summary.findings, judged, model_anchors)
    # The baseline has learned nothing to plot.
    learned = [model.name for model in judged if model.role != "baseline"]
    full = sorted(learned, key=lambda name: name != summary.recommended)[:pictures]
    return {
        "css": Markup(_template("report.css")),
        "summary": summary,
        "table": _table(summary),
        "evaluation": _evaluation(summary),
        "confidence": f"{100 * summary.settings.confidence:g}%",
        "rope": score_text(summary.settings.rope, share=summary.metric.is_share),
        "scale": Scale.of(summary) if judged else None,
        "done": [
            _model(material, model, model_anchors[model.name], in_full=model.name in full)
            | {"findings": [each for each in findings if _concerns(each, model)]}
            for model in judged
        ],
        "full": len(full),
        "folder": material.folder.name,
        "files": _files(summary, model_anchors),
        "others": [_unranked(model, summary) for model in summary.models if not model.is_judged],
        "findings": findings,
        "looks": look_pictures(material),
        "drivers": driver_parts(summary),
        "failing": failure_parts(summary),
        "overlap": overlap_table(summary.diversity, {model.name: model.title for model in judged}),
        "columns": [(column, _values(column)) for column in profile.columns[:_COLUMNS]],
        "more_columns": max(len(profile.columns) - _COLUMNS, 0),
        "data_findings": profile.findings,
        "codes": occurring_codes(summary.findings, profile.findings),
        "notes": ", ".join(summary.table.notes),
    }


def _model(material: Material, model: ModelResult, anchor: str, *, in_full: bool) -> dict[str, Any]:
    summary = material.summary
    return {
        "anchor": anchor,
        "in_full": in_full,
        "is_reference": model.role == "reference",
        "picture": interval_bar(model, Scale.of(summary)),
        "confusion": None if model.confusion is None else confusion_table(model.confusion),
        **model_section(model, summary),
        **model_pictures(material, model, anchor, in_full=in_full),
    }


def _unranked(model: ModelResult, summary: Summary) -> dict[str, str]:
    """Return the row of a model that is not ranked: its score so far, and the reason."""
    score = ""
    if model.provisional is not None and model.learned_rows is not None:
        score = score_text(model.provisional.mean, share=summary.metric.is_share)
    return {"title": model.title, "score": score, "reason": model.reason}


def _files(summary: Summary, model_anchors: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the file of every model, with notes on the recommended and the best one."""
    files = []
    for model in summary.judged:
        if model.delivered is None or model.delivered.file is None:
            continue
        is_used = model.name == summary.recommended
        notes = [f"recommended; also {summary.best_file}"] if is_used and summary.best_file else []
        notes += ["best score"] if model.name == summary.best else []
        files.append(
            {
                "anchor": model_anchors[model.name],
                "title": model.title,
                "mean": score_text(model.score.mean, share=summary.metric.is_share),
                "file": model.delivered.file,
                "also": f" ({', '.join(notes)})" if notes else "",
            }
        )
    return files


def _concerns(finding: LinkedFinding, model: ModelResult) -> bool:
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
        "rows_text": counted(table.rows, "row"),
        "features_text": counted(table.features, "feature"),
        "classes_text": f"{counted(len(table.classes), 'class', 'classes')}: {shares}{more}",
    }


def _evaluation(summary: Summary) -> str:
    settings, folds = summary.settings, len(summary.folds.counted)
    tuning = _tuning(summary)
    kind = "ordered by time" if settings.time else "split by group" if settings.groups else "stratified"
    planned = "" if summary.is_complete else f" of {summary.folds.planned} planned"
    if summary.is_provisional:
        return f"Provisional scores on samples, {tuning}; no model has been evaluated on all folds."
    return f"Cross-validated on {folds}{planned} folds, {kind}, {tuning}."


def _tuning(summary: Summary) -> str:
    settings = summary.settings
    if not settings.tune:
        return "with default hyper-parameters"
    if summary.is_nested:
        return f"with hyper-parameters tuned by {settings.inner_folds}-fold inner cross-validation"
    return (
        "with hyper-parameters tuned on the same folds; scores are corrected for the selection of"
        " hyper-parameters, that of the recommended model also for the selection among models"
    )


def _values(column: ColumnProfile) -> str:
    """Return the categories with counts, or the range, shortened for a table."""
    if column.counts:
        ordered = sorted(column.counts, key=lambda pair: -pair[1])
        more = f", and {len(ordered) - 8} more" if len(ordered) > 8 else ""
        return ", ".join(f"{value} {count:,}" for value, count in ordered[:8]) + more
    return column.values()
