"""Models as people read them: what was learned, why a row got its answer, how learning went."""

from classica.explain.explained import Explanation as Explanation
from classica.explain.explained import explain_model as explain_model
from classica.explain.model_trace import Trace as Trace
from classica.explain.model_trace import trace_model as trace_model
