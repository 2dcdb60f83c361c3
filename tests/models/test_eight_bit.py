"""Copies of networks with 8-bit weights: what they give, and when they are used."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

pytest.importorskip("onnx")

import onnx
from onnx import TensorProto, helper, numpy_helper

from models.index_detector.found_places import LEAST_LOGIT, NOTHING
from models.train.eight_bit import write_copy, write_fused
from vision.image import load
from vision.networks.index_detector import BINS, DetectorNetwork
from vision.networks.runtime import MADE_FROM, MODELS, Network, digest_of, eight_bit_copy

SIZE = 24
LOGITS = [4 * BINS, 4 * BINS + 1]
"""Channels of a detector's map that tell whether there is an index or a back."""


class Tiny(Network):
    """Three convolutions over a picture."""

    weights: ClassVar[Path] = Path("tiny.onnx")
    takes = "image"
    gives = ("map",)


def write_tiny(path: Path, seed: int = 0) -> Path:
    """The file of a tiny network, as the detector is made: halves of a map, a shortcut, a last layer of its own."""
    rng = np.random.default_rng(seed)

    def weight(name: str, *shape: int) -> Any:
        return numpy_helper.from_array(rng.normal(0, 0.3, shape).astype(np.float32), name)

    def conv(given: str, name: str, out: str) -> Any:
        return helper.make_node("Conv", [given, name], [out], f"conv_{out}", pads=[1, 1, 1, 1])

    def node(kind: str, given: list[str], out: str, **more: Any) -> Any:
        return helper.make_node(kind, given, [out], f"{kind}_{out}", **more)

    numbers = {"zero": [0], "four": [4], "eight": [8], "one": [1]}
    constants = [numpy_helper.from_array(np.array(value), name) for name, value in numbers.items()]
    constants += [numpy_helper.from_array(np.array(255, np.float32), "255")]
    constants += [weight("w1", 8, 3, 3, 3), weight("w2", 4, 4, 3, 3), weight("w3", 2, 4, 3, 3)]
    nodes = [
        node("Cast", ["image"], "float", to=TensorProto.FLOAT),
        node("Div", ["float", "255"], "scaled"),
        conv("scaled", "w1", "a"),
        node("Relu", ["a"], "b"),
        node("Slice", ["b", "zero", "four", "one"], "c"),
        node("Slice", ["b", "four_too", "eight", "one"], "d"),
        conv("c", "w2", "e"),
        node("Relu", ["e"], "f"),
        node("Add", ["f", "d"], "g"),
        conv("g", "w3", "map"),
    ]
    nodes.insert(5, node("Identity", ["four"], "four_too"))  # as the exporter computes where the second half begins
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info("image", TensorProto.UINT8, [1, 3, "h", "w"])],
        [helper.make_tensor_value_info("map", TensorProto.FLOAT, [1, 2, "h", "w"])],
        constants,
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), str(path))
    return path


def pictures(count: int) -> list[np.ndarray[Any, Any]]:
    rng = np.random.default_rng(1)
    return [rng.integers(0, 256, (1, 3, SIZE, SIZE), np.uint8) for _ in range(count)]


def test_a_copy_gives_nearly_the_same_and_is_used_as_long_as_its_network_is_there(tmp_path: Path) -> None:
    path = write_tiny(tmp_path / "tiny.onnx")
    picture, *given = pictures(6)
    (before,) = Tiny(path).run(picture)
    write_copy(path, given)
    (after,) = Tiny(path).run(picture)
    assert 0 < np.abs(after - before).max() < 0.1 * np.abs(before).max()

    write_tiny(path, seed=1)  # weights that somebody trained
    (other,) = Tiny(path).run(picture)
    eight_bit_copy(path).unlink()
    np.testing.assert_array_equal(other, Tiny(path).run(picture)[0])


def test_weights_between_others_have_8_bits_and_the_first_and_last_have_32(tmp_path: Path) -> None:
    path = write_tiny(tmp_path / "tiny.onnx")
    write_copy(path, pictures(5))
    graph = onnx.load(str(eight_bit_copy(path))).graph
    kinds = {part.name: part.data_type for part in graph.initializer}
    assert kinds["w1"] == kinds["w3"] == TensorProto.FLOAT
    assert kinds["w2_quantized"] == TensorProto.INT8
    weight = next(numpy_helper.to_array(part) for part in graph.initializer if part.name == "w2_quantized")
    assert np.abs(weight).max() <= 64, "7 bits: processors without VNNI saturate otherwise"


def test_a_detector_gives_the_same_at_places_where_it_finds_something_and_nothing_elsewhere(tmp_path: Path) -> None:
    photo = load(MODELS.parent / "datasets/samples/makiaveli_1.jpg")
    parts = photo[300:492, 200:488], photo[300:364, 240:304], photo[420:452, 200:232], np.zeros((64, 96, 3), np.uint8)
    pictures = [np.ascontiguousarray(part.transpose(2, 0, 1)[None]) for part in parts]
    networks = []
    for stem in ("plain", "index_detector"):
        source = tmp_path / f"{stem}.onnx"
        shutil.copy(MODELS / "index_detector.onnx", source)
        write_copy(source, pictures[:1])
        networks.append(DetectorNetwork(source))
    found = [
        check_places(*maps)
        for picture in pictures
        for maps in zip(*(net.run(picture) for net in networks), strict=True)
    ]
    assert max(found) > 20
    assert 0 in found[:-2]
    assert found[-2:] == [0, 0], "nothing is found in a black picture"


def check_places(dense: np.ndarray[Any, Any], sparse: np.ndarray[Any, Any]) -> int:
    """Compares the map of places with the map of everything; returns how many places are found."""
    boxes = np.delete(np.arange(dense.shape[1]), LOGITS)
    is_found = dense[0, LOGITS] >= LEAST_LOGIT
    np.testing.assert_array_equal(sparse[0, LOGITS], np.where(is_found, dense[0, LOGITS], NOTHING))
    places = is_found.any(0)
    np.testing.assert_array_equal(sparse[0, boxes][:, places], dense[0, boxes][:, places])
    assert not sparse[0, boxes][:, ~places].any()
    return int(places.sum())


def test_a_fused_copy_gives_the_same(tmp_path: Path) -> None:
    path = write_tiny(tmp_path / "tiny.onnx")
    before = [Tiny(path).run(picture)[0] for picture in pictures(3)]
    write_fused(path)
    path.with_suffix(".fused.onnx").rename(tmp_path / "fused.onnx")
    graph = onnx.load(str(tmp_path / "fused.onnx")).graph
    assert "Relu" not in {node.op_type for node in graph.node}
    for picture, wanted in zip(pictures(3), before, strict=True):
        np.testing.assert_array_equal(Tiny(tmp_path / "fused.onnx").run(picture)[0], wanted)


COPIES = sorted([*MODELS.glob("*.8bit.onnx"), *MODELS.glob("*.fused.onnx")])


@pytest.mark.parametrize("copy", COPIES, ids=lambda copy: copy.name)
def test_each_copy_is_made_from_the_network_beside_it(copy: Path) -> None:
    source = copy.with_name(copy.name.replace(".8bit", "").replace(".fused", ""))
    notes = {note.key: note.value for note in onnx.load(str(copy), load_external_data=False).metadata_props}
    assert notes[MADE_FROM] == digest_of(source), (
        "new weights? python -m models.train.eight_bit SCENES --only NAME; or delete the copy"
    )
