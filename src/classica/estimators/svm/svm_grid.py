"""Many support vector machines on parts of one table: what they share is worked out once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from classica.arrays import MatrixLike
from classica.errors import ParameterError, must
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.grid_task import Scoring, as_indices, asks_for_answers_only, score_of
from classica.estimators.base.kernel_functions import Kernel, known_values
from classica.estimators.base.margins import binary_contests, class_margins
from classica.estimators.svm.dual_problems import DualProblem, class_variables, join_all
from classica.estimators.svm.svm_rules import require_finite, solver_rules, warn_unless_converged
from classica.native import Floats
from classica.native import kernels as native
from classica.native.svm_dual import Solution
from classica.params import check_parameters
from classica.targets import encode_labels

#: What a point of the grid may set.
SEARCHED = ("C", "kernel", "gamma", "coef0", "degree")

#: Two tables of kernel values of more rows than this would take gigabytes; then every fit is a fresh one.
MOST_ROWS = 10_000


@dataclass(frozen=True)
class Part:
    """One split: the rows to learn from, with the classes they have, and the rows to predict."""

    number: int
    train: NDArray[np.intp]
    test: NDArray[np.intp]
    data: TrainingData


class GridTask:
    """The scores of many parameters on the splits of one table."""

    def __init__(
        self, model: Any, data: TrainingData, points: list[Any], splits: list[Any], scoring: Scoring
    ):
        self.model, self.data, self.scoring = model, data, scoring
        self.threads: int = model._threads
        self.models = [_model_at(model, point) for point in points]
        self.parts = [self._part(number, *split) for number, split in enumerate(splits)]
        self._inner: dict[str, Floats] = {}  # distances and dot products of all rows
        self._room: Floats | None = None  # for the values of one kernel after the other

    def scores(self) -> Floats:
        """Return one row per point and one column per split."""
        table = np.empty((len(self.models), len(self.parts)))
        shared = [k for k, model in enumerate(self.models) if self._is_shared(model)]
        for kernel, points, parts in self._tasks(shared):
            self._score_kernel(kernel, points, parts, table)
        for k in sorted(set(range(len(self.models))) - set(shared)):
            table[k] = [self._fresh_score(self.models[k], part) for part in self.parts]
        return table

    def _is_shared(self, model: Any) -> bool:
        """Return whether a point's kernel values can be held, and its C has a next smaller one."""
        return (
            asks_for_answers_only(self.scoring)
            and len(self.data.codes) <= MOST_ROWS
            and bool(np.isfinite(model.C))
        )

    def _part(self, number: int, train: ArrayLike, test: ArrayLike) -> Part:
        train, test = (as_indices(rows) for rows in (train, test))
        part = self.data.take(train)
        classes, codes = encode_labels(self.data.classes[part.codes])
        return Part(number, train, test, TrainingData(part.X, classes, codes, None))

    def _tasks(self, points: list[int]) -> Iterator[tuple[Kernel, list[int], list[Part]]]:
        """Yield each kernel with its points, C ascending, and the splits it is the same for."""
        tasks: dict[Any, tuple[Kernel, dict[int, list[Part]]]] = {}
        for k in points:
            for part in self.parts:
                kernel = self.models[k]._kernel_of(part.data)
                name = (kernel.name, kernel.gamma, kernel.coef0, kernel.degree, kernel.function)
                _, members = tasks.setdefault(name, (kernel, {}))
                members.setdefault(k, []).append(part)
        for kernel, members in tasks.values():
            # A gamma that looks at the rows may be that of another point on some of the splits only.
            alike: dict[tuple[int, ...], list[int]] = {}
            for k, parts in members.items():
                alike.setdefault(tuple(part.number for part in parts), []).append(k)
            for numbers, same_parts in alike.items():
                ascending = sorted(same_parts, key=lambda k: float(self.models[k].C))
                yield kernel, ascending, [self.parts[number] for number in numbers]

    def _score_kernel(self, kernel: Kernel, points: list[int], parts: list[Part], scores: Floats) -> None:
        values = self._values(kernel)
        one_vs_all = self.model.multi_class == "one-vs-all"
        each = [
            class_variables(
                part.data.codes, len(part.data.classes), self.model._bounds(part.data), part.train, one_vs_all
            )
            for part in parts
        ]
        problem = DualProblem(values, None, join_all(each))
        rules = solver_rules(self.model, len(values))
        start = None
        for k, following in zip(points, [*points[1:], points[-1]], strict=True):
            C, next_C = float(self.models[k].C), float(self.models[following].C)
            solution = problem.solve(C, rules, self.threads, start)
            warn_unless_converged(self.model, solution)
            if kernel.is_inner_product:
                start = problem.stretched(solution, next_C / C)
            for part, score in zip(parts, self._scores(problem, solution, parts), strict=True):
                scores[k, part.number] = score

    def _scores(self, problem: DualProblem, solution: Solution, parts: list[Part]) -> Iterator[float]:
        one_vs_all = self.model.multi_class == "one-vs-all"
        weights = problem.spread(problem.variables.signs * solution.alpha, len(problem.rows))
        first = 0
        for part in parts:
            classes = len(part.data.classes)
            own = slice(first, first + len(binary_contests(classes, one_vs_all)))
            first = own.stop
            tested = part.test.astype(np.int64, copy=False)
            scores = native.known_kernel_scores(
                problem.rows, weights[own], solution.offset[own], self.threads, tested
            )
            answers = KnownMargins(part.data.classes, class_margins(scores, classes, one_vs_all))
            yield score_of(answers, self.data.X[part.test], self._labels[part.test], self.scoring)

    @property
    def _labels(self) -> NDArray[Any]:
        labels: NDArray[Any] = self.data.classes[self.data.codes]
        return labels

    def _values(self, kernel: Kernel) -> Floats:
        """Return the kernel values of all rows."""
        X = self.data.X
        if kernel.name == "precomputed":
            return known_values(X)
        if not kernel.is_native:
            return np.ascontiguousarray(kernel.matrix(X, X, self.threads))
        inner = "distances" if kernel.name == "rbf" else "centered" if kernel.name == "linear" else "dots"
        if inner not in self._inner:
            self._inner[inner] = self._inner_products(inner)
        rules = replace(kernel, center=None).rules
        self._room = native.kernel_of(self._inner[inner], rules, self.threads, self._room)
        require_finite(np.diag(self._room))
        return self._room

    def _inner_products(self, inner: str) -> Floats:
        rows = np.ascontiguousarray(self.data.X, dtype=np.float64)
        if inner != "dots":
            rows = rows - rows.mean(axis=0)  # distances do not mind, nor do binary classifiers with an offset
        if inner == "distances":
            return native.squared_distances(rows, self.threads)
        return Kernel("linear").matrix(rows, rows, self.threads)

    def _fresh_score(self, model: Any, part: Part) -> float:
        labels = self._labels
        X, tested = self.data.X, self.data.X[part.test]
        if model.kernel == "precomputed":
            X, tested = X[:, part.train], tested[:, part.train]
        fitted = clone(model).fit(X[part.train], labels[part.train])
        return score_of(fitted, tested, labels[part.test], self.scoring)


def _model_at(model: Any, point: Any) -> Any:
    """Return the model with the parameters of a point, checked."""
    for name in point:
        if name not in SEARCHED:
            raise ParameterError(must("points", f"dicts of {', '.join(SEARCHED)}", name))
    at_point = clone(model).set_params(**point)
    check_parameters(at_point)
    return at_point


class KnownMargins(ClassifierMixin, BaseEstimator):
    """Answers with given margins, whatever the rows: those of the one table it is asked about."""

    def __init__(self, classes: NDArray[Any], margins: Floats) -> None:
        self.classes = classes
        self.margins = margins

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels."""
        return self.classes

    def decision_function(self, X: MatrixLike) -> Floats:
        """Return the margins."""
        return self.margins

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        """Return the class of the highest margin; for two classes the second where it is positive."""
        two = self.margins.ndim == 1
        winners = (self.margins > 0).astype(np.intp) if two else self.margins.argmax(axis=1)
        labels: NDArray[Any] = self.classes[winners]
        return labels
