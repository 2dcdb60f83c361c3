"""The reader of faces: what it is shown, what it adds to indices, and how it is trained."""

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.scenes.loose_card_scenes import render_scene
from solver.cards import DECK, Card, parse_card
from vision.cards import face_evidence
from vision.cards.assembly import assemble_cards
from vision.cards.face_evidence import faces_of, with_faces
from vision.cards.seen_table import SeenTable
from vision.confidence import PART_SURE_FROM
from vision.image import RGB, load
from vision.networks.card_face import HEIGHT, WIDTH, FaceReader, cut_faces
from vision.networks.outputs import Backs, Detections, Reads
from vision.networks.runtime import ModelError
from vision.photo_to_table import detect_and_read

SAMPLES = Path(__file__).parents[2] / "datasets" / "samples"


def test_a_face_is_straight_and_shows_neither_corners_nor_what_covers_it() -> None:
    picture = np.full((600, 600, 3), 90, np.uint8)
    card = np.array([[100, 100], [300, 120], [290, 420], [95, 400]], float)
    cv2.fillConvexPoly(picture, card.astype(np.int32), (250, 250, 250))
    lower_half = np.array([[0, 250], [400, 250], [400, 600], [0, 600]], float)
    whole, covered = cut_faces(picture, np.stack([card, card]), [np.zeros((0, 4, 2)), lower_half[None]])
    assert whole.shape == (HEIGHT, WIDTH, 4)
    assert (whole[HEIGHT // 2, WIDTH // 2] == [250, 250, 250, 255]).all()
    assert not whole[:20, :12].any()  # a corner
    assert whole[HEIGHT // 2, 0, :3].tolist() == [90, 90, 90]  # the table beside it
    assert covered[30, WIDTH // 2, 3] == 255
    assert not covered[60:].any()
    outside = cut_faces(picture, card[None] - [200, 0], [np.zeros((0, 4, 2))])[0]
    assert not outside[:, : WIDTH // 3].any()
    assert outside[HEIGHT // 2, -10, 3] == 255


@pytest.fixture(scope="module")
def sample() -> tuple[RGB, SeenTable, dict[int, int]]:
    """A photo, its cards, and what those are that lie where the label says one lies."""
    image = load(SAMPLES / "tomb_single_1.jpg")
    found = detect_and_read(image)
    table = assemble_cards(found.detections, found.backs, found.reads, found.size)
    truth = {}
    for card in json.loads((SAMPLES / "tomb_single_1.json").read_text())["cards"]:
        known = parse_card(card["card"]) if card["card"] else None
        for number, seen in enumerate(table.cards):
            width = np.linalg.norm(seen.quad[1] - seen.quad[0])
            if known and np.linalg.norm(seen.quad.mean(0) - np.mean(card["quad"], axis=0)) < 0.3 * width:
                truth[number] = known.index
    assert len(truth) >= 8
    return image, table, truth


def test_faces_alone_name_most_cards_of_a_photo(sample: tuple[RGB, SeenTable, dict[int, int]]) -> None:
    image, table, truth = sample
    said = faces_of(table, image)
    pips = [number for number, card in truth.items() if DECK[card].rank <= 10]
    assert np.mean([said[number].argmax() == truth[number] for number in pips]) > 0.7


def test_a_doubtful_index_is_settled_by_the_face(sample: tuple[RGB, SeenTable, dict[int, int]]) -> None:
    """Clubs and spades as likely as each other by the indices: the pips tell."""
    image, table, truth = sample
    black = {n: c for n, c in truth.items() if c // 13 in (0, 3) and DECK[c].rank <= 10}
    assert black
    even = []
    for number, seen in enumerate(table.cards):
        log = np.full(52, -20.0)
        if number in black:
            other_black = (black[number] + 39) if black[number] < 13 else (black[number] - 39)
            log[[black[number], other_black]] = np.log(0.5)
        even.append(replace(seen, log_card=log if number in black else seen.log_card))
    weighed = with_faces(replace(table, cards=tuple(even)), image)
    assert np.allclose(np.logaddexp.reduce(weighed.log_card, axis=1), 0)
    right = [weighed.cards[number].best.index == card for number, card in black.items()]
    assert np.mean(right) >= 0.8


def test_an_index_of_a_jack_on_the_face_of_an_ace_is_a_doubt(
    sample: tuple[RGB, SeenTable, dict[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Danish ace has the letter E: whichever of index and face is surer, a person is asked."""
    image, table, _ = sample
    jack, ace = parse_card("JD"), parse_card("AD")

    def sure(card: Card, chance: float) -> np.ndarray:
        log = np.full(52, np.log((1 - chance) / 51))
        log[card.index] = np.log(chance)
        return log

    for index, face, doubtful in ((jack, ace, True), (jack, jack, False), (ace, ace, False)):
        read = replace(table, cards=(replace(table.cards[0], log_card=sure(index, 1 - 1e-6)),))
        monkeypatch.setattr(face_evidence, "faces_of", lambda *_, face=face: sure(face, 0.98)[None] + np.log(52))
        chance, others = with_faces(read, image).cards[0].belief()
        assert (chance < PART_SURE_FROM) == doubtful
        assert ({jack, ace} <= {with_faces(read, image).cards[0].best, *(card for card, _ in others)}) or not doubtful


def test_nothing_is_said_where_nothing_lies() -> None:
    empty = assemble_cards(Detections.empty(), Backs.empty(), Reads.empty(), (640, 480))
    assert with_faces(empty, np.zeros((480, 640, 3), np.uint8)) is empty
    assert len(FaceReader().read(np.zeros((0, HEIGHT, WIDTH, 4), np.uint8))) == 0


def test_a_file_that_is_no_face_reader_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no such weights"):
        FaceReader(tmp_path / "missing.onnx")


def scenes(folder: Path) -> Path:
    """A folder with two rendered scenes."""
    folder.mkdir()
    for seed in range(2):
        picture, truth = render_scene(np.random.default_rng(seed), "train", 480)
        cv2.imwrite(str(folder / f"{seed}.jpg"), picture[..., ::-1])
        (folder / f"{seed}.json").write_text(json.dumps(truth))
    return folder


def test_training_ends_in_a_file_that_reads(own_fonts: None, tmp_path: Path) -> None:
    """A few steps only: the way from scenes to an ONNX file."""
    torch = pytest.importorskip("torch")
    from models.card_face import data as face_data
    from models.card_face import net as face_net
    from models.train import layers, loop

    folder = scenes(tmp_path / "scenes")
    batch = next(iter(face_data.batches([folder], 16, 0)))
    pictures = np.ascontiguousarray(batch["image"].permute(0, 2, 3, 1).numpy())
    assert batch["image"].shape == (16, 4, HEIGHT, WIDTH)
    assert set(batch["rank"][batch["is_index"] == 0].tolist()) <= {-1}
    two_steps = islice(face_data.batches([folder], 16, 0), 2)
    net = loop.fit(face_net.TASK, two_steps, tmp_path / "run", loop.Plan(minutes=60), torch.device("cpu"))
    assert isinstance(face_data.calibrate(net, [folder]), layers.Temperatures)
    file = tmp_path / "face.onnx"
    face_net.export(net, file)
    assert len(FaceReader(file).read(pictures)) == 16


def test_training_goes_on_from_the_shipped_weights(own_fonts: None, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from models.card_face import data as face_data
    from models.card_face import net as face_net
    from models.train import layers, loop

    scenes(tmp_path / "scenes")
    plan = loop.Plan(minutes=0, start=FaceReader.weights)
    batches = face_data.batches([tmp_path / "scenes"], 16, 0)
    net = loop.fit(face_net.TASK, batches, tmp_path / "run", plan, torch.device("cpu"))
    face_net.export(net, tmp_path / "again.onnx", layers.Temperatures())
    batch = next(iter(batches))
    pictures = np.ascontiguousarray(batch["image"].permute(0, 2, 3, 1).numpy())
    shipped, again = FaceReader().read(pictures), FaceReader(tmp_path / "again.onnx").read(pictures)
    second, first = np.sort(shipped.log_suit, axis=1)[:, -2:].T
    clear = first - second > 0.1  # where rounding does not decide
    assert clear.sum() >= 8
    assert (shipped.log_suit.argmax(1) == again.log_suit.argmax(1))[clear].all()
