"""Print the result of a comparison: one screen, or everything."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from classica.comparison import ComparisonResult
from classica.comparison.results.leaderboard_text import board_lines, legend, reasons, top_models
from classica.comparison.results.metrics_text import class_lines, metric_lines
from classica.comparison.results.sentences import answer_sentences, incompleteness
from classica.comparison.results.summary import ModelResult, Summary
from classica.diagnosis.finding import Finding
from classica.interfaces.cli._comparison import resume_command
from classica.wording import counted

#: The page about a run, in its folder.
REPORT = "report.html"
#: Findings on the first screen.
_FINDINGS = 3


def show(result: ComparisonResult, *, quiet: bool = False, everything: bool = False) -> None:
    """Print the recommendation, the top models, the first findings and what to do next.

    Parameters
    ----------
    result : ComparisonResult
        The result.
    quiet : bool
        Whether only the recommendation is printed.
    everything : bool
        Whether all models, metrics and findings are printed.
    """
    console, summary = Console(highlight=False), result.summary
    _show_answer(console, summary, whole=quiet or everything)
    if quiet:
        return
    models = summary.judged if everything else top_models(summary)
    _show_board(console, summary, models)
    if everything:
        _print_all(console, [Text(line) for line in reasons(summary)])
        _show_metrics(console, summary)
        _show_findings(console, summary.findings)
    else:
        _show_more(console, summary, len(models))
        _show_first_findings(console, summary)
    _show_next(console, result, everything=everything)


def _show_answer(console: Console, summary: Summary, *, whole: bool) -> None:
    """Print the recommendation, its first sentence in bold; the first screen has what helps below."""
    told = answer_sentences(summary) if summary.recommendation is not None else [summary.answer]
    finding = _most_helpful(summary)
    left_out = "" if whole or finding is None else finding.remedy
    first, *others = [each for each in told if not (left_out and each.endswith(left_out))]
    console.print(Text.assemble((first, "bold"), " ", " ".join(others)) if others else Text(first, "bold"))


def _show_board(console: Console, summary: Summary, models: Sequence[ModelResult]) -> None:
    if not models:
        return
    # Names are cut only on a terminal; in a file there is room for them.
    wide, cut = console.width, console.is_terminal
    heading, *lines = board_lines(summary, wide, models, cut_names=cut)
    console.print()
    console.print(Text(heading, style="bold"), soft_wrap=True)
    for model, line in zip(models, lines, strict=True):
        is_used = model.name == summary.recommended
        console.print(Text(line, style="bold" if is_used else "" if model.tied else "dim"), soft_wrap=True)
    console.print(Text(legend(summary, wide, models, cut_names=cut), style="dim"))


def _show_more(console: Console, summary: Summary, shown: int) -> None:
    """Print how many models are not in the table."""
    states = {
        "evaluated": len(summary.judged) - shown,
        "dropped early": _many(summary, "eliminated"),
        "failed": _many(summary, "failed"),
        "not finished": _many(summary, "unfinished", "skipped"),
    }
    told = ", ".join(f"{count} {state}" for state, count in states.items() if count)
    if told:
        more = counted(sum(states.values()), "more model")
        console.print(Text(f"{more}: {told}.", style="dim"))


def _many(summary: Summary, *states: str) -> int:
    return sum(model.state in states for model in summary.models)


def _most_helpful(summary: Summary) -> Finding | None:
    told = summary.recommendation
    return next((each for each in summary.findings if told is not None and each.code == told.helps), None)


def _by_use(summary: Summary) -> list[Finding]:
    """Return the findings: what helps most, what else can be acted on, the others in their order."""
    first = _most_helpful(summary)
    return sorted(summary.findings, key=lambda each: (each is not first, not each.explanation.is_actionable))


def _show_first_findings(console: Console, summary: Summary) -> None:
    """Print the finding that helps most and the next ones, in a line or two each."""
    first, found = _most_helpful(summary), _by_use(summary)
    if found:
        console.print()
    for finding in found[:_FINDINGS]:
        mark = "What would help most: " if finding is first else ""
        head = f"{finding.code} {finding.title}"
        fact = _cut(f"{head}: {finding.detail}", console.width)
        console.print(Text.assemble((fact[: len(head)], "bold"), fact[len(head) :]), soft_wrap=True)
        if finding.remedy:
            console.print(Text(_cut(f"  {mark}{finding.remedy}", console.width)), soft_wrap=True)


def _cut(text: str, width: int) -> str:
    """Return a text in one line, cut at a word."""
    indent = " " * (len(text) - len(text.lstrip()))
    return indent + textwrap.shorten(
        text, max(width - len(indent), 20), placeholder=" …", break_on_hyphens=False
    )


def _show_metrics(console: Console, summary: Summary) -> None:
    """Print all metrics of all models, and the classes of the recommended or the best model."""
    lines = metric_lines(summary, console.width)
    if lines:
        _print_titled(console, "Metrics of held-out predictions", lines)
    model = summary.model(summary.recommended) or summary.model(summary.best)
    if model is not None and model.classes:
        level = f"{100 * summary.settings.confidence:g}% CI"
        _print_titled(console, f"Classes: {model.title} ({level} in brackets)", class_lines(model))


def _print_titled(console: Console, title: str, lines: Sequence[str]) -> None:
    console.print()
    console.print(Text(title, style="bold"), soft_wrap=True)
    _print_all(console, [Text(line) for line in lines], soft_wrap=True)


def _show_findings(console: Console, findings: Sequence[Finding]) -> None:
    for finding in findings:
        console.print()
        text = f"  {finding.detail} {finding.remedy}".rstrip()
        console.print(Text.assemble((f"{finding.code} {finding.title}", "bold"), text))


def _show_next(console: Console, result: ComparisonResult, *, everything: bool) -> None:
    """Print what to type next, and where the files are."""
    summary, folder = result.summary, result.folder
    steps: list[tuple[str, str]] = []
    if incompleteness(summary):
        steps.append(("Finish the run", resume_command(folder)))
    if summary.best_file:
        best = _quoted(folder / summary.best_file)
        steps.append(("Predict new rows", f"classica predict {best} TABLE"))
        steps.append(("Explain the model", f"classica explain {best}"))
        steps.append(("Model card", f"classica card {best}"))
    if summary.most_accurate_file:
        steps.append(("Most accurate", str(folder / summary.most_accurate_file)))
    if summary.findings:
        steps.append(("Explain a code", f"classica codes {_by_use(summary)[0].code}"))
    if not everything:
        steps.append(("Everything", f"classica report {_quoted(folder)} --all"))
    if (folder / REPORT).exists():
        steps.append(("Report with plots", str(folder / REPORT)))
    else:
        steps.append(("Run folder", str(folder)))
    console.print()
    width = max(len(what) for what, _ in steps) + 2
    _print_all(
        console, [Text(f"{what + ':':<{width}}{how}", style="dim") for what, how in steps], soft_wrap=True
    )


def _quoted(path: object) -> str:
    return shlex.quote(str(path))


def _print_all(console: Console, lines: Iterable[Text], *, soft_wrap: bool = False) -> None:
    for line in lines:
        console.print(line, soft_wrap=soft_wrap)
