"""Writes copies of the networks that take less time: most with 8-bit weights and values, all with fused operations.

    python -m models.train.eight_bit out/scenes                    copies of all networks
    python -m models.train.eight_bit out/scenes --only index_detector surface_map

The scenes (`python -m datasets`, of the training split) are read as photos are, and what each network is given on the
way tells how large its values get. First and last convolutions, and everything that is no convolution, keep 32 bits:
there points and probabilities become inexact. Weights get 7 of the 8 bits, because processors without VNNI saturate
otherwise; so the answers are the same everywhere.

Each copy is written as ONNX Runtime would fuse it when it is loaded: convolution, scale and activation become one
operation. This changes no number that it gives, on no processor, and halves the time to load it. The network that has
no convolutions, `table_layout`, is fused alone.

A copy lies beside its network, as `NAME.8bit.onnx` or `NAME.fused.onnx`, and says from which file it was made:
`vision.networks.runtime` takes it as long as that file is there unchanged.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from tqdm import tqdm

from models.index_detector.found_places import look_at_found_places
from models.train.labelled_pictures import find_files, read_image
from models.train.onnx_files import read_onnx
from plumbing.arguments import command_parser, named_path, run_command, whole_number
from plumbing.files import whole_file
from vision.networks.index_detector import DetectorNetwork
from vision.networks.runtime import MADE_FROM, MODELS, Network, digest_of, eight_bit_copy, fused_copy
from vision.photo_to_reading import read_findings
from vision.photo_to_table import detect_and_read

NETWORKS: Final = (
    *("index_detector", "unusual_detector", "index_reader", "unusual_reader"),
    *("card_face", "surface_map", "back_counter"),
)
"""The networks that have copies with 8-bit weights."""
FUSED: Final = ("table_layout",)
"""The networks that have copies that are only fused."""
MAPS: Final = dict.fromkeys(("index_detector", "unusual_detector"), DetectorNetwork.gives)
"""Outputs that are worked out at the places alone at which something is found."""
MOST_GIVEN: Final = 48
"""So many inputs tell how large the values of a network get."""
KINDS: Final = ["Conv", "Relu", "Add", "Concat", "MaxPool", "Resize", "Split"]
"""Operations that get 8 bits."""

Given = dict[str, list[NDArray[Any]]]
"""What networks were given, by the names of their files without ending."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit status."""
    description, _, epilog = (__doc__ or "").partition("\n\n")
    made = command_parser("models.train.eight_bit", description, epilog)
    made.add_argument("folders", type=named_path, nargs="+", metavar="DIR", help="scenes to measure values on")
    every = (*NETWORKS, *FUSED)
    made.add_argument("--only", choices=every, nargs="+", default=every, help="the networks (all)")
    made.add_argument("-n", type=whole_number(1, 10**6), default=120, help="scenes that are read (120)")
    made.add_argument("--debug", action="store_true", help="show the traceback of an error")
    return run_command(_run, made.parse_args(arguments))


def _run(args: argparse.Namespace) -> int:
    given = _given_to_networks(args.folders, args.n)
    for name in args.only:
        source = MODELS / f"{name}.onnx"
        if name in FUSED:
            write_fused(source)
            print(f"{fused_copy(source).name}: fused")
            continue
        write_copy(source, given[name])
        print(f"{eight_bit_copy(source).name}: values measured on {len(given[name])} inputs")
    return 0


def _given_to_networks(folders: Sequence[Path], count: int) -> Given:
    """What each network of 32 bits is given when scenes are read, evenly chosen from all."""
    files = find_files(list(folders))
    chosen = np.random.default_rng(0).permutation(len(files))[:count]
    seen: Given = defaultdict(list)
    run = Network.run

    def noted(network: Network, given: NDArray[Any]) -> list[NDArray[Any]]:
        seen[network.name].append(given)
        return run(network, given)

    with patch.object(Network, "run", noted), patch("vision.networks.runtime.copies_of", lambda path: ()):
        for number in tqdm(chosen, desc="scenes", disable=None):
            read_findings([detect_and_read(read_image(files[number].with_suffix(".jpg")))])
    spread = np.random.default_rng(1)
    return {
        name: [inputs[row] for row in spread.permutation(len(inputs))[:MOST_GIVEN]] for name, inputs in seen.items()
    }


def write_copy(source: Path, given: Sequence[NDArray[Any]]) -> None:
    """Writes the copy of a network.

    Args:
        source: The network's file.
        given: Inputs as it gets them.
    """
    model = read_onnx(source)
    del model.opset_import[1:]  # of a network put together from two it stands there twice
    _simplify(model.graph)
    takes = model.graph.input[0].name
    with tempfile.TemporaryDirectory() as folder, whole_file(eight_bit_copy(source)) as part:
        plain, made = Path(folder, "plain.onnx"), Path(folder, "made.onnx")
        onnx.save(model, str(plain))
        logging.getLogger().setLevel(logging.ERROR)  # it recommends what `_simplify` does
        quantize_static(
            str(plain),
            str(made),
            _Inputs(takes, given),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=KINDS,
            per_channel=True,
            reduce_range=True,
            weight_type=QuantType.QInt8,
            activation_type=QuantType.QUInt8,
            nodes_to_exclude=_kept(model.graph),
        )
        copy = read_onnx(made)
        for name in MAPS.get(source.stem, ()):
            look_at_found_places(copy.graph, name)
        part.write_bytes(_fuse(copy, source).SerializeToString())


def write_fused(source: Path) -> None:
    """Writes the fused copy of a network."""
    with whole_file(fused_copy(source)) as part:
        part.write_bytes(_fuse(read_onnx(source), source).SerializeToString())


def _fuse(model: onnx.ModelProto, source: Path) -> onnx.ModelProto:
    """A network with its operations fused, which says from which file it was made.

    What ONNX Runtime fuses at this level is the same on all processors; how it then lays out the values is not.
    """
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.log_severity_level = 4  # it warns that the file may be of no use elsewhere, as with layouts it would be
    with tempfile.TemporaryDirectory() as folder:
        options.optimized_model_filepath = str(Path(folder, "fused.onnx"))
        onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        fused = read_onnx(Path(folder, "fused.onnx"))
    used = {node.domain for node in fused.graph.node}
    for other in [version for version in fused.opset_import if version.domain not in used]:
        fused.opset_import.remove(other)  # an older ONNX Runtime may not know it
    helper.set_model_props(fused, {MADE_FROM: digest_of(source)})
    return fused


class _Inputs(CalibrationDataReader):  # type: ignore[misc]  # onnxruntime has no types
    """Inputs, one after the other."""

    def __init__(self, takes: str, given: Sequence[NDArray[Any]]) -> None:
        self._left: Iterator[dict[str, NDArray[Any]]] = iter([{takes: one} for one in given])

    def get_next(self) -> dict[str, NDArray[Any]] | None:
        return next(self._left, None)


def _simplify(graph: Any) -> None:
    """Makes constants of what is constant: the scale of a picture goes into its convolution, slices become splits."""
    for node in [node for node in graph.node if node.op_type == "Constant"]:
        graph.initializer.append(numpy_helper.from_array(numpy_helper.to_array(node.attribute[0].t), node.output[0]))
        graph.node.remove(node)
    constants = {part.name: part for part in graph.initializer}
    maker = {out: node for node in graph.node for out in node.output}
    for node in list(graph.node):
        takers = [other for other in graph.node if set(node.output) & set(other.input)]
        if node.op_type == "Div" and maker[node.input[0]].op_type == "Cast" and _ops(takers) == ["Conv"]:
            weight = constants[takers[0].input[1]]
            scaled = numpy_helper.to_array(weight) / numpy_helper.to_array(constants[node.input[1]])
            weight.CopyFrom(numpy_helper.from_array(scaled.astype(np.float32), weight.name))
            takers[0].input[0] = node.input[0]
            graph.node.remove(node)
        elif node.op_type == "Relu" and maker[node.input[0]].op_type == "Conv":
            halves = [taker for taker in takers if taker.op_type == "Slice"]
            if len(halves) == 2:
                channels = constants[maker[node.input[0]].input[1]].dims[0]
                _split(graph, node.output[0], channels, sorted(halves, key=lambda part: part.input[1] not in constants))
    _drop_unused(graph)


def _split(graph: Any, name: str, channels: int, halves: Sequence[Any]) -> None:
    """Puts one split in the place of two slices, of which the first one's start is constant: 0."""
    sizes = numpy_helper.from_array(np.full(2, channels // 2), f"{name}_halves")
    graph.initializer.append(sizes)
    outputs = [half.output[0] for half in halves]
    place = min(list(graph.node).index(half) for half in halves)
    graph.node.insert(place, helper.make_node("Split", [name, sizes.name], outputs, f"{name}_split", axis=1))
    for half in halves:
        graph.node.remove(half)


def _drop_unused(graph: Any) -> None:
    """Removes what leads to no output."""
    while True:
        used = {name for node in graph.node for name in node.input} | {out.name for out in graph.output}
        unused = [node for node in graph.node if not used & set(node.output)]
        if not unused:
            break
        for node in unused:
            graph.node.remove(node)
    for part in [part for part in graph.initializer if part.name not in used]:
        graph.initializer.remove(part)


def _kept(graph: Any) -> list[str]:
    """Names of the nodes that keep 32 bits: all but convolutions between others, and what joins their values."""
    constants = {part.name: part for part in graph.initializer}
    behind: set[str] = set()  # values that come from a picture's convolutions, cut off and joined at most
    kept = []
    for node in graph.node:
        takers = [other for other in graph.node if set(node.output) & set(other.input)]
        given = [name in behind for name in node.input if name and name not in constants]
        if node.op_type == "Conv":
            goes_on = len(constants[node.input[1]].dims) == 4 and bool({"Relu", "Add"} & set(_ops(takers)))
            is_eight_bit = goes_on and any(given)
            if goes_on and not is_eight_bit:
                kept += [other.name for other in takers]  # cuts off the first convolution's values
        else:
            is_eight_bit = goes_on = node.op_type in KINDS and (any if node.op_type == "Concat" else all)(given)
        if goes_on:
            behind.update(node.output)
        if not is_eight_bit:
            kept.append(node.name)
    return kept


def _ops(nodes: Sequence[Any]) -> list[str]:
    return [node.op_type for node in nodes]


if __name__ == "__main__":
    sys.exit(main())
