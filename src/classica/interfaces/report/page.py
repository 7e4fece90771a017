"""From the summary of a comparison to a page of HTML: all that is shown is in the summary or its run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from classica.comparison import Compared
from classica.comparison.sentences import shown
from classica.data.wording import counted
from classica.errors import DataError, ParameterError, must
from classica.interfaces.codes import occurring_codes
from classica.interfaces.report.confusion_table import confusion_table
from classica.interfaces.report.interval_bar import Scale, interval_bar
from classica.interfaces.report.links import anchors, linked_findings
from classica.interfaces.report.material import Material
from classica.interfaces.report.model_section import model_section
from classica.interfaces.report.overlap_table import overlap_table
from classica.interfaces.report.pictures import look_pictures, model_pictures
from classica.params import Integer
from classica.whole_file import whole_file

REPORT = "report.html"

#: Models tied for best that get all pictures; the others have sketches, and can be drawn on request.
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
        How many of the models tied for best get all pictures.
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
    summary, done = material.summary, material.done
    profile = summary["table"]["profile"]
    names = [entry["name"] for entry in done]
    places = dict(zip(names, anchors(names, "model"), strict=True))
    findings = linked_findings(summary["findings"], done, places)
    # There is nothing to see in what guesses.
    full = [entry["name"] for entry in done if entry["tied"] and entry["family"] != "floor"][:pictures]
    return {
        "css": Markup(_template("report.css")),
        "summary": summary,
        "table": _table(summary),
        "judged": _judged(summary),
        "confidence": f"{100 * summary['settings']['confidence']:g} %",
        "rope": shown(summary["settings"]["rope"], share=summary["metric"]["is_share"]),
        "scale": Scale.of(summary) if done else None,
        "done": [
            _model(material, entry, places[entry["name"]], in_full=entry["name"] in full)
            | {"findings": [each for each in findings if _speaks_of(each, entry)]}
            for entry in done
        ],
        "full": len(full),
        "folder": material.folder.name,
        "files": _files(summary, done, places),
        "failed": [entry for entry in summary["models"] if entry["status"] != "done"],
        "findings": findings,
        "looks": look_pictures(material),
        "overlap": overlap_table(summary.get("diversity"), {entry["name"]: entry["title"] for entry in done}),
        "columns": [column | {"told": _values(column)} for column in profile["columns"][:_COLUMNS]],
        "more_columns": max(len(profile["columns"]) - _COLUMNS, 0),
        "data_findings": profile["findings"],
        "codes": occurring_codes(findings, profile["findings"]),
        "notes": ", ".join(summary["table"]["notes"]),
    }


def _model(material: Material, entry: Mapping[str, Any], place: str, *, in_full: bool) -> dict[str, Any]:
    summary = material.summary
    return {
        "place": place,
        "in_full": in_full,
        "picture": interval_bar(entry, Scale.of(summary)),
        "confusion": confusion_table(entry["confusion"]),
        **model_section(entry, summary),
        **model_pictures(material, entry, place, in_full=in_full),
    }


def _files(
    summary: Mapping[str, Any], done: Sequence[Mapping[str, Any]], places: Mapping[str, str]
) -> list[dict[str, str]]:
    """Return where the file of every model is; the best one has a second."""
    share = summary["metric"]["is_share"]
    best = summary["best_file"]
    return [
        {
            "place": places[entry["name"]],
            "title": entry["title"],
            "mean": shown(entry["score"]["mean"], share=share),
            "file": entry["file"],
            "also": f" (also {best})" if best and entry["name"] == summary["best"] else "",
        }
        for entry in done
        if entry["file"] is not None
    ]


def _speaks_of(finding: Mapping[str, Any], entry: Mapping[str, Any]) -> bool:
    return any(model["name"] == entry["name"] for model in finding["models"])


def _table(summary: Mapping[str, Any]) -> dict[str, Any]:
    table = summary["table"]
    classes = table["classes"]
    shares = ", ".join(f"{each['label']} {each['rows'] / table['rows']:.1%}" for each in classes[:8])
    more = f" and {len(classes) - 8} more" if len(classes) > 8 else ""
    return {
        **table,
        "source_name": Path(str(table["source"])).name,
        "rows_told": counted(table["rows"], "row"),
        "features_told": counted(table["features"], "feature"),
        "classes_told": f"{counted(len(classes), 'class', 'classes')}: {shares}{more}",
    }


def _judged(summary: Mapping[str, Any]) -> str:
    settings, folds = summary["settings"], summary["folds"]
    tuned = (
        f"parameters chosen inside each training part by {settings['inner_folds']} folds"
        if settings["tune"]
        else "parameters as they come"
    )
    kind = "in order of time" if settings["time"] else "by group" if settings["groups"] else "stratified"
    told = "" if folds["counted"] == folds["planned"] else f" (of {folds['planned']} planned)"
    return f"Judged by {folds['counted']} folds{told}, {kind}, {tuned}."


def _values(column: dict[str, Any]) -> str:
    """Return levels with counts, or the range, shortened for a table."""
    if column["counts"]:
        ordered = sorted(column["counts"], key=lambda pair: -pair[1])
        more = f", and {len(ordered) - 8} more" if len(ordered) > 8 else ""
        return ", ".join(f"{value} {count:,}" for value, count in ordered[:8]) + more
    if column["mean"] is not None:
        return f"{column['low']:.6g} to {column['high']:.6g}, mean {column['mean']:.6g}"
    if column["low"] is not None:
        return f"{column['low']} to {column['high']}"
    return f"{column['different']:,} different"
