"""Programs as graphs of ONNX, in double precision."""
