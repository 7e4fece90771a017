"""Render the summary of a comparison as a page of HTML."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from classica.comparison import ComparisonResult
from classica.comparison.results.metrics_text import class_cells
from classica.comparison.results.sentences import margin_text, score_text
from classica.comparison.results.summary import ModelResult, Summary
from classica.diagnosis.finding import Finding
from classica.errors import DataError, ParameterError, must
from classica.interfaces.finding_codes import occurring_codes
from classica.interfaces.report.leaderboard import all_metrics, leaderboard
from classica.interfaces.report.links import LinkedFinding, anchors, linked_findings
from classica.interfaces.report.material import Material
from classica.interfaces.report.model_section import model_section
from classica.interfaces.report.pictures import look_pictures, model_pictures
from classica.interfaces.report.reason_parts import driver_parts, failure_parts
from classica.interfaces.report.rendering import rendered
from classica.interfaces.report.report_tables import confusion_table, overlap_table
from classica.interfaces.report.summary_card import summary_card
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
    return rendered("report.html", _context(Material(compared), pictures))


def _context(material: Material, pictures: int) -> dict[str, Any]:
    summary, judged = material.summary, material.summary.judged
    names = [model.name for model in judged]
    places = dict(zip(names, anchors(names, "model"), strict=True))
    findings = linked_findings(_recommended_first(summary), judged, places)
    # The baseline has learned nothing to plot.
    learned = [model.name for model in judged if model.role != "baseline"]
    full = sorted(learned, key=lambda name: name != summary.recommended)[:pictures]
    models = [
        _model(material, model, places[model.name], in_full=model.name in full)
        | {"findings": [each for each in findings if _concerns(each, model)]}
        for model in judged
    ]
    return {
        "summary": summary,
        "card": summary_card(summary, material.folder.name),
        "table": _table(summary),
        "evaluation": _evaluation(summary),
        "confidence": f"{100 * summary.settings.confidence:g}%",
        "rope": margin_text(summary.settings.rope, share=summary.metric.is_share),
        "board": leaderboard(summary, places),
        "metrics": all_metrics(summary, places),
        "done": models,
        "used": next((model for model in models if model["is_recommended"]), None),
        "full": len(full),
        "folder": material.folder.name,
        "files": _files(summary, places),
        "findings": findings,
        "drivers": driver_parts(summary),
        "failing": failure_parts(summary),
        "looks": look_pictures(material),
        "overlap": overlap_table(summary.diversity, {model.name: model.title for model in judged}),
        "data": _data(summary),
        "codes": occurring_codes(summary.findings, summary.table.profile.findings),
    }


def _recommended_first(summary: Summary) -> list[Finding]:
    """Return the findings about the table and the recommended model, then those about other models."""
    name = summary.recommended
    return sorted(summary.findings, key=lambda each: bool(each.models) and name not in each.models)


def _data(summary: Summary) -> dict[str, Any]:
    """Return the columns of the table, and what was found about them."""
    profile = summary.table.profile
    return {
        "columns": [(column, _values(column)) for column in profile.columns[:_COLUMNS]],
        "more": max(len(profile.columns) - _COLUMNS, 0),
        "has_missing": any(column.missing for column in profile.columns[:_COLUMNS]),
        "findings": profile.findings,
        "notes": ", ".join(summary.table.notes),
    }


def _model(material: Material, model: ModelResult, anchor: str, *, in_full: bool) -> dict[str, Any]:
    return {
        "anchor": anchor,
        "in_full": in_full,
        "confusion": None if model.confusion is None else confusion_table(model.confusion),
        "classes": [class_cells(each) for each in model.classes],
        **model_section(model, material.summary),
        **model_pictures(material, model, anchor, in_full=in_full),
    }


def _files(summary: Summary, model_anchors: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the file of every model, with notes on the recommended and the best one."""
    files = []
    for model in summary.judged:
        if model.delivered is None or model.delivered.file is None:
            continue
        is_used = model.name == summary.recommended
        notes = [f"recommended; also {summary.best_file}"] if is_used and summary.best_file else []
        is_best = model.name == summary.best
        also = f"; also {summary.most_accurate_file}" if summary.most_accurate_file else ""
        notes += [f"best score{also}"] if is_best else []
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
