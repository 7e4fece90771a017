"""An estimator as plug-ins have them: nobody describes its state, which may be any plain values."""

from sklearn.base import BaseEstimator


class Anything(BaseEstimator):
    """Has learned a value, whatever it is."""

    @classmethod
    def with_value(cls, value):
        model = cls()
        model.value_ = value
        return model
