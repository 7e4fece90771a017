"""Models in other forms: text, JSON, pictures, rules, SQL, Python, ONNX."""

from classica.export.exported import FORMS as FORMS
from classica.export.exported import export_model as export_model
from classica.export.form import Exported as Exported
