"""Cards of classifiers, and the decorator that registers them.

A card holds what cannot be derived from the class; everything else (name, parameters, defaults, ranges,
supported data) is derived. The registry is filled by importing estimators and read through
`classica.catalog`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sklearn.utils import get_tags

from classica.errors import PluginError, must

#: The families in the order in which they are listed; a plug-in may add its own.
FAMILIES = (
    "neighbours",
    "gaussian",
    "bayes",
    "linear",
    "kernel",
    "trees",
    "ensembles",
    "neural",
    "multiclass",
    "baseline",
)


@dataclass(frozen=True)
class Parameter:
    """One constructor parameter, as the catalog shows it."""

    name: str
    default: Any
    rule: str
    description: str


@dataclass(frozen=True)
class FitTime:
    """The approximate time of a fit, which a comparison uses for planning until it has measured one.

    Attributes
    ----------
    seconds : float
        Time to fit 1,000 rows of 20 numeric columns and two classes with default parameters on one core, and
        to predict half as many rows.
    rows, columns, classes : float
        The exponents with which it grows.
    grid : float
        The number of such fits that the whole search grid takes, with shared work counted once.
    """

    seconds: float
    rows: float = 1.0
    columns: float = 1.0
    classes: float = 0.0
    grid: float = 1.0

    def predicted(self, rows: int, columns: int, classes: int) -> float:
        """Return the seconds of one fit on a table of a given size.

        Examples
        --------
        >>> round(FitTime(0.01, rows=2.0).predicted(4000, 20, 2), 2)
        0.16
        """
        size = (rows / 1000) ** self.rows * (columns / 20) ** self.columns
        return float(self.seconds * size * (max(classes, 2) / 2) ** self.classes)


#: The default of plug-ins that do not state it.
_UNKNOWN_TIME = FitTime(0.02, rows=1.5)


@dataclass(frozen=True)
class Card:
    """The description of a classifier; see `register` for the fields."""

    estimator: type[Any]
    slug: str
    family: str
    rule: str
    plain_rule: str
    source: str
    fit_cost: str
    predict_cost: str
    grid: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    test_parameters: Sequence[Mapping[str, Any]] = ({},)
    fit_time: FitTime = _UNKNOWN_TIME
    title: str = ""

    def __post_init__(self) -> None:
        if not self.title:
            object.__setattr__(self, "title", _title_of(self.name))

    @property
    def name(self) -> str:
        """The public class name."""
        return self.estimator.__name__

    @property
    def summary(self) -> str:
        """The first sentence of the docstring."""
        return inspect.cleandoc(self.estimator.__doc__ or "").split("\n\n")[0].replace("\n", " ")

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The constructor's parameters with defaults, rules and descriptions."""
        rules = getattr(self.estimator, "parameter_rules", {})
        described = _described_parameters(inspect.getdoc(self.estimator) or "")
        signature = inspect.signature(self.estimator)
        return tuple(
            Parameter(name, p.default, str(rules.get(name, "")), described.get(name, ""))
            for name, p in signature.parameters.items()
        )

    @property
    def takes(self) -> tuple[str, ...]:
        """The kinds of data that it supports, as words, from its tags."""
        tags = get_tags(self.build())
        kinds = {
            "numeric columns": True,
            "categorical columns": tags.input_tags.categorical,
            "missing values": tags.input_tags.allow_nan,
            "sparse matrices": tags.input_tags.sparse,
            "more than two classes": tags.classifier_tags and tags.classifier_tags.multi_class,
        }
        return tuple(kind for kind, taken in kinds.items() if taken)

    @property
    def learns_online(self) -> tuple[str, ...]:
        """Which of ``partial_fit``, ``merge`` and ``forget`` it has with default parameters."""
        model = self.build()
        return tuple(name for name in ("partial_fit", "merge", "forget") if hasattr(model, name))

    def build(self, **parameters: object) -> Any:
        """Return a new estimator."""
        return self.estimator(**parameters)

    def record(self) -> dict[str, Any]:
        """Return the card as plain JSON values."""
        return {
            "slug": self.slug,
            "title": self.title,
            "class": self.name,
            "family": self.family,
            "summary": self.summary,
            "rule": self.rule,
            "plain_rule": self.plain_rule,
            "source": self.source,
            "fit_cost": self.fit_cost,
            "predict_cost": self.predict_cost,
            "takes": list(self.takes),
            "learns_online": list(self.learns_online),
            "parameters": [vars(p) | {"default": _plain(p.default)} for p in self.parameters],
            "grid": {name: [_plain(v) for v in values] for name, values in self.grid.items()},
        }


_cards: dict[str, Card] = {}
_Estimator = TypeVar("_Estimator", bound=type[Any])


def register(
    *,
    slug: str,
    family: str,
    rule: str,
    plain_rule: str,
    source: str,
    fit_cost: str,
    predict_cost: str,
    grid: Mapping[str, Sequence[Any]] | None = None,
    test_parameters: Sequence[Mapping[str, Any]] = ({},),
    fit_time: FitTime = _UNKNOWN_TIME,
    title: str = "",
) -> Callable[[_Estimator], _Estimator]:
    r"""Register the decorated estimator class under its slug.

    Parameters
    ----------
    slug : str
        Its name on the command line, such as ``nearest-mean``.
    family : str
        One of `FAMILIES`, or a plug-in's own.
    rule : str
        The decision rule as LaTeX; the class docstring must contain it.
    plain_rule : str
        The same rule in one line of plain text, for the terminal.
    source : str
        The lecture or paper it comes from.
    fit_cost, predict_cost : str
        The complexity in n rows, d columns and C classes, such as ``O(n d)``.
    grid : mapping, optional
        The default search grid.
    test_parameters : sequence of mappings
        The settings that the contract tests use; cheap, and together covering all variants.
    fit_time : FitTime, optional
        The approximate, measured time of a fit.
    title : str, optional
        The display name in tables, sentences and plots, such as "nearest mean"; by default the words of the
        class name.
    """

    def file_card(estimator: _Estimator) -> _Estimator:
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", slug):
            raise PluginError(must("slug", "lower-case words joined by hyphens", slug))
        other = _cards.get(slug)
        if other and (other.estimator.__module__, other.name) != (estimator.__module__, estimator.__name__):
            raise PluginError(must(f"The slug {slug!r}", f"used by {other.name} only", estimator.__name__))
        _list_words(estimator)
        _cards[slug] = Card(
            estimator,
            slug,
            family,
            rule,
            plain_rule,
            source,
            fit_cost,
            predict_cost,
            grid or {},
            tuple(test_parameters),
            fit_time,
            title,
        )
        return estimator

    return file_card


def registered() -> tuple[Card, ...]:
    """Return the registered cards, by family and then slug."""

    def rank(card: Card) -> tuple[int, str, str]:
        listed = card.family in FAMILIES
        return FAMILIES.index(card.family) if listed else len(FAMILIES), card.family, card.slug

    return tuple(sorted(_cards.values(), key=rank))


def _title_of(name: str) -> str:
    """Return the words of a class name, without "Classifier" or "Regressor".

    Examples
    --------
    >>> _title_of("ClosestWinsClassifier")
    'closest wins'
    """
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", re.sub(r"(Classifier|Regressor)$", "", name))
    return " ".join(word if len(word) > 1 and word.isupper() else word.lower() for word in words)


def _plain(value: object) -> Any:
    plain = value is None or isinstance(value, bool | int | float | str)
    return value if plain else repr(value)


def _list_words(estimator: type[Any]) -> None:
    """Replace ``{...}`` after a parameter's name in the docstring by the words of its rule."""
    rules = getattr(estimator, "parameter_rules", {})

    def with_words(entry: re.Match[str]) -> str:
        words = ", ".join(f'"{word}"' for word in rules[entry["name"]].words)
        return f"{entry['head']}{{{words}}}"

    if estimator.__doc__:
        listed = r"^(?P<head> *(?P<name>\w+) : )\{\.\.\.\}"
        estimator.__doc__ = re.sub(listed, with_words, estimator.__doc__, flags=re.M)


def _described_parameters(docstring: str) -> dict[str, str]:
    """Return the first paragraph about each entry of a numpydoc Parameters section."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[^\n]*\n-+\n|\Z)", docstring, re.M | re.S)
    if not section:
        return {}
    entries = re.split(r"^(\w[\w, ]*) : [^\n]*\n", section[1], flags=re.M)[1:]
    texts = zip(entries[::2], entries[1::2], strict=True)
    return {
        name.strip(): " ".join(inspect.cleandoc(text).split("\n\n")[0].split())
        for names, text in texts
        for name in names.split(",")
    }
