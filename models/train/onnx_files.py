"""Networks to ONNX files, and weights back out of them, so that a run can go on from the weights that are shipped.

An exported convolution has swallowed the batch normalisation behind it. `restore` gives it one back that does nothing
yet: its statistics are measured on typical pictures, its scale and shift undo them.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import onnx
import torch
from onnx import numpy_helper
from torch import nn

from plumbing.files import whole_file
from vision.networks.runtime import ModelError, Network

WEIGHTED: Final = (nn.Conv1d, nn.Conv2d, nn.Linear)
NORMS: Final = (nn.BatchNorm1d, nn.BatchNorm2d)

_Weighted = tuple[Any, ...]
"""A layer of a file: its kind of operation, its weight, its bias if it has one."""
DOUBT: Final = "; was it made from another network?"


def to_onnx(
    model: Any, example: torch.Tensor, path: Path, kind: type[Network], free: Mapping[str, Any] | None = None
) -> None:
    """Writes `model` as an ONNX file that a class of `vision.networks` can load.

    Args:
        model: A module of one input.
        example: An input.
        path: File to be written.
        kind: What takes and gives the same.
        free: For each input or output the axes that may have any length, as torch's `dynamic_axes`; the first axis of
            all by default.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings(), whole_file(path) as part:
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            model.cpu().float().eval(),
            (example,),
            str(part),
            opset_version=17,
            dynamo=False,
            input_names=[kind.takes],
            output_names=list(kind.gives),
            dynamic_axes=dict(free or {name: {0: "n"} for name in (kind.takes, *kind.gives)}),
        )


def read_onnx(path: Path) -> onnx.ModelProto:
    """An ONNX file. Raises ModelError where it is none."""
    try:
        return onnx.load(str(path))
    except Exception as error:  # whatever the parser makes of a file that is none
        raise ModelError(f"{path}: no ONNX file ({error})") from error


def blend(path: Path, other: Path, share: float) -> None:
    """Mixes the weights of another file of the same network into a file.

    Where training went on from weights that had seen more, the average of both often errs less than either, on what
    neither has seen (Wortsman et al., "Robust fine-tuning of zero-shot models", 2022).

    Args:
        path: The file that is changed.
        other: The file whose weights it gets.
        share: How much of each weight is the other file's, 0 to 1.

    Raises:
        ModelError: If the files hold different networks.
    """
    model, given = read_onnx(path), read_onnx(other)
    ours, theirs = _tensors(model), _tensors(given)
    if [(name, part.dims) for name, part in ours] != [(name, part.dims) for name, part in theirs]:
        raise ModelError(f"{other}: holds another network than {path}{DOUBT}")
    for (_, into), (_, part) in zip(ours, theirs, strict=True):
        own, mixed_in = numpy_helper.to_array(into), numpy_helper.to_array(part)
        if own.dtype.kind == "f":
            mixed = ((1 - share) * own + share * mixed_in).astype(own.dtype)
            into.CopyFrom(numpy_helper.from_array(mixed, into.name))
    with whole_file(path) as made:
        onnx.save(model, str(made))


def _tensors(model: onnx.ModelProto) -> list[tuple[str, onnx.TensorProto]]:
    """The weights and constants of a file, each with a name."""
    constants = [node for node in model.graph.node if node.op_type == "Constant"]
    parts = [(part.name, part) for part in model.graph.initializer]
    return parts + [(node.output[0], node.attribute[0].t) for node in constants]


def restore(exported: nn.Module, path: Path, pictures: torch.Tensor, *, left_out: Collection[str] = ()) -> None:
    """Gives a network the weights of an ONNX file that was exported from one like it.

    Args:
        exported: What was exported: the network and what stands round it. It is changed in place and set to `eval`.
        path: The file.
        pictures: Typical input, shaped as the file wants it; some hundred thousand pixels give exact statistics.
        left_out: Layers that serve training alone, so the file has none of them: they stay as they are.

    Raises:
        ModelError: If the file holds another network, or one of 8 bits.
    """
    arrays, waiting = _read(path)
    missing = _put_named(exported, arrays, path) - {
        f"{name}.{part}" for name in left_out for part in ("weight", "bias")
    }
    restoring = _Restoring(path, {module: name for name, module in exported.named_modules()}, waiting, missing)
    hooks = [
        module.register_forward_pre_hook(restoring.before_weighted)
        for module, name in restoring.names.items()
        if isinstance(module, WEIGHTED) and name not in left_out
    ]
    hooks += [m.register_forward_pre_hook(restoring.before_norm) for m in restoring.names if isinstance(m, NORMS)]
    try:
        with torch.no_grad():
            exported.eval()(pictures)
    finally:
        for hook in hooks:
            hook.remove()
    restoring.check_all_done()


def _put_named(exported: nn.Module, arrays: Mapping[str, torch.Tensor], path: Path) -> set[str]:
    """Sets the parameters that a file holds by name; gives the names of the others that are learned."""
    for name, weight in exported.named_parameters():
        if name in arrays:
            _put(weight, arrays[name], path, name)
    return {name for name, weight in exported.named_parameters() if weight.requires_grad} - set(arrays)


def _read(path: Path) -> tuple[dict[str, torch.Tensor], list[_Weighted]]:
    """A file's arrays by name, and its layers with weights, the last one first."""
    graph = read_onnx(path).graph
    arrays = {part.name: torch.from_numpy(numpy_helper.to_array(part).copy()) for part in graph.initializer}
    nodes = [n for n in graph.node if n.op_type in ("Conv", "Gemm", "MatMul") and n.input[1] in arrays]
    weighted = [(node.op_type, *(arrays[name] for name in node.input[1:] if name in arrays)) for node in nodes]
    return arrays, weighted[::-1]


@dataclass(slots=True, eq=False)
class _Restoring:
    """A run of the network in which each layer gets its weights just before it is used.

    Attributes:
        path: The file.
        names: The network's layers.
        waiting: The file's layers that are still to come, the next one last.
        missing: Parameters that have got nothing so far.
        folded: Bias of the convolution just run, which is the shift of the norm behind it.
    """

    path: Path
    names: dict[nn.Module, str]
    waiting: list[_Weighted]
    missing: set[str]
    folded: list[torch.Tensor] = field(default_factory=list)

    def before_weighted(self, module: Any, _: Any) -> None:
        """Gives a convolution or a linear layer the file's next weights."""
        name = self.names[module]
        if not self.waiting:
            raise ModelError(f"{self.path}: has fewer layers than this network{DOUBT}")
        kind, weight, *bias = self.waiting.pop()
        self._put(module.weight, weight.T if kind == "MatMul" else weight, f"{name}.weight")
        if bias and module.bias is not None:
            self._put(module.bias, bias[0], f"{name}.bias")
        elif bias:
            self.folded.append(bias[0])

    def before_norm(self, module: Any, given: tuple[torch.Tensor]) -> None:
        """Gives a normalisation the statistics of what comes to it, and the scale and shift that undo them."""
        name = self.names[module]
        if not self.folded:
            raise ModelError(f"{self.path}: {name} is not folded into its convolution{DOUBT}")
        values = given[0].transpose(0, 1).flatten(1)
        module.running_mean.copy_(values.mean(1))
        module.running_var.copy_(values.var(1, correction=0))
        self._put(module.weight, (module.running_var + module.eps).sqrt(), f"{name}.weight")
        self._put(module.bias, module.running_mean + self.folded.pop(), f"{name}.bias")

    def check_all_done(self) -> None:
        """Raises ModelError where file and network do not have the same layers."""
        if self.waiting or self.missing:
            more, names = f"{len(self.waiting)} layers more than this network", ", ".join(sorted(self.missing))
            raise ModelError(f"{self.path}: has {more if self.waiting else f'no {names}'}{DOUBT}")

    def _put(self, weight: torch.Tensor, value: torch.Tensor, name: str) -> None:
        _put(weight, value, self.path, name)
        self.missing.discard(name)


def pictures_of(batches: Iterable[dict[str, torch.Tensor]], count: int, takes: str) -> torch.Tensor:
    """Pictures (n, 3, H, W), or what else batches hold under `takes`, from the first batches; at least `count`."""
    found: list[torch.Tensor] = []
    for batch in batches:
        found.append(batch[takes])
        if sum(map(len, found)) >= count:
            break
    return torch.cat(found)


def _put(weight: torch.Tensor, value: torch.Tensor, path: Path, name: str) -> None:
    if weight.shape != value.shape:
        raise ModelError(f"{path}: {name} is {tuple(value.shape)}; expected {tuple(weight.shape)}")
    with torch.no_grad():
        weight.copy_(value)
