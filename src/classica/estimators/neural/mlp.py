r"""A neural network: layers of neurons, and a softmax that makes posteriors of what the last one says.

.. math:: P(c \mid x) = \frac{e^{s_c(x)}}{\sum_k e^{s_k(x)}}, \quad
          s(x) = W_L \, f(\cdots f(W_1 x + b_1) \cdots) + b_L
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.metaestimators import available_if

from classica import native
from classica.arrays import MatrixLike, Rows, VectorLike
from classica.columns import Accepts
from classica.errors import DataError, must
from classica.estimators.base.class_weights import class_weights
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.log_joint import LogJoint
from classica.estimators.neural.mlp_lbfgs import learn_at_once
from classica.estimators.neural.mlp_network import LayerSizes, Network
from classica.estimators.neural.mlp_passes import Passes, PassRules
from classica.estimators.neural.mlp_rows import Cases
from classica.native import Floats
from classica.native.networks import ACTIVATIONS
from classica.params import (
    N_JOBS,
    Boolean,
    ClassWeight,
    Dictionary,
    Integer,
    Nothing,
    OneOf,
    RandomState,
    Real,
    Rule,
    Seed,
)
from classica.registry import FitTime, register
from classica.shown_arrays import read_only
from classica.targets import label_union

_BELOW_ONE = 1.0 - 2.0**-53


def _can_go_on(model: MLPClassifier) -> bool:
    return bool(model.solver != "lbfgs" and model.class_weight != "balanced")


@register(
    slug="mlp",
    title="neural network",
    family="neural",
    rule=r"P(c \mid x) = \frac{e^{s_c(x)}}{\sum_k e^{s_k(x)}}, \quad "
    r"s(x) = W_L \, f(\cdots f(W_1 x + b_1) \cdots) + b_L",
    plain_rule="P(c|x) = softmax of s(x), with s(x) = W2 f(W1 x + b1) + b2 for one hidden layer",
    source="T, R: neural networks, by name only; Glorot and Bengio (2010); Kingma and Ba (2015): Adam",
    fit_cost="O(n p) per pass, p weights",
    predict_cost="O(p) per row",
    grid={"hidden_layer_sizes": [(20,), (100,)], "alpha": [1.0, 0.01, 1e-4]},
    test_parameters=(
        {"hidden_layer_sizes": (10,), "learning_rate_init": 0.03, "tol": 0.01, "n_iter_no_change": 3},
        {"hidden_layer_sizes": 4, "activation": "tanh", "solver": "lbfgs", "alpha": 5.0, "max_iter": 5000},
        {
            "hidden_layer_sizes": (6, 5),
            "activation": "logistic",
            "solver": "sgd",
            "learning_rate": "adaptive",
            "learning_rate_init": 0.5,
            "batch_size": 20,
            "early_stopping": True,
            "n_iter_no_change": 2,
            "class_weight": "balanced",
        },
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.051, rows=1.0, columns=0.2, classes=0.2, grid=4.1),
)
class MLPClassifier(LogJoint):
    r"""Train a feed-forward neural network with hidden layers by gradient descent.

    Each layer multiplies its input by a weight matrix, adds biases and applies an activation function f. The
    last layer gives a score per class, and a softmax turns scores into posteriors:

    .. math:: P(c \mid x) = \frac{e^{s_c(x)}}{\sum_k e^{s_k(x)}}, \quad
              s(x) = W_L \, f(\cdots f(W_1 x + b_1) \cdots) + b_L

    Training minimises the mean loss :math:`-\log P(y_i \mid x_i)` plus an L2 penalty,

    .. math:: E = \frac1n \Big( \sum_i -\log P(y_i \mid x_i) + \frac\alpha2 \sum_l \lVert W_l \rVert^2 \Big)

    starting from random weights, with gradients computed by backpropagation. Adam and SGD take a step per
    mini-batch (n is then the size of the batch), L-BFGS per pass over all rows.

    Parameters
    ----------
    hidden_layer_sizes : int or sequence of int, default=(100,)
        Number of neurons in each hidden layer; without hidden layers: multinomial logistic regression.
    activation : {...}, default="relu"
        Activation function: max(0, s), tanh(s), 1 / (1 + exp(-s)), or s itself.
    solver : {"adam", "sgd", "lbfgs"}, default="adam"
        The optimiser: Adam; stochastic gradient descent with momentum; or L-BFGS on all rows at once, for up
        to some thousand rows.
    alpha : float, default=1e-4
        Strength of the L2 penalty.
    batch_size : int or "auto", default="auto"
        Rows per mini-batch of Adam and SGD; "auto": 200, or all if there are fewer.
    learning_rate : {"constant", "invscaling", "adaptive"}, default="constant"
        Learning-rate schedule of SGD: constant; decreasing as 1 / t^power_t after t rows; or divided by five
        whenever there is no progress, down to 1e-6.
    learning_rate_init : float, default=0.001
        Initial learning rate of Adam and SGD.
    power_t : float, default=0.5
        The exponent of "invscaling".
    max_iter : int, default=200
        Maximum number of epochs; for L-BFGS of iterations.
    shuffle : bool, default=True
        Whether the rows are shuffled before every epoch; otherwise only before the first.
    tol : float, default=1e-4
        Improvements below it count as no progress; L-BFGS stops when every component of the gradient is below
        it.
    momentum : float, default=0.9
        Momentum of SGD.
    nesterovs_momentum : bool, default=True
        Whether SGD uses Nesterov's momentum.
    early_stopping : bool, default=False
        Whether Adam and SGD measure progress by the accuracy on held-out rows, and keep the best weights;
        otherwise by the loss.
    validation_fraction : float, default=0.1
        Fraction of each class that is held out.
    beta_1, beta_2 : float, default=0.9 and 0.999
        Decay rates of Adam's moment estimates.
    epsilon : float, default=1e-8
        Term that keeps Adam from dividing by zero.
    n_iter_no_change : int, default=10
        Number of epochs without progress after which training stops.
    max_fun : int, default=15000
        Maximum number of loss evaluations by L-BFGS.
    standardize : bool, default=True
        Whether columns are first standardised to mean 0 and variance 1. Without it columns with large values
        dominate, the usual reason why networks fail to train.
    class_weight : dict, "balanced" or None, default=None
        Class weights; "balanced": inversely proportional to the class frequencies.
    random_state : int, RandomState instance or None, default=None
        Random seed for initial weights, shuffling and the held-out rows.
    n_jobs : int or None, default=None
        Number of threads for predictions, L-BFGS and wide layers; None uses every available core. The result
        does not depend on it.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    coefs_ : list of ndarray of shape (n_inputs, n_outputs)
        The weights of each layer; those of the first apply to the original columns, with standardisation
        folded in.
    intercepts_ : list of ndarray
        The biases of each layer.
    loss_ : float
        The final loss; with Adam and SGD, the mean over the last epoch.
    best_loss_ : float or None
        The lowest loss of all epochs; None with `early_stopping`.
    loss_curve_ : list of float
        The loss after each epoch.
    validation_scores_ : list of float or None
        The accuracy on the held-out rows after each epoch; None without `early_stopping`.
    n_iter_ : int
        Number of epochs, or of iterations of L-BFGS.
    converged_ : bool
        Whether training stopped because there was no more progress.
    n_parameters_ : int
        Number of weights and biases.

    Notes
    -----
    Cost: O(p) per row and epoch for p weights. Ties go to the first class. A constant column is only centred.
    Integer sample weights (up to 20 on average) are exactly equivalent to repeated rows; others multiply the
    loss, normalised to mean one. The order of the rows in the table does not matter. `partial_fit` runs one
    epoch; columns are standardised as in its first call, which should be a representative sample. Values must
    not exceed 1e150 in magnitude. Training that diverges, because of too high a learning rate or unscaled
    columns, raises an error. It converges to a local minimum only: another random seed may lead to a better
    one. On small tables simpler models are often more accurate.

    Use it where the boundary is non-linear, columns are numeric, rows are many, and there is time to tune
    layer sizes and penalty. Not on small tables, nor where the model must be interpretable.

    Examples
    --------
    XOR, which is not linearly separable:

    >>> from classica import MLPClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["same", "other", "other", "same"]
    >>> model = MLPClassifier(4, activation="tanh", solver="lbfgs", random_state=0).fit(X, y)
    >>> model.predict(X).tolist()
    ['same', 'other', 'other', 'same']
    >>> model.n_parameters_
    22
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "hidden_layer_sizes": LayerSizes(),
        "activation": OneOf(*ACTIVATIONS),
        "solver": OneOf("adam", "sgd", "lbfgs"),
        "alpha": Real(at_least=0),
        "batch_size": OneOf("auto") | Integer(at_least=1),
        "learning_rate": OneOf("constant", "invscaling", "adaptive"),
        "learning_rate_init": Real(above=0),
        "power_t": Real(at_least=0),
        "max_iter": Integer(at_least=1),
        "shuffle": Boolean(),
        "tol": Real(at_least=0),
        "momentum": Real(at_least=0, at_most=1),
        "nesterovs_momentum": Boolean(),
        "early_stopping": Boolean(),
        "validation_fraction": Real(above=0, at_most=_BELOW_ONE),
        "beta_1": Real(at_least=0, at_most=_BELOW_ONE),
        "beta_2": Real(at_least=0, at_most=_BELOW_ONE),
        "epsilon": Real(above=0),
        "n_iter_no_change": Integer(at_least=1),
        "max_fun": Integer(at_least=1),
        "standardize": Boolean(),
        "class_weight": Nothing() | OneOf("balanced") | Dictionary(),
        "random_state": Seed(),
        "n_jobs": N_JOBS,
    }
    accepts = Accepts(largest=1e150)

    converged_: bool
    _passes: Passes

    def __init__(
        self,
        hidden_layer_sizes: int | Sequence[int] = (100,),
        *,
        activation: str = "relu",
        solver: str = "adam",
        alpha: float = 1e-4,
        batch_size: int | str = "auto",
        learning_rate: str = "constant",
        learning_rate_init: float = 0.001,
        power_t: float = 0.5,
        max_iter: int = 200,
        shuffle: bool = True,
        tol: float = 1e-4,
        momentum: float = 0.9,
        nesterovs_momentum: bool = True,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        n_iter_no_change: int = 10,
        max_fun: int = 15000,
        standardize: bool = True,
        class_weight: ClassWeight = None,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.solver = solver
        self.alpha = alpha
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.learning_rate_init = learning_rate_init
        self.power_t = power_t
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.tol = tol
        self.momentum = momentum
        self.nesterovs_momentum = nesterovs_momentum
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.beta_1 = beta_1
        self.beta_2 = beta_2
        self.epsilon = epsilon
        self.n_iter_no_change = n_iter_no_change
        self.max_fun = max_fun
        self.standardize = standardize
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None) -> MLPClassifier:
        """Learn the weights from rows.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts.

        Returns
        -------
        self : MLPClassifier
        """
        data = self._training_data(X, y, sample_weight)
        passes, converged = self._learned(self._network(data), self._cases(data))
        self.classes_, self._passes, self.converged_ = data.classes, passes, converged
        if not converged:
            # Only L-BFGS ends before `max_iter`, when it has asked for the loss too often.
            limit = "max_iter" if self.n_iter_ >= self.max_iter else "max_fun"
            most = getattr(self, limit)
            rule = f"above {most} for training to converge"
            warnings.warn(must(limit, rule, most), ConvergenceWarning, stacklevel=2)
        return self

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        """Return the label of the class with the highest score for each row."""
        scores = self._log_joint(self._query(X))
        return self.classes_[native.highest_scores(scores, self._threads_of(scores))]

    def predict_proba(self, X: MatrixLike) -> Floats:
        """Return the posterior probability of each class for each row."""
        X = self._query(X)
        return native.scores_to_posteriors(self._log_joint(X), self._threads_of(X))

    def _log_joint(self, X: Rows) -> Floats:
        """Return s(x), what the last layer makes of each row."""
        return self._passes.network.scores(X, self._passes.parameters, self._threads_of(X))

    @available_if(_can_go_on)
    def partial_fit(
        self,
        X: MatrixLike,
        y: VectorLike,
        classes: VectorLike | None = None,
        sample_weight: VectorLike | None = None,
    ) -> MLPClassifier:
        """Take one pass over rows; the weights go on from where they are.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The labels.
        classes : array-like, optional
            All labels that will come, in the first call; otherwise those of its rows are all.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts.

        Returns
        -------
        self : MLPClassifier
        """
        is_fitted = self._is_fitted()
        data = self._training_data(X, y, sample_weight, reset=not is_fitted)
        data = _with_classes(data, self._announced(classes, data.classes))
        cases = self._cases(data)
        rules = self._rules(len(cases))
        passes = (
            copy.deepcopy(self._passes) if is_fitted else Passes.start(self._network(data), cases.seed, rules)
        )
        passes.take(cases, rules, self._threads)
        self.classes_, self._passes, self.converged_ = data.classes, passes, False
        return self

    @property
    def coefs_(self) -> list[Floats]:
        """The weights of each layer."""
        return [read_only(weights) for weights, _ in self._passes.network.layers(self._passes.parameters)]

    @property
    def intercepts_(self) -> list[Floats]:
        """The biases of each layer."""
        return [read_only(biases) for _, biases in self._passes.network.layers(self._passes.parameters)]

    @property
    def loss_curve_(self) -> list[float]:
        """The loss after each epoch."""
        return self._passes.losses

    @property
    def loss_(self) -> float:
        """The loss at the end."""
        return self._passes.losses[-1]

    @property
    def best_loss_(self) -> float | None:
        """The lowest loss, where progress is judged by it."""
        return None if self._passes.scores else min(self._passes.losses)

    @property
    def validation_scores_(self) -> list[float] | None:
        """The accuracy on rows held out after each pass, where progress is judged by it."""
        return self._passes.scores or None

    @property
    def n_iter_(self) -> int:
        """Passes taken, or iterations of L-BFGS."""
        return len(self._passes.losses)

    @property
    def n_parameters_(self) -> int:
        """Number of weights and biases."""
        return self._passes.network.n_parameters

    def _announced(self, classes: VectorLike | None, present: NDArray[Any]) -> NDArray[Any]:
        """Return all classes there are to be, which the first call of `partial_fit` fixes."""
        labels = None if classes is None else np.unique(classes)
        if not self._is_fitted():
            return present if labels is None else labels
        if labels is not None and not np.array_equal(labels, self.classes_):
            raise DataError(must("classes", f"those of the first call ({self.classes_.tolist()})", classes))
        return self.classes_

    def _cases(self, data: TrainingData) -> Cases:
        of_class = None if self.class_weight is None else class_weights(self.class_weight, data)
        return Cases.of(data, of_class, self.random_state, self._threads)

    def _network(self, data: TrainingData) -> Network:
        return Network.of(data, self.hidden_layer_sizes, self.activation, self.standardize, self._threads)

    def _learned(self, network: Network, cases: Cases) -> tuple[Passes, bool]:
        rules = self._rules(len(cases))
        passes = Passes.start(network, cases.seed, rules)
        if self.solver == "lbfgs":
            limits = self.tol, self.max_iter, self.max_fun
            passes.parameters, passes.losses, converged = learn_at_once(
                network, passes.parameters, cases, self.alpha, limits, self._threads
            )
            return passes, converged
        learned, judged = cases.split(self.validation_fraction) if self.early_stopping else (cases, None)
        return passes, passes.learn(learned, judged, rules, self._threads)

    def _rules(self, cases: int) -> PassRules:
        return PassRules(
            adam=self.solver == "adam",
            learning_rate=self.learning_rate,
            learning_rate_init=float(self.learning_rate_init),
            power_t=float(self.power_t),
            momentum=float(self.momentum),
            nesterov=bool(self.nesterovs_momentum),
            beta_1=float(self.beta_1),
            beta_2=float(self.beta_2),
            epsilon=float(self.epsilon),
            alpha=float(self.alpha),
            batch=min(200 if self.batch_size == "auto" else int(self.batch_size), cases),
            shuffle=bool(self.shuffle),
            tol=float(self.tol),
            max_iter=int(self.max_iter),
            n_iter_no_change=int(self.n_iter_no_change),
        )


def _with_classes(data: TrainingData, classes: NDArray[Any]) -> TrainingData:
    """Return the rows with codes among the classes there are to be."""
    if len(label_union(classes, data.classes)) > len(classes):
        new = np.setdiff1d(data.classes, classes).tolist()[0]
        raise DataError(must("y", f"among the classes of the first call ({classes.tolist()})", new))
    indices = np.searchsorted(classes, data.classes)
    return replace(data, classes=classes, codes=indices[data.codes].astype(np.int32))
