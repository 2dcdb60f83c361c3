"""Weights out of an exported ONNX file, so that a new run goes on from the weights that are shipped.

An exported convolution has swallowed the batch normalisation behind it. Here it gets one back that does nothing yet:
its statistics are measured on typical pictures, its scale and shift undo them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, Final

import onnx
import torch
from onnx import numpy_helper
from torch import nn

from vision.network import ModelError

WEIGHTED: Final = (nn.Conv1d, nn.Conv2d, nn.Linear)
NORMS: Final = (nn.BatchNorm1d, nn.BatchNorm2d)

DOUBT: Final = "; was it made with --int8, or from another network?"


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
    try:
        graph = onnx.load(str(path)).graph
    except Exception as error:  # whatever the parser makes of a file that is none
        raise ModelError(f"{path}: no ONNX file ({error})") from error
    arrays = {part.name: torch.from_numpy(numpy_helper.to_array(part).copy()) for part in graph.initializer}
    nodes = [n for n in graph.node if n.op_type in ("Conv", "Gemm", "MatMul") and n.input[1] in arrays]
    waiting = [(node.op_type, *(arrays[name] for name in node.input[1:] if name in arrays)) for node in nodes]
    waiting.reverse()
    for name, weight in exported.named_parameters():
        if name in arrays:
            _put(weight, arrays[name], path, name)
    names = {module: name for name, module in exported.named_modules()}
    idle = {f"{name}.{part}" for name in left_out for part in ("weight", "bias")}
    missing = {n for n, weight in exported.named_parameters() if weight.requires_grad} - set(arrays) - idle
    folded: list[torch.Tensor] = []  # bias of the convolution just run, which is the shift of the norm behind it

    def before_weighted(module: Any, _: Any) -> None:
        name = names[module]
        if name in left_out:
            return
        if not waiting:
            raise ModelError(f"{path}: has fewer layers than this network{DOUBT}")
        kind, weight, *bias = waiting.pop()
        _put(module.weight, weight.T if kind == "MatMul" else weight, path, name)
        missing.discard(f"{name}.weight")
        if bias and module.bias is not None:
            _put(module.bias, bias[0], path, f"{name}.bias")
            missing.discard(f"{name}.bias")
        elif bias:
            folded.append(bias[0])

    def before_norm(module: Any, given: tuple[torch.Tensor]) -> None:
        if not folded:
            raise ModelError(f"{path}: {names[module]} is not folded into its convolution{DOUBT}")
        values = given[0].transpose(0, 1).flatten(1)
        module.running_mean.copy_(values.mean(1))
        module.running_var.copy_(values.var(1, correction=0))
        _put(module.weight, (module.running_var + module.eps).sqrt(), path, names[module])
        _put(module.bias, module.running_mean + folded.pop(), path, names[module])
        missing.difference_update({f"{names[module]}.weight", f"{names[module]}.bias"})

    hooks = [m.register_forward_pre_hook(before_weighted) for m in exported.modules() if isinstance(m, WEIGHTED)]
    hooks += [m.register_forward_pre_hook(before_norm) for m in exported.modules() if isinstance(m, NORMS)]
    try:
        with torch.no_grad():
            exported.eval()(pictures)
    finally:
        for hook in hooks:
            hook.remove()
    if waiting or missing:
        left = f"{len(waiting)} layers more than this network" if waiting else f"no {', '.join(sorted(missing))}"
        raise ModelError(f"{path}: has {left}{DOUBT}")


def pictures_of(batches: Iterable[dict[str, torch.Tensor]], count: int) -> torch.Tensor:
    """Pictures (n, 3, H, W), at least `count`, from the first batches of a training."""
    found: list[torch.Tensor] = []
    for batch in batches:
        found.append(batch["image"])
        if sum(map(len, found)) >= count:
            break
    return torch.cat(found)


def _put(weight: torch.Tensor, value: torch.Tensor, path: Path, name: str) -> None:
    if weight.shape != value.shape:
        raise ModelError(f"{path}: {name} is {tuple(value.shape)}; expected {tuple(weight.shape)}")
    with torch.no_grad():
        weight.copy_(value)
