"""The weights are those that the model card tells of."""

from __future__ import annotations

import hashlib
from pathlib import Path

MODELS = Path(__file__).resolve().parents[1] / "models"


def test_weights_have_their_checksums() -> None:
    lines = (MODELS / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    listed = {name: digest for digest, name in (line.split("  ") for line in lines)}
    there = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in MODELS.glob("*.onnx")}
    assert there == listed, "new weights? then their figures too: cd models && sha256sum *.onnx > SHA256SUMS"
