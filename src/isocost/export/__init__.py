"""Decision rules for where predictions live: one SQL expression, one ONNX graph."""
