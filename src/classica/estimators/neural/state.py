"""Neural networks."""

from __future__ import annotations

from itertools import pairwise

from classica.estimators.base.state_parts import CLASSES
from classica.estimators.neural.mlp import MLPClassifier
from classica.estimators.neural.mlp_network import Network
from classica.estimators.neural.mlp_passes import Passes
from classica.kinds import Array, Flag, ListOf, Number, Scope, Whole, Word
from classica.native.networks import PADDING
from classica.persist.description import RecordOf, describe_estimator, describe_record
from classica.persist.label_kinds import NAMES


def _check_network(network: Network, scope: Scope) -> None:
    ends = (
        len(network.sizes) >= 2
        and network.sizes[0] == scope.size("d")
        and network.sizes[-1] == scope.size("c")
    )
    scope.require(ends, "made from its columns to its classes", network.sizes)


describe_record(
    Network,
    {
        "sizes": ListOf(Whole(1, 2**40), made=tuple),
        "activation": Word("identity", "relu", "tanh", "logistic"),
        "center": Array("f8", "d"),
        "scale": Array("f8", "d"),
    },
    _check_network,
)


def _check_passes(passes: Passes, scope: Scope) -> None:
    needed = sum(
        (size + 1) * -(-after // PADDING) * PADDING for size, after in pairwise(passes.network.sizes)
    )
    scope.require(len(passes.parameters) == needed, f"made of {needed} parameters", len(passes.parameters))


describe_record(
    Passes,
    {
        "network": RecordOf(Network),
        "parameters": Array("f8", "p"),
        "rate": Number(),
        "first": Array("f8", "p"),
        "second": Array("f8", "p"),
        "steps": Whole(0),
        "count": Whole(0),
        "cases_seen": Whole(0),
        "losses": ListOf(Number(special=True)),
        "scores": ListOf(Number(special=True)),
    },
    _check_passes,
)


def _check_mlp(model: MLPClassifier, scope: Scope) -> None:
    scope.require(model._passes.losses, "made with the losses of its epochs", [])


describe_estimator(
    MLPClassifier, {**CLASSES, "_passes": RecordOf(Passes), "converged_": Flag()}, NAMES, _check_mlp
)
