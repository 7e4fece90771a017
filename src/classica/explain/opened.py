"""The former home of `ModelLayers`, kept for plug-ins; deprecated."""

from classica.explain.model_layers import ModelLayers

#: Deprecated: use `classica.explain.model_layers.ModelLayers`.
Opened = ModelLayers
