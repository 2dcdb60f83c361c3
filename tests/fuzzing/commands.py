"""Hostile command lines: commands that are whole, with some words put in, exchanged, left out; on hostile files."""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
import tempfile
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final
from unittest import mock

from solver.__main__ import main as solver_main
from tests.fuzzing.files import pictures
from tests.fuzzing.text import NASTY, bent, mutated, notations
from vision.convert_labels import main as convert_main
from vision.detect import main as detect_main
from vision.evaluate import main as evaluate_main

POSITION: Final = "POSITION"
"""Stands for a random one."""
COMMANDS: Final = (
    ("solve", "old.jsonl"),
    ("solve", "old.jsonl", "--out", "new.jsonl"),
    ("solve", "old.jsonl", "--out", "new.parquet", "--outs"),
    ("makiaveli", POSITION, "--outs"),
    ("makiaveli", POSITION, "--json"),
    ("klondike", "--deal", "7", "--draw", "3"),
    ("klondike", "--random", "3", "--seed", "1", "--rows", "new.jsonl", "--plot", "none"),
    ("klondike", "--random", "3", "--seed", "1", "--resume", "new.jsonl", "--plot", "none"),
    ("klondike", "--random", "2", "--out", "new.png"),
    ("klondike", POSITION, "--json"),
    ("tomb-single", "--seed", "1", "--resume", "new.jsonl", "--plot", "none"),
    ("tomb-single", "--mode", "free", "--out", "new.png"),
    ("tomb-single", "--trace", "--seed", "1"),
    ("tomb-single", POSITION),
    ("tomb-double", "--player", "rule", "--seed", "1", "--resume", "new.jsonl", "--plot", "none"),
    ("tomb-double", POSITION, "--json"),
    ("baccarat", "--seed", "1", "--resume", "new.jsonl", "--plot", "none"),
    ("baccarat", "--shoe", "whole", "--out", "new.png"),
    ("baccarat", "player: 4S 2D; banker: KD 5H"),
    ("whist",),
    (),
)
OPTIONS: Final = (
    "--json", "--help", "-n", "--seed", "--time-limit", "--node-limit", "--mode", "free", "--out", "--workers", "1",
    "--rules", "standard", "--draw", "3", "--outs", "--resume", "--deal", "--redeals", "unlimited", "--player", "rule",
    "7", "-3", "1e3", "0", "nan", "", "--plot", "none", "--trace", "--strict-cross", "--scheduler", "tcp://",
    "--random", "--rows", "old.jsonl", "--decks", "inf", "--cut",
)  # fmt: skip
VISION_OPTIONS: Final = (
    "--json", "--help", "--game", "makiaveli", "klondike", "--hand", "3S 4S", "--no-solve", "--time-limit", "0.2",
    "nan", "--limit", "2", "-1", "--workers", "1", "--scheduler", "tcp://", "--hand-photo", "--no-verdicts", "", ".",
    "--out", "--rows", "--boxes", "card", "--coco",
)  # fmt: skip
_NAMES: Final = (
    "new.jsonl", "new.parquet", "new.png", "new", "old.jsonl", "old.jsonl.part", "a folder", "a folder/new.jsonl",
    "no folder/new.jsonl", "old.jsonl/new", "", " ", ".", "..", "-", "9" * 400, "💥.jsonl", "a\nb.jsonl", "\x00",
)  # fmt: skip
CHOSEN: Final = {
    **dict.fromkeys(("--out", "--rows", "--resume"), _NAMES),
    "--workers": ("1", "0", "-1", "nan", "", "9" * 20),
}
"""What may stand behind an option: nothing of `NASTY`, which names files of this machine, and no crowd of processes."""
HALF_FILE: Final = re.compile(r"\.[0-9a-f]{8}\.part$")


def edited(words: Sequence[str], options: Sequence[str], rng: random.Random) -> list[str]:
    """A command line with a few words put in, exchanged or left out."""
    made = list(words)
    for _ in range(rng.choice((0, 0, 1, 1, 2, 4))):
        word = mutated(rng.choice(notations()), rng) if rng.random() < 0.2 else rng.choice((*options, *NASTY))
        at = rng.randrange(len(made) + 1)
        made[at : at + rng.choice((0, 0, 1))] = [word] * (rng.random() < 0.8)
    return made


def tried(main: Callable[[list[str]], int], words: Sequence[str], rng: random.Random) -> str | None:
    """What is wrong with how a command ends, in a folder of its own, and with what it leaves there."""
    words = [
        rng.choice(CHOSEN[before]) if before in CHOSEN and (word not in CHOSEN[before] or rng.random() < 0.5) else word
        for before, word in pairwise(("", *words))
    ]
    out, err = io.StringIO(), io.StringIO()
    status: Any
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("a folder").mkdir()
        Path("old.jsonl").write_text("\n".join(rng.sample(notations(), 3)), encoding="utf-8")
        no_window = mock.patch("solver.convergence_plot._window_library", return_value=None)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), no_window:
            try:
                status = main(words)
            except SystemExit as error:
                status = error.code
        parts = [path.name for path in Path().rglob("*.part") if path.name not in words]
        left = [name for name in parts if status in (0, None) or HALF_FILE.search(name)]
    if status not in (0, 1, 2, None):
        return f"status {status} of {words}"
    if status == 1 and not (err.getvalue() + out.getvalue()).strip():
        return f"status 1 without a word of {words}"
    if left:
        return f"{left} are left by {words}"
    return f"a traceback of {words}" if "Traceback" in err.getvalue() else None


def prepare() -> None:
    """Runs each command once as it is, so that no case is timed with the compiling of its kernels."""
    for base in COMMANDS:
        if POSITION not in base:
            tried(solver_main, _limited(base, base), random.Random(0))


def solver_command(rng: random.Random) -> str | None:
    """Words behind `python -m solver`."""
    base = [rng.choice(notations()) if word == POSITION else word for word in rng.choice(COMMANDS)]
    return tried(solver_main, _limited(base, edited(base, OPTIONS, rng)), rng)


def _limited(base: Sequence[str], words: Sequence[str]) -> list[str]:
    """A command that is over soon."""
    words, game = list(words), base[0] if base else ""
    words += ["--time-limit", "0.2"] if game in ("solve", "makiaveli", "klondike", "tomb-single", "tomb-double") else []
    words += ["--node-limit", "300"] if game in ("solve", "klondike") else []
    words += ["-n", "20"] if game.startswith(("tomb", "bacc")) and base[1].startswith("--") else []
    return words + ["--workers", "1"] * ("--workers" not in words)


def vision_command(rng: random.Random) -> str | None:
    """Words behind `python -m vision.detect`, `.evaluate` and `.convert`, on folders of broken photos and labels."""
    with tempfile.TemporaryDirectory() as folder:
        photos = Path(folder) / "photos"
        photos.mkdir()
        (photos / "classes.txt").write_text("10H\nQS\nBACK\n", encoding="utf-8")
        for number in range(rng.randrange(3)):
            name = photos / f"{number}.{rng.choice(('jpg', 'png', 'gif', 'webp'))}"
            name.write_bytes(rng.choice(pictures())[: rng.choice((10**6, 10**6, 50, 0))])
            label = json.dumps(bent({"game": "klondike", "cards": [{"card": "AS", "indices": []}]}, rng))
            name.with_suffix(rng.choice((".json", ".xml", ".txt"))).write_text(
                rng.choice((label, "0 0.5 0.5 0.1 0.1", "<annotation></annotation>", mutated(label, rng))),
                encoding="utf-8",
                errors="replace",
            )
        place = rng.choice((str(photos), str(photos), str(photos / "0.jpg"), str(photos / "1.png"), "nowhere.jpg"))
        main, base = rng.choice(
            (
                (detect_main, (place, "--time-limit", "0.2")),
                (detect_main, (place, "--rows", "new.jsonl", "--no-solve")),
                (detect_main, (place, "--out", "new.png", "--json")),
                (evaluate_main, (place, "--out", "new", "--no-verdicts")),
                (convert_main, (place, "--out", "new")),
                (convert_main, (str(photos), "--coco", place, "--out", "new")),
            )
        )
        return tried(main, edited(base, VISION_OPTIONS, rng), rng)
