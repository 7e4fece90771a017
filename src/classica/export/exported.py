"""From a model to what it can become, checked before it is given away."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from classica.errors import ExportError, ParameterError, must
from classica.explain.model_layers import ModelLayers
from classica.export.form import Exported, export_forms
from classica.whole_file import whole_file

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


#: Everything a model may become, by name.
FORMS = export_forms()


def export_model(
    model: BaseEstimator,
    to: str,
    *,
    table: str = "rows",
    check: object = None,
    out: str | os.PathLike[str] | None = None,
) -> Exported:
    """Return a fitted model in another form, and write it to a file if so wished.

    What runs (SQL, Python, ONNX) is run against the model first: on rows made of gaps, levels seen and
    unseen, numbers at the cuts and right next to them, and on those of ``check``. A difference is an error,
    and nothing is written.

    Parameters
    ----------
    model : estimator
        A fitted classifier, a `TableClassifier`, or a decision around one.
    to : str
        What it is to become: "sql", "python" or another name in `FORMS`.
    table : str, default="rows"
        The table that SQL selects from.
    check : table or frame, optional
        Further rows to run the export on.
    out : path, optional
        Where to write it; the file is there whole or not at all.

    Examples
    --------
    >>> from classica import ID3Classifier, TableClassifier
    >>> from classica.tables import load_table
    >>> from classica.export import export_model
    >>> golf = load_table("golf")
    >>> model = TableClassifier(ID3Classifier(), golf.schema).fit(golf, golf.y)
    >>> print(export_model(model, "sql", table="golf").text.strip())
    SELECT t.*,
    CASE
      WHEN "outlook" = 'cloudy' THEN 1
      WHEN ("outlook" = 'rain' OR "outlook" IS NULL) AND ("windy" = 'no' OR "windy" IS NULL) THEN 1
      WHEN ("outlook" = 'rain' OR "outlook" IS NULL) AND "windy" = 'yes' THEN 0
      WHEN "outlook" = 'sun' AND ("humidity" = 'high' OR "humidity" IS NULL) THEN 0
      WHEN "outlook" = 'sun' AND "humidity" = 'normal' THEN 1
      WHEN "outlook" = 'sun' THEN 0
      WHEN "outlook" = 'rain' OR "outlook" IS NULL THEN 1
      ELSE 1
    END AS "prediction"
    FROM "golf" AS t;
    """
    layers = ModelLayers.of(model)
    if to not in FORMS:
        raise ParameterError(must("to", f"one of {', '.join(FORMS)}", to))
    if not FORMS[to].fits(layers):
        able = [name for name, form in FORMS.items() if form.fits(layers)]
        raise ExportError(
            f"Cannot export this {layers.kind} model to {to}: this form cannot express it."
            f" Possible forms: {', '.join(able)}."
        )
    rows = None if check is None else layers.features(check)
    exported = FORMS[to].make(layers, table, rows)
    if out is not None:
        with whole_file(out, ExportError) as file:
            file.write(exported.content)
    return exported
