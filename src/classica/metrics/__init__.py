"""Measures of how good predictions are: scores of rows, confusion matrices, calibration."""

from classica.metrics.confusion_matrix import Confusion as Confusion
from classica.metrics.confusion_matrix import confusion as confusion
from classica.metrics.measure import Metric as Metric
from classica.metrics.measures import METRICS as METRICS
from classica.metrics.measures import answer_scores as answer_scores
from classica.metrics.measures import metric as metric
from classica.metrics.reliability import Calibration as Calibration
from classica.metrics.reliability import calibration as calibration
