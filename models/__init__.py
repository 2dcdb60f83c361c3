"""Model weights (ONNX) with a model card each; a package so that an installed wheel finds them."""
