"""A trained network on ONNX Runtime: detector, reader and counter each are one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from plumbing.errors import CardsError

MODELS: Final = Path(__file__).resolve().parent.parent / "models"
"""Where the project's own weights lie."""
_EXPECTED: Final = "expected an ONNX file as models/README.md says how it is made"


class ModelError(CardsError):
    """Weights that are missing or are not what is expected."""


class Network:
    """A network on ONNX Runtime, whose faults are errors that name its file.

    Args:
        path: The ONNX file.
        threads: Processor cores used; 0 lets ONNX Runtime choose.
        inputs: Names of what it must take.
        outputs: Names of what it must give.

    Raises:
        ModelError: Where the file is missing, broken, or holds another network.
    """

    def __init__(self, path: Path, threads: int, *, inputs: tuple[str, ...], outputs: tuple[str, ...]) -> None:
        if not path.is_file():
            raise ModelError(f"{path}: no such weights; {_EXPECTED}")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 4  # what is wrong comes as an error
        options.enable_cpu_mem_arena = False  # which keeps 30 MB more than it gives, and saves 4% of the time
        try:
            self._session = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"], enable_fallback=0
            )
            takes, gives = self._session.get_inputs(), self._session.get_outputs()
            names = tuple(put.name for put in takes), tuple(put.name for put in gives)
        except Exception as error:
            raise ModelError(f"{path}: not an ONNX network that can be loaded ({_line(error)}); {_EXPECTED}") from error
        for what, found, wanted in (("takes", names[0], inputs), ("gives", names[1], outputs)):
            if found != wanted:
                raise ModelError(
                    f"{path}: another network, which {what} {', '.join(found)}; expected {', '.join(wanted)}"
                )
        self._path = path

    def run(self, names: None, feeds: Mapping[str, NDArray[Any]]) -> list[NDArray[Any]]:
        """All outputs for these inputs.

        Raises:
            ModelError: Where the network fails, or what it gives are no numbers.
        """
        try:
            found: list[NDArray[Any]] = self._session.run(names, dict(feeds))
        except Exception as error:
            raise ModelError(f"{self._path}: the network fails ({_line(error)}); {_EXPECTED}") from error
        if not all(isinstance(out, np.ndarray) and np.isfinite(out).all() for out in found):
            raise ModelError(f"{self._path}: the network gives no finite numbers, it is damaged; {_EXPECTED}")
        return found


def _line(error: Exception) -> str:
    """What a library says, in one line that is not too long."""
    return " ".join(str(error).split())[:200]
