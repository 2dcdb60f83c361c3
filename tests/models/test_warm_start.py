"""Training goes on from exported files: what comes out of them computes what the files compute."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("ultralytics")

from onnx import numpy_helper  # noqa: E402

from models.back_counter import net as counter_net  # noqa: E402
from models.index_detector import net as detector_net  # noqa: E402
from models.index_reader import net as reader_net  # noqa: E402
from models.table_layout import data as layout_data  # noqa: E402
from models.table_layout import net as layout_net  # noqa: E402
from models.train import layers, loop, onnx_files  # noqa: E402
from vision.networks import runtime  # noqa: E402
from vision.networks.back_counter import BackCounter  # noqa: E402
from vision.networks.index_detector import DetectorNetwork  # noqa: E402
from vision.networks.index_reader import Reader  # noqa: E402
from vision.networks.runtime import ModelError  # noqa: E402
from vision.networks.table_layout import LayoutNetwork  # noqa: E402

MODELS = Path(__file__).parents[2] / "models"
SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "klondike_1.jpg"


def pieces(count: int, height: int, width: int) -> np.ndarray:  # type: ignore[type-arg]
    """Pieces (n, height, width, 3) of a photo: noise alone would leave channels without any variance."""
    image = cv2.imread(str(SAMPLE))[..., ::-1]
    rng = np.random.default_rng(0)
    corners = [(rng.integers(image.shape[0] - height), rng.integers(image.shape[1] - width)) for _ in range(count)]
    return np.stack([image[y : y + height, x : x + width] for y, x in corners])


def likeness(one: np.ndarray, other: np.ndarray) -> float:  # type: ignore[type-arg]
    """Correlation of log-probabilities: a file's temperature, which is not given back, only stretches them."""
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


def clear(log: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    """Rows whose best class is not a matter of rounding."""
    second, first = np.sort(log, axis=1)[:, -2:].T
    return np.asarray(first - second > 0.1)


@pytest.fixture
def _no_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Networks run with the weights that are restored, not with their copies of 8 bits."""
    monkeypatch.setattr(runtime, "copies_of", lambda path: ())


@pytest.mark.usefixtures("_no_copies")
def test_the_shipped_detector_is_restored_exactly() -> None:
    images = np.ascontiguousarray(pieces(4, 160, 192).transpose(0, 3, 1, 2))
    maps = detector_net.RawMaps(detector_net.build())
    onnx_files.restore(maps, MODELS / "index_detector.onnx", torch.from_numpy(images))
    wanted = DetectorNetwork().run(images[:1])
    with torch.no_grad():
        for mine, theirs in zip(maps(torch.from_numpy(images[:1])), wanted, strict=True):
            assert np.abs(mine.numpy() - theirs).max() < 1e-3


@pytest.mark.usefixtures("_no_copies")
def test_the_shipped_reader_and_counter_are_restored_but_for_their_temperature() -> None:
    reader = layers.Calibrated(reader_net.ReaderNet(), layers.Temperatures())
    counter = counter_net.Calibrated(counter_net.CounterNet(), 1.0)
    crops, strips = pieces(64, 64, 48), pieces(8, 384, 96)
    onnx_files.restore(reader, MODELS / "index_reader.onnx", torch.from_numpy(crops))
    beside = counter_net.TASK.not_exported
    onnx_files.restore(counter, MODELS / "back_counter.onnx", torch.from_numpy(strips), left_out=beside)
    read, wanted = Reader().run(crops), BackCounter().run(strips)[0]
    with torch.no_grad():
        got = [part.numpy() for part in reader(torch.from_numpy(crops))]
        count = counter(torch.from_numpy(strips))[0].numpy()
    for mine, theirs in zip(got, read, strict=True):
        assert likeness(mine, theirs) > 0.98
        assert mine.ndim == 1 or (mine.argmax(1) == theirs.argmax(1))[clear(theirs)].all()
    assert likeness(count, wanted) > 0.98
    assert (count.argmax(1) == wanted.argmax(1))[clear(wanted)].all()


def test_the_shipped_layout_network_is_restored_exactly() -> None:
    rows = next(iter(layout_data.batches(1, 5)))["rows"][0]
    single = layout_net.SingleTable(layout_net.LayoutNet())
    onnx_files.restore(single, MODELS / "table_layout.onnx", rows)
    wanted = LayoutNetwork().run(rows.numpy())
    with torch.no_grad():
        for mine, theirs in zip(single(rows), wanted, strict=True):
            assert np.abs(mine.numpy() - theirs).max() < 1e-3


def test_batch_statistics_are_the_pictures_own() -> None:
    """In training mode, where a norm uses its batch's statistics, the restored network says nearly the same."""
    images = torch.from_numpy(np.ascontiguousarray(pieces(8, 160, 192).transpose(0, 3, 1, 2)))
    maps = detector_net.RawMaps(detector_net.build())
    onnx_files.restore(maps, MODELS / "index_detector.onnx", images)
    with torch.no_grad():
        still, learning = maps.eval()(images)[0], maps.train()(images)[0]
    assert float((still - learning).abs().max()) < 1e-2


def test_a_run_starts_from_a_file_only_where_it_has_no_checkpoint(tmp_path: Path) -> None:
    plan = loop.Plan(minutes=1, start=tmp_path / "weights.onnx")
    assert plan.starts(tmp_path) == plan.start
    (tmp_path / loop.CHECKPOINT).touch()
    assert plan.starts(tmp_path) is None


def test_other_files_are_refused(tmp_path: Path) -> None:
    crops = torch.from_numpy(pieces(4, 64, 48))
    reader = layers.Calibrated(reader_net.ReaderNet(), layers.Temperatures())
    with pytest.raises(ModelError, match=r"net\.features"):
        onnx_files.restore(reader, MODELS / "back_counter.onnx", crops)
    (tmp_path / "text.onnx").write_text("no network")
    with pytest.raises(ModelError, match="no ONNX file"):
        onnx_files.restore(reader, tmp_path / "text.onnx", crops)


def test_blended_weights_lie_between_those_of_both_files(tmp_path: Path) -> None:
    weights = MODELS / "back_counter.onnx"
    moved = onnx_files.read_onnx(weights)
    for part in moved.graph.initializer:
        values = numpy_helper.to_array(part)
        if values.dtype.kind == "f":
            part.CopyFrom(numpy_helper.from_array(values + np.float32(0.5), part.name))
    path = tmp_path / "moved.onnx"
    path.write_bytes(moved.SerializeToString())
    onnx_files.blend(path, weights, 0.75)
    parts = zip(
        onnx_files.read_onnx(path).graph.initializer, onnx_files.read_onnx(weights).graph.initializer, strict=True
    )
    away = [numpy_helper.to_array(one) - numpy_helper.to_array(other) for one, other in parts]
    assert {part.dtype.kind for part in away} >= {"f"}
    assert all(np.allclose(part, 0.125, atol=1e-5) for part in away if part.dtype.kind == "f")
    with pytest.raises(ModelError, match="another network"):
        onnx_files.blend(path, MODELS / "index_reader.onnx", 0.5)
