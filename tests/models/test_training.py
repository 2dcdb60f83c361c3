"""The training pipeline on a scene made by hand: truth in, batches and checkpoints out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("ultralytics")

from models.index_detector import data as detector_data  # noqa: E402
from models.index_detector import net as detector_net  # noqa: E402
from models.index_detector import prepare  # noqa: E402
from models.index_reader import data as reader_data  # noqa: E402
from models.index_reader import net as reader_net  # noqa: E402
from models.train import __main__ as command  # noqa: E402
from models.train import layers, loop, torchvision_stand_in  # noqa: E402
from models.train.labelled_pictures import BACK, INDEX, DataError, find_files, read_image, read_sample, visible_part  # noqa: E402
from solver.cards import parse_card  # noqa: E402
from vision.networks.outputs import Backs, Detections, Reads  # noqa: E402

torch.set_num_threads(1)

RED = (220, 20, 20)


def write_scene(folder: Path, name: str = "one") -> Path:
    """A grey table with a white card that shows a red square (rank) over a red disc (suit), and an overlapped back."""
    image = np.full((300, 360, 3), 90, np.uint8)
    cv2.rectangle(image, (40, 30), (140, 180), (250, 250, 250), -1)
    cv2.rectangle(image, (48, 38), (60, 52), RED, -1)
    cv2.circle(image, (54, 64), 6, RED, -1)
    cv2.rectangle(image, (200, 60), (300, 210), (30, 30, 180), -1)
    cv2.rectangle(image, (200, 90), (300, 240), (30, 160, 30), -1)
    index = {"box": [48, 38, 60, 70], "rank": [54, 45], "suit": [54, 64], "visible": 1.0}
    faint = {"box": [288, 200, 299, 232], "rank": [294, 226], "suit": [294, 207], "visible": 0.3}
    lost = index | {"visible": 0.1}
    cards = [
        {"card": "8H", "zone": "none", "quad": [[40, 30], [140, 30], [140, 180], [40, 180]], "visible": 1.0,
         "indices": [index, lost]},
        {"card": None, "zone": "none", "quad": [[200, 60], [300, 60], [300, 210], [200, 210]], "visible": 0.2,
         "indices": []},
        {"card": None, "zone": "none", "quad": [[200, 90], [300, 90], [300, 240], [200, 240]], "visible": 1.0,
         "indices": []},
        {"card": "2S", "zone": "none", "quad": [[400, 90], [500, 90], [500, 240], [400, 240]], "visible": 0.0,
         "indices": [faint]},
    ]  # fmt: skip
    scene = {"image": {"width": 360, "height": 300}, "game": None, "deck": "made/by-hand", "split": "train", "seed": 0}
    (folder / f"{name}.json").write_text(json.dumps(scene | {"cards": cards, "position": None}))
    cv2.imwrite(str(folder / f"{name}.jpg"), image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 95])
    return folder / f"{name}.json"


def test_a_scene_is_read(tmp_path: Path) -> None:
    sample = read_sample(write_scene(tmp_path))
    assert sample.kind.tolist() == [INDEX, INDEX, BACK, BACK]
    assert sample.cards[:2] == (parse_card("8H"), parse_card("2S"))
    assert sample.ignore.tolist() == [False, True, False, False], "the index hidden by 70% is not judged"
    assert sample.boxes[2].tolist() == pytest.approx([200, 60, 300, 90], abs=1.5), "a back's visible part"
    assert sample.points[2].ravel().tolist() == pytest.approx([250, 60, 250, 90], abs=1.5)
    assert sample.points[3].ravel().tolist() == pytest.approx([250, 90, 250, 240], abs=1.5)


def test_a_back_covered_from_above_names_its_lower_end_first() -> None:
    card, cover = [[0, 50], [40, 50], [40, 110], [0, 110]], [[0, 30], [40, 30], [40, 90], [0, 90]]
    part = visible_part([card, cover], (200, 200))
    assert part is not None
    assert part[1].ravel().tolist() == pytest.approx([20, 110, 20, 90], abs=1)
    assert visible_part([card, card], (200, 200)) is None


def test_photo_sets_are_read_with_boxes_and_outlines(tmp_path: Path) -> None:
    for folder in ("images", "labels"):
        (tmp_path / folder).mkdir()
    cv2.imwrite(str(tmp_path / "images" / "a.jpg"), np.zeros((100, 200, 3), np.uint8))
    (tmp_path / "classes.txt").write_text("10H BACK")
    (tmp_path / "labels" / "a.txt").write_text("0 0.5 0.5 0.1 0.2\n0 0.1 0.1 0.3 0.1 0.2 0.5\n1 0.5 0.5 0.9 0.9\n")
    sample = read_sample(find_files([tmp_path])[0])
    assert sample.boxes[0].tolist() == pytest.approx([90, 40, 110, 60])
    assert sample.boxes[1].tolist() == pytest.approx([20, 10, 60, 50])
    assert sample.cards == (parse_card("TH"), parse_card("TH"), None)
    assert sample.ignore.tolist() == [False, False, True]
    assert not sample.has_points.any()


def test_unknown_directions_and_outlines_are_read(tmp_path: Path) -> None:
    path = write_scene(tmp_path)
    truth = json.loads(path.read_text())
    truth["cards"][0]["indices"][0] |= {"rank": [54, 54], "suit": [54, 54]}
    for card in truth["cards"]:
        card["quad"] = None
    path.write_text(json.dumps(truth))
    sample = read_sample(path)
    assert sample.kind.tolist() == [INDEX, INDEX]
    assert sample.has_points.tolist() == [False, True]


class UpsideDown:
    """A detector that finds the index of `write_scene` and takes its suit for its rank."""

    def detect(self, image: np.ndarray, *, confidence: float) -> tuple[Detections, Backs]:
        found = Detections([[47, 38, 61, 71]], [0.9], [[54, 64]], [[54, 45]])  # type: ignore[arg-type]
        return found, Backs.empty()


def test_a_hidden_rank_is_not_learned_but_its_suit_is(tmp_path: Path) -> None:
    path = write_scene(tmp_path)
    truth = json.loads(path.read_text())
    truth["cards"][0]["indices"][0] |= {"visible": 0.6, "rank_visible": 0.2, "suit_visible": 1.0}
    path.write_text(json.dumps(truth))
    sample = read_sample(path)
    image = read_image(sample.path)
    cut = reader_data.cut_patches(sample, image, np.random.default_rng(0))
    assert (cut[0].rank, cut[0].suit, cut[0].is_index) == (-1, 2, True)
    assert all((p.rank, p.suit, p.is_index) == (-1, -1, False) for p in cut[1:] if not p.is_index)
    logits = torch.zeros(2, 18)
    batch = reader_data.batch_of(cut[:1] + cut[-1:], None)
    _, parts = layers.loss(logits, batch["rank"], batch["suit"], batch["is_index"])
    assert parts["rank"] == 0
    assert parts["suit"] == pytest.approx(np.log(4))


class Everywhere:
    """A detector that finds the index of `write_scene` and a lamp far from it."""

    def detect(self, image: np.ndarray, *, confidence: float) -> tuple[Detections, Backs]:
        boxes, first, second = [[47, 38, 61, 71], [150, 60, 160, 80]], [[54, 45], [155, 65]], [[54, 64], [155, 75]]
        return Detections(*map(np.float32, (boxes, [0.9, 0.3], first, second))), Backs.empty()


def test_wrong_findings_become_the_readers_negatives(tmp_path: Path) -> None:
    path = write_scene(tmp_path)
    sample = read_sample(path)
    image = read_image(sample.path)
    wrong = prepare.wrong_findings(sample, image, Everywhere())  # type: ignore[arg-type]
    assert wrong.tolist() == [[[155, 65], [155, 75]]]
    assert prepare.main(["negatives", str(tmp_path)]) == 0
    np.savetxt(prepare.negatives_file(path), wrong.reshape(-1, 4))
    assert prepare.read_negatives(path).tolist() == wrong.tolist()
    assert prepare.main(["negatives", str(tmp_path)]) == 0, "what is there is kept"
    assert prepare.read_negatives(path).tolist() == wrong.tolist()
    cut = reader_data.cut_patches(sample, image, np.random.default_rng(0))
    height, width = reader_data.PATCH
    span = reader_data.SPAN * reader_data.TUNING.margin
    lamp = reader_data.upright_crops(image, wrong[:, 0], wrong[:, 1], width=width, height=height, span=span)[0]
    assert any(np.array_equal(patch.image, lamp) and not patch.is_index for patch in cut)
    assert find_files([tmp_path]) == [path], "they are no scene"
    assert prepare.main(["negatives", str(tmp_path / "none")]) == 1


class SquareAbove:
    """A reader that is sure of the eight of hearts where a red square, wider than a disc's cap, stands above."""

    def read_crops(self, crops: np.ndarray) -> Reads:
        red = (crops[..., 0].astype(int) - crops[..., 1] > 60).sum(2)
        first = np.asarray([row[np.flatnonzero(row)[1]] for row in red])
        last = np.asarray([row[np.flatnonzero(row)[-2]] for row in red])
        right = first > last + 4
        rank, suit = np.full((len(crops), 13), -9.0), np.full((len(crops), 4), -9.0)
        rank[np.arange(len(crops)), np.where(right, 7, 0)] = 0
        suit[:, 2] = 0
        norm = [v - np.log(np.exp(v).sum(1, keepdims=True)) for v in (rank, suit)]
        return Reads(*norm, np.zeros(len(crops)))


def test_directions_are_found_by_trying(tmp_path: Path) -> None:
    sample = read_sample(write_scene(tmp_path))
    image = read_image(sample.path)
    points = prepare.find_directions(sample, image, UpsideDown(), SquareAbove())  # type: ignore[arg-type]
    assert list(points) == [0]
    rank, suit = points[0]
    assert suit[1] - rank[1] > 10
    assert abs(suit[0] - rank[0]) < 1
    written = prepare.label_of(sample, image, points)["cards"]
    assert written[0]["indices"][0]["rank"] == rank.tolist()
    assert written[1]["indices"][0]["rank"] == written[1]["indices"][0]["suit"], "unknown: both points coincide"


def test_missing_data_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such folder"):
        find_files([tmp_path / "nowhere"])
    with pytest.raises(DataError, match="no scenes"):
        find_files([tmp_path])
    (tmp_path / "x.jpg").write_bytes(b"no picture")
    with pytest.raises(DataError, match="not a picture"):
        read_image(tmp_path / "x.jpg")


def test_crops_keep_picture_and_truth_together(tmp_path: Path) -> None:
    """Whatever the scale, shift and turn: the rank's and the suit's middle stay red."""
    sample = read_sample(write_scene(tmp_path))
    image = read_image(sample.path)
    rng = np.random.default_rng(0)
    seen = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(detector_data.augment, "photometric", lambda picture, rng: picture)
        for _ in range(60):
            example = detector_data.crop(sample, image, 160, rng)
            assert example.image.shape == (160, 160, 3)
            assert (example.boxes >= 0).all()
            assert (example.boxes <= 160).all()
            for row in np.flatnonzero((example.kind == INDEX) & ~example.ignore):
                for x, y in example.points[row]:
                    if 3 < x < 156 and 3 < y < 156:
                        red, green, _ = example.image[int(y), int(x)].astype(int)
                        assert red > green + 60
                        seen += 1
    assert seen > 20


def test_batches_mark_what_is_not_judged(tmp_path: Path) -> None:
    sample = read_sample(write_scene(tmp_path))
    rng = np.random.default_rng(1)
    examples = [detector_data.crop(sample, read_image(sample.path), 160, rng) for _ in range(8)]
    batch = detector_data.collate(examples)
    assert batch["image"].shape == (8, 3, 160, 160)
    assert batch["free"].shape == (8, 20 * 20 + 10 * 10)
    assert len(batch["bboxes"]) == sum(int((~e.ignore).sum()) for e in examples)
    for number, example in enumerate(examples):
        assert bool(batch["free"][number].any()) <= bool(example.ignore.any())


def test_reader_crops_show_the_index_and_negatives_do_not_claim_a_card(tmp_path: Path) -> None:
    sample = read_sample(write_scene(tmp_path))
    rng = np.random.default_rng(2)
    got = reader_data.cut_patches(sample, read_image(sample.path), rng)
    assert (got[0].rank, got[0].suit) == (7, 2)
    assert all((p.rank, p.suit) == (-1, -1) for p in got[1:])
    crop = reader_data.exact_crop(got[0])
    distance = reader_data.HEIGHT / reader_data.SPAN
    for sign in (-1, 1):
        red, green, _ = crop[round(reader_data.HEIGHT / 2 + sign * distance / 2), reader_data.WIDTH // 2].astype(int)
        assert red > green + 60
    batch = reader_data.batch_of(got, rng)
    assert batch["is_index"].tolist() == [1.0] + [0.0] * (len(got) - 1)


def test_a_card_laid_on_an_index_leaves_its_corner_and_hides_what_is_not_judged() -> None:
    ink = np.full((*reader_data.PATCH, 3), 230, np.uint8)
    middle_y, middle_x = reader_data.PATCH[0] // 2, reader_data.PATCH[1] // 2
    ink[middle_y - 16 : middle_y - 6, middle_x - 5 : middle_x + 5] = 20
    ink[middle_y + 6 : middle_y + 16, middle_x - 5 : middle_x + 5] = 20
    patch = reader_data.Patch(ink, 4, 3, True, 30.0)
    other = reader_data.Patch(np.full_like(ink, 90), 7, 1, True, 30.0)
    rng = np.random.default_rng(3)
    laid = [reader_data.cover(patch, other, rng) for _ in range(60)]
    corner = np.array([part.image[middle_y - 14, middle_x - 4].mean() for part in laid])
    assert (corner < 60).all()
    hidden = np.array([part.image[middle_y + 14, middle_x + 4].mean() > 60 for part in laid])
    assert 0.3 < hidden.mean() < 1
    judged = np.array([part.suit == 3 for part in laid])
    assert 0.7 < judged.mean() < 1
    assert hidden[~judged].all()
    assert {(part.rank, part.is_index) for part in laid} == {(4, True)}


def test_a_batch_without_any_index_has_a_finite_loss() -> None:
    torch.manual_seed(0)
    nothing = torch.full((3,), -1)
    total, parts = layers.loss(torch.randn(3, 18), nothing, nothing, torch.zeros(3))
    assert torch.isfinite(total)
    assert all(np.isfinite(value) for value in parts.values())
    one = torch.tensor([4, -1, -1])
    logits = torch.randn(3, 18)
    alone, _ = layers.loss(logits[:1], one[:1], one[:1] - 4, torch.ones(1))
    mixed, _ = layers.loss(logits, one, torch.tensor([0, -1, -1]), torch.tensor([1.0, 0, 0]))
    index = torch.nn.functional.binary_cross_entropy_with_logits
    difference = index(logits[:, -1], torch.tensor([1.0, 0, 0])) - index(logits[:1, -1], torch.ones(1))
    assert mixed - alone == pytest.approx(float(difference), abs=1e-5)


class Tiny(torch.nn.Module):  # type: ignore[misc, name-defined]
    """A network of one convolution, to train in a moment."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 1, 1)

    def forward(self, x: object) -> object:
        return self.conv(x).mean((1, 2, 3))


def endless() -> Iterator[dict[str, object]]:
    while True:
        image = torch.rand(4, 3, 8, 8)
        yield {"image": image}


def tiny_step(model: object, batch: dict[str, object]) -> tuple[object, dict[str, float]]:
    loss = (model(batch["image"]) - 3).square().mean()  # type: ignore[operator]
    return loss, {"part": 1.0}


def test_training_goes_on_from_its_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "TUNING", replace(loop.TUNING, log_seconds=-1.0))
    torch.manual_seed(0)
    plan, cpu = loop.Plan(minutes=60, rate=0.05, warmup=5), torch.device("cpu")
    loop.train(Tiny(), islice(endless(), 40), tiny_step, tmp_path, plan, cpu)
    first = torch.load(tmp_path / loop.CHECKPOINT, weights_only=True)
    loop.train(Tiny(), islice(endless(), 30), tiny_step, tmp_path, plan, cpu)
    second = torch.load(tmp_path / loop.CHECKPOINT, weights_only=True)
    assert (first["steps"], second["steps"]) == (40, 70)
    rows = [json.loads(line) for line in (tmp_path / loop.LOG).read_text().splitlines()]
    assert [row["steps"] for row in rows] == list(range(1, 71))
    assert rows[-1]["loss"] < rows[0]["loss"] / 2
    assert (tmp_path / "log.png").is_file()
    averaged = loop.train(Tiny(), endless(), tiny_step, tmp_path, loop.Plan(minutes=0), cpu)
    assert torch.equal(averaged.state_dict()["conv.bias"], second["average"]["conv.bias"])


@pytest.mark.slow
def test_the_detector_learns_something_and_its_export_says_the_same(tmp_path: Path) -> None:
    """A step of each kind of batch gives finite losses; ONNX Runtime and torch agree on the raw maps."""
    import onnxruntime

    write_scene(tmp_path)
    torch.manual_seed(0)
    model = detector_net.build()
    loss = detector_net.Loss(model)
    batch = next(iter(detector_data.batches([([tmp_path], 1.0)], 2, 0, 96)))
    total, parts = loss(model.train()(batch["image"].float() / 255), batch)
    total.backward()
    assert all(np.isfinite(value) for value in parts.values())
    assert parts["points"] > 0
    detector_net.export(model, tmp_path / "d.onnx")
    session = onnxruntime.InferenceSession(str(tmp_path / "d.onnx"))
    image = np.random.default_rng(0).integers(0, 255, (1, 3, 64, 160), np.uint8)  # another size than the exported one
    maps = session.run(None, {"image": image})
    assert [m.shape for m in maps] == [(1, 70, 8, 20), (1, 70, 4, 10)]
    with torch.no_grad():
        raw = model.eval()(torch.from_numpy(image).float() / 255)[1]
    flat = np.concatenate([m.reshape(1, 70, -1) for m in maps], 2)
    assert np.allclose(flat[:, :64], raw["boxes"].numpy(), atol=1e-3)
    assert np.allclose(flat[:, 64:66], raw["scores"].numpy(), atol=1e-3)
    assert np.allclose(flat[:, 66:], raw["kpts"].numpy(), atol=1e-3)


def test_the_exported_reader_is_calibrated(tmp_path: Path) -> None:
    from vision.networks.index_reader import HEIGHT, WIDTH, Reader

    torch.manual_seed(0)
    net = reader_net.ReaderNet().eval()
    crops = np.random.default_rng(0).integers(0, 255, (3, HEIGHT, WIDTH, 3), np.uint8)
    reader_net.export(net, tmp_path / "r.onnx", layers.Temperatures(rank=2.0, suit=1.0, index=0.5))
    reads = Reader(tmp_path / "r.onnx").read_crops(crops)
    with torch.no_grad():
        logits = net(torch.from_numpy(crops).permute(0, 3, 1, 2).float() / 255)
    assert np.allclose(reads.log_rank, torch.log_softmax(logits[:, :13] / 2, 1).numpy(), atol=1e-4)
    assert np.allclose(reads.log_index, torch.nn.functional.logsigmoid(logits[:, -1] / 0.5).numpy(), atol=1e-4)


def test_suppression_in_plain_torch_is_greedy() -> None:
    boxes = torch.tensor([[0.0, 0, 10, 10], [0, 0, 10, 9], [0, 0, 5, 10], [50, 50, 60, 60]])
    kept = torchvision_stand_in.nms(boxes, torch.tensor([0.8, 0.9, 0.7, 0.1]), 0.5)
    assert kept.tolist() == [1, 2, 3]
    assert torchvision_stand_in.nms(boxes[:0], torch.zeros(0), 0.5).tolist() == []


def test_the_command_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = command.main(["reader", "--data", str(tmp_path), "--out", str(tmp_path / "run"), "--minutes", "0"])
    assert status == 1
    assert "no scenes" in capsys.readouterr().err
