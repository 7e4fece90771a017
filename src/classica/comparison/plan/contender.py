"""A classifier that takes part in a comparison: its name, its fixed parameters, and how it is built."""

from __future__ import annotations

import ast
import hashlib
import importlib
import inspect
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sklearn.base import is_classifier

from classica import catalog
from classica.errors import ParameterError, must
from classica.params import check_parameters
from classica.registry import Card, FitTime
from classica.sklearn_names import parameter_hint

#: Wrappers that differ from the classifier inside only where there are more than two classes.
_FOR_MANY_CLASSES = ("one-vs-all", "all-vs-all")

#: The reference: what a user of scikit-learn would train without a comparison.
REFERENCE = "hist-gradient-boosting"
_REFERENCE_CLASS = "sklearn.ensemble:HistGradientBoostingClassifier"
_REFERENCE_TITLE = "gradient boosting (scikit-learn)"
_REFERENCE_ABOUT = "scikit-learn's histogram gradient boosting: a reference, not a model of this package."

#: Measured on tables of 150 to 45,000 rows and 4 to 719 columns.
_REFERENCE_TIME = FitTime(0.25, rows=0.5, columns=0.7, classes=1.0)
#: What is assumed of classifiers of other packages.
_UNKNOWN_TIME = FitTime(0.05, rows=1.2)

_FORM = "a slug listed by classica models or module:Class, with parameters such as knn(n_neighbors=7)"
_SLUG = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
_CLASS = r"\w[\w-]*(?:\.\w[\w-]*)*:\w+"
_WITHOUT_PARAMETERS = re.compile(rf"{_SLUG}|{_CLASS}")
#: Names are kept in file names, unit keys and commands: nothing there may be a path or break a line.
_LONGEST = 200
_FORBIDDEN = ("/", "\\", "..")
#: Letters of a name that are kept in the name of a file, for people who look into the folder.
_READABLE = 60


@dataclass(frozen=True)
class Contender:
    """A classifier by its name: a slug of the catalog or ``module:Class``, with parameters in parentheses.

    Attributes
    ----------
    name : str
        The canonical name: parameters in the order in which they were given, without spaces.

    Examples
    --------
    >>> Contender("knn( n_neighbors = 7, weights = 'distance' )").name
    "knn(n_neighbors=7,weights='distance')"
    >>> Contender("knn(n_neighbors=7)").parameters
    {'n_neighbors': 7}
    """

    name: str

    def __post_init__(self) -> None:
        canonical = _canonical(*_parsed(self.name))
        _parsed(canonical)  # adjacent strings are one now, and must not get past the checks in two parts
        object.__setattr__(self, "name", canonical)

    @cached_property
    def base(self) -> str:
        """The name without parameters: a slug, or ``module:Class``."""
        return self.name.partition("(")[0]

    @cached_property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters that are fixed: tuning leaves them alone."""
        return _parsed(self.name)[1]

    @property
    def is_reference(self) -> bool:
        """Whether it is the reference model, which is not in the catalog."""
        return self.base == REFERENCE

    @property
    def is_foreign(self) -> bool:
        """Whether it is found by importing ``module:Class``, so that running it takes trust."""
        return ":" in self.base

    @property
    def is_ours(self) -> bool:
        """Whether it is in the catalog."""
        return not self.is_foreign and not self.is_reference

    @property
    def card(self) -> Card | None:
        """The card of the catalog; None for a third-party classifier."""
        return _card(self.base) if self.is_ours else None

    @property
    def title(self) -> str:
        """What people call it: the name on its card, or the class of a third party; then fixed parameters."""
        own = _REFERENCE_TITLE if self.is_reference else self.base.rpartition(":")[2]
        name = self.card.title if self.card else own
        fixed = ", ".join(f"{each}={_literal(value)}" for each, value in self.parameters.items())
        return f"{name} ({fixed})" if fixed else name

    @property
    def fit_time(self) -> FitTime:
        """About how long a fit takes, as its card states it."""
        if self.card:
            return self.card.fit_time
        return _REFERENCE_TIME if self.is_reference else _UNKNOWN_TIME

    @property
    def family(self) -> str:
        """The family of the catalog, or the package of a third-party classifier."""
        return self.card.family if self.card else self._class_path.partition(":")[0].split(".")[0]

    @property
    def about(self) -> str:
        """What it is, in a sentence."""
        if self.is_reference:
            return _REFERENCE_ABOUT
        fixed = ", ".join(f"{name}={_literal(value)}" for name, value in self.parameters.items())
        if self.card:
            return f"{self.card.summary} Fixed: {fixed}." if fixed else self.card.summary
        rest = f"{fixed} and otherwise default parameters" if fixed else "its default parameters"
        return f"{self.base}, with {rest}."

    @property
    def grid(self) -> Mapping[str, Sequence[Any]]:
        """The parameters to tune and their values, without those that are fixed; empty for third parties."""
        grid = self.card.grid if self.card else {}
        return {name: values for name, values in grid.items() if name not in self.parameters}

    @property
    def file_name(self) -> str:
        """A name for its files: different for every contender, also where case does not count.

        Examples
        --------
        >>> Contender("random-forest").file_name
        'random-forest'
        >>> Contender("knn(n_neighbors=7)").file_name
        'knn-n_neighbors-7.a6b55f3a9b38'
        """
        if self.name == self.base and not self.is_foreign:
            return self.name
        readable = re.sub(r"[^A-Za-z0-9_.]+", "-", self.name)[:_READABLE].strip("-.") or "model"
        # A slug has no dot, so that no other name can look like this one.
        return f"{readable}.{hashlib.sha256(self.name.encode()).hexdigest()[:12]}"

    def build(self, seed: int) -> Any:
        """Return the classifier with its fixed parameters, seeded and kept to one core."""
        estimator = self._created()
        if not is_classifier(estimator):
            raise ParameterError(must("A model", "a classifier", self.base))
        known = estimator.get_params(deep=True)
        self._require_known(known)
        drawn = {name: value for name, value in {"random_state": seed, "n_jobs": 1}.items() if name in known}
        return estimator.set_params(**{**drawn, **self.parameters})

    @property
    def _class_path(self) -> str:
        return _REFERENCE_CLASS if self.is_reference else self.base

    def _created(self) -> Any:
        """Return the estimator, its own parameters checked by its rules where it states them."""
        made = self.card.estimator if self.card else _imported(self._class_path)
        own = {name: value for name, value in self.parameters.items() if "__" not in name}
        accepted = inspect.signature(made).parameters
        if not any(each.kind is each.VAR_KEYWORD for each in accepted.values()):
            self._require_known(accepted, own)
        try:
            estimator = made(**own)
        except Exception as error:  # whatever a third-party class raises
            raise ParameterError(f"Cannot create {self.name}: {str(error).rstrip('.')}.") from None
        if hasattr(made, "parameter_rules"):
            check_parameters(estimator)
        return estimator

    def _require_known(self, known: Iterable[str], given: Iterable[str] | None = None) -> None:
        there = [name for name in known if name not in ("random_state", "n_jobs")]
        for name in self.parameters if given is None else given:
            if name not in known:
                rule = f"one of {', '.join(each for each in there if '__' not in each) or 'none'}"
                owner = self.card.name if self.card else self.base
                hint = parameter_hint(owner, name, there)
                raise ParameterError(must(f"A parameter of {self.base}", rule, name) + hint)


def titles(names: Iterable[str]) -> dict[str, str]:
    """Return what contenders are called in tables and sentences: each another name.

    Examples
    --------
    >>> titles(["lda", "a:Tree", "a:Forest", "b:Tree"])
    {'lda': 'LDA', 'a:Tree': 'a:Tree', 'a:Forest': 'Forest', 'b:Tree': 'b:Tree'}
    >>> titles(["knn(n_neighbors=7)", "sklearn.svm:SVC(C=10)"])
    {'knn(n_neighbors=7)': 'k-NN (n_neighbors=7)', 'sklearn.svm:SVC(C=10)': 'SVC (C=10)'}
    """
    short = {name: Contender(name).title for name in names}
    times = Counter(short.values())
    return {name: title if times[title] == 1 else name for name, title in short.items()}


def foreign_models(names: Iterable[str]) -> list[str]:
    """Return the classes that are found by import, each once and without parameters.

    Examples
    --------
    >>> foreign_models(["lda", "sklearn.svm:SVC(C=10)", "sklearn.svm:SVC"])
    ['sklearn.svm:SVC']
    """
    found = map(Contender, names)
    return list(dict.fromkeys(contender.base for contender in found if contender.is_foreign))


def all_contenders(classes: int) -> list[Contender]:
    """Return every classifier of the catalog that makes sense for so many classes."""
    classifiers = [card.slug for card in catalog.cards() if is_classifier(card.build())]
    return [Contender(slug) for slug in classifiers if classes > 2 or slug not in _FOR_MANY_CLASSES]


def reference_contender() -> Contender:
    """Return the reference: scikit-learn's histogram gradient boosting, as it is by default."""
    return Contender(REFERENCE)


def named_contenders(names: str | Iterable[str]) -> list[Contender]:
    """Return the contenders of these names, in text or in a list; each must be there, and once."""
    listed = split_models(names) if isinstance(names, str) else list(names)
    found = [Contender(name) for name in listed if not isinstance(name, str) or name.strip()]
    if not found:
        raise ParameterError(must("models", "at least one classifier", listed))
    seen: set[str] = set()
    for contender in found:
        # The same parameters in another order are the same model.
        same = _canonical(contender.base, dict(sorted(contender.parameters.items())))
        if same in seen:
            raise ParameterError(must("models", "different classifiers", contender.name))
        seen.add(same)
        contender.build(0)
    return found


def split_models(text: str) -> list[str]:
    """Return the models in a text: divided at commas outside of parentheses and quotes.

    Examples
    --------
    >>> split_models("knn(n_neighbors=7,p=1), c45")
    ['knn(n_neighbors=7,p=1)', 'c45']
    """
    parts, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        else:
            depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not quote and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    if depth or quote:
        raise ParameterError(must("models", "a list with closed parentheses and quotes", text))
    return [part.strip() for part in parts if part.strip()]


def is_canonical(name: str) -> bool:
    """Return whether a text is the name of a contender, written exactly as `Contender` writes it."""
    try:
        return _canonical(*_parsed(name)) == name
    except ParameterError:
        return False


def _parsed(text: Any) -> tuple[str, dict[str, Any]]:
    """Return the name without parameters, and the parameters: literals only, no code is run."""
    if not isinstance(text, str):
        raise ParameterError(must("A model", _FORM, text))
    name = text.strip()
    if len(name) > _LONGEST or not name.isprintable() or any(each in name for each in _FORBIDDEN):
        raise ParameterError(must("A model", _FORM, text))
    base, parenthesis, rest = name.partition("(")
    base = base.rstrip()
    if not _WITHOUT_PARAMETERS.fullmatch(base):
        raise ParameterError(must("A model", _FORM, text) + catalog.suggestion(base))
    if parenthesis and not rest.endswith(")"):
        raise ParameterError(must("A model", _FORM, text))
    return base, _literals(rest[:-1], text) if parenthesis else {}


def _literals(inside: str, text: str) -> dict[str, Any]:
    try:
        call = ast.parse(f"_({inside})", mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
            raise ValueError
        values = {str(each.arg): ast.literal_eval(each.value) for each in call.keywords if each.arg}
        if len(values) != len(call.keywords):
            raise ValueError
        for value in values.values():
            _literal(value)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        rule = "name=value with plain values, such as knn(n_neighbors=7) or svm(kernel='linear')"
        raise ParameterError(must("The parameters of a model", rule, text)) from None
    return values


def _canonical(base: str, parameters: Mapping[str, Any]) -> str:
    if not parameters:
        return base
    return f"{base}({','.join(f'{name}={_literal(value)}' for name, value in parameters.items())})"


def _literal(value: Any) -> str:
    """Return the text of a plain value without spaces; `ValueError` for anything else."""
    if value is None or isinstance(value, bool | int | str):
        return repr(value)
    if isinstance(value, float):
        return repr(value).replace("inf", "1e999")  # the literal that is infinite
    if isinstance(value, list):
        return f"[{','.join(map(_literal, value))}]"
    if isinstance(value, tuple):
        return f"({','.join(map(_literal, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, dict):
        return f"{{{','.join(f'{_literal(key)}:{_literal(each)}' for key, each in value.items())}}}"
    raise ValueError(f"{value!r} is no plain value")


def _card(slug: str) -> Card:
    by_slug = {card.slug: card for card in catalog.cards()}
    if slug not in by_slug:
        raise ParameterError(must("A model", _FORM, slug) + catalog.suggestion(slug))
    return by_slug[slug]


def _imported(name: str) -> type[Any]:
    module, _, class_name = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), class_name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ParameterError(f"Cannot import the model {name!r}: {str(error).rstrip('.')}.") from None
    if not isinstance(found, type):
        raise ParameterError(must("A model", "a slug listed by classica models or module:Class", name))
    return found
