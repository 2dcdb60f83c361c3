"""A trained network on ONNX Runtime; each network that reads photos is a class of this kind."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from plumbing.errors import CardsError

MODELS: Final = Path(__file__).resolve().parents[2] / "models"
"""Where the project's own weights lie."""
MADE_FROM: Final = "made from"
"""Key of a copy's note that says from which file it was made."""
_EXPECTED: Final = "expected an ONNX file, made as models/README.md tells"


class ModelError(CardsError):
    """Weights that are missing or are not what is expected."""


def eight_bit_copy(path: Path) -> Path:
    """Where the copy of a network with 8-bit weights lies, which takes half the time.

    >>> eight_bit_copy(Path("models/card_face.onnx")).name
    'card_face.8bit.onnx'
    """
    return path.with_suffix(".8bit.onnx")


def fused_copy(path: Path) -> Path:
    """Where the copy of a network lies that gives exactly the same and is loaded in half the time.

    >>> fused_copy(Path("models/table_layout.onnx")).name
    'table_layout.fused.onnx'
    """
    return path.with_suffix(".fused.onnx")


def copies_of(path: Path) -> tuple[Path, ...]:
    """The copies that are taken in a network's place, where they are there, the first one first."""
    return eight_bit_copy(path), fused_copy(path)


def digest_of(path: Path) -> str:
    """What tells the content of a file from all others."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Network:
    """A network on ONNX Runtime, whose faults are errors that name its file.

    Args:
        path: An ONNX file as `python -m models.train` exports it; the project's own weights by default. If a copy with
            8-bit weights, or a fused one, lies beside it that was made from it, that copy is used.

    Attributes:
        name: The file's name without its ending.
        weights: The file of the project's own weights.
        takes: Name of its input.
        gives: Names of its outputs.

    Raises:
        ModelError: Where the file is missing, broken, or holds another network.
    """

    weights: ClassVar[Path]
    takes: ClassVar[str]
    gives: ClassVar[tuple[str, ...]]

    def __init__(self, path: Path | str | None = None) -> None:
        path = Path(path or self.weights)
        if not path.is_file():
            raise ModelError(f"{path}: no such weights; {_EXPECTED}")
        _share_memory()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 4  # what is wrong comes as an error
        options.add_session_config_entry("session.use_env_allocators", "1")
        options.enable_mem_pattern = False  # which reserves 100 MB more and saves no time
        try:
            self._session = _open(path, options)
            takes, gives = self._session.get_inputs(), self._session.get_outputs()
            names = tuple(put.name for put in takes), tuple(put.name for put in gives)
        except Exception as error:
            raise ModelError(f"{path}: not an ONNX network that can be loaded ({_line(error)}); {_EXPECTED}") from error
        for what, found, wanted in (("takes", names[0], (self.takes,)), ("gives", names[1], self.gives)):
            if found != wanted:
                raise ModelError(
                    f"{path}: another network, which {what} {', '.join(found)}; expected {', '.join(wanted)}"
                )
        self._path = path
        self.name = path.stem

    def run(self, given: NDArray[Any]) -> list[NDArray[Any]]:
        """All outputs for an input.

        Raises:
            ModelError: Where the network fails, or what it gives are no numbers.
        """
        try:
            found: list[NDArray[Any]] = self._session.run(None, {self.takes: given})
        except Exception as error:
            raise ModelError(f"{self._path}: the network fails ({_line(error)}); {_EXPECTED}") from error
        if not all(isinstance(out, np.ndarray) and np.isfinite(out).all() for out in found):
            raise ModelError(f"{self._path}: the network gives no finite numbers, it is damaged; {_EXPECTED}")
        return found


@cache
def _share_memory() -> None:
    """Has all networks of this process compute in the same memory, which is kept from one to the next.

    A memory for each keeps what each ever needed. Without any, a process that reads photo after photo grows by half:
    what networks take and give back in between leaves gaps of which none is as large as what the next photo needs.
    """
    info = onnxruntime.OrtMemoryInfo(
        "Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT
    )
    onnxruntime.create_and_register_allocator(info, onnxruntime.OrtArenaCfg(0, 0, -1, -1))  # all as it is by default


def _open(path: Path, options: Any) -> Any:
    """The session of a file's copy, or of the file if there is none that was made from it."""
    for copy in copies_of(path):
        if copy.is_file():
            session = _session(copy, options)
            if session.get_modelmeta().custom_metadata_map.get(MADE_FROM) == digest_of(path):
                return session
    return _session(path, options)


def _session(path: Path, options: Any) -> Any:
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"], enable_fallback=0)


def _line(error: Exception) -> str:
    """What a library says, in one line that is not too long."""
    return " ".join(str(error).split())[:200]
