"""Trains the networks: `python -m models.train detector|reader|face|counter|layout|surface ...`, in a clone.

The heavy libraries are imported only once the command line is known to be right.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from plumbing.arguments import command_parser, named_path, number, run_command, whole_number, written_file
from plumbing.errors import CardsError

RATE = 1.5e-3
PHOTO_RATE = 3e-4
"""Learning rates from nothing, and where weights go on with photos."""
TAKE_PHOTOS = ("detector", "reader")
"""Networks that learn from photos too."""
CALIBRATED = ("reader", "face", "counter")
"""Networks whose probabilities get a temperature."""
INSTALL = "pip install -e '.[train]'"
"""What installs the libraries that training needs, in the clone's folder."""
PACKAGES = {
    "detector": "index_detector",
    "reader": "index_reader",
    "face": "card_face",
    "counter": "back_counter",
    "layout": "table_layout",
    "surface": "surface_map",
}
"""The package of each network, by the word that the command knows it by."""
MEASURED_TABLES = 500
"""Tables of held-out families that a new layout network is measured on."""
EXAMPLE = """\
example (scenes first, then a stage of 8 minutes; the same command again goes on from its checkpoint):
  python -m datasets --kind mixed -n 4000 --split train --size 800 --out out/train
  python -m models.train detector --data out/train --out runs/detector --minutes 8
  python -m models.train detector --data out/train --out runs/detector --minutes 8 --decay \\
    --export models/index_detector.onnx
To go on from the weights that are there already, without the checkpoint of the run that made them:
  python -m models.train reader --data out/train --out runs/reader --start models/index_reader.onnx --rate 5e-4
The layout network learns from tables that are laid and seen without a picture:
  python -m models.train layout --out runs/layout --minutes 60 --decay --workers 1 --export models/table_layout.onnx
To teach the reader photos of your own in minutes (labelled as datasets/README.md says; a part is kept for measuring,
and what it did to them and to the shipped samples is printed); with --data nothing else is forgotten:
  python -m models.train reader --photos out/mine --data out/train --out runs/mine --minutes 5
On a GPU the same command trains with more pictures at a time: --batch 128 --workers 14.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.side % 32:
        parser.error(f"argument --side: {options.side} is no multiple of 32")
    enough = options.data or options.network == "layout" or (options.photos and options.network in TAKE_PHOTOS)
    if not enough:
        parser.error("the following arguments are required: --data")
    if options.blend and not (options.start and options.export):
        parser.error("argument --blend: needs --start and --export: it mixes the weights of both")
    return run_command(_run, options)


def _parser() -> argparse.ArgumentParser:
    parser = command_parser("models.train", "Train a network, or go on training it.", EXAMPLE)
    add = parser.add_argument
    folders: dict[str, Any] = {"type": named_path, "nargs": "+", "metavar": "DIR", "default": []}
    add("network", choices=tuple(PACKAGES), help="what to train")
    add(
        "--data",
        help="folders of rendered scenes; the layout network needs none, it draws its tables as it learns",
        **folders,
    )
    add(
        "--photos",
        help="labelled photos, or photo sets with YOLO labels; without --data, or with --start, the weights go on from "
        "the file (by default the shipped one) and what that did is measured",
        **folders,
    )
    add("--photo-share", type=number(0, 1), metavar="P", help="of photos beside --data (0.15; 0.5 where weights go on)")
    add("--out", type=named_path, required=True, metavar="DIR", help="folder of the run: checkpoint, log, plot")
    add("--start", type=named_path, metavar="FILE.onnx", help="weights that a new run starts from: models/*.onnx")
    add("--minutes", type=number(0, 1e6), default=8.0, help="length of this stage (8; 0 only exports)")
    add("--decay", action="store_true", help="last stage: let the learning rate fall to zero")
    add("--rate", type=number(1e-9, 10), help="learning rate (1.5e-3; 3e-4 where weights go on with photos)")
    add(
        "--batch",
        type=whole_number(1, 10**6),
        help="pictures a step (detector 16, reader, face 128, surface 8; tables of counter 10, of layout 32)",
    )
    add(
        "--side", type=whole_number(64, 4096), default=416, help="crop side of the detector, px, a multiple of 32 (416)"
    )
    add("--times", type=whole_number(1, 100), default=1, help="how often each batch is learned, on a fast GPU (1)")
    add("--workers", type=whole_number(0, 4096), default=0, help="processes that prepare batches (0: none)")
    add("--device", default="auto", help="auto, cpu, cuda, ...")
    add("--threads", type=whole_number(1, 4096), help="threads of torch on the CPU")
    add("--seed", type=whole_number(0, 2**63 - 1), help="start of the random numbers (another one in each stage)")
    add("--calibrate", help="validation scenes that tell the temperature of reader, face or counter", **folders)
    add(
        "--blend", type=number(0, 1), default=0.0, metavar="P", help="of the exported weights, the share of --start (0)"
    )
    add("--export", type=written_file, metavar="FILE.onnx", help="write the averaged network as ONNX at the end")
    return parser


def _run(options: argparse.Namespace) -> int:
    if options.threads:
        os.environ["OMP_NUM_THREADS"] = str(options.threads)
    try:
        import torch

        if options.threads:
            torch.set_num_threads(options.threads)
        if options.photos and (options.start or not options.data):
            _teach_photos(options)
        else:
            _fit(options, options.photos, RATE)
    except ModuleNotFoundError as error:
        raise CardsError(f"training needs {error.name}, which is not installed: {INSTALL}") from None
    return 0


def _fit(options: argparse.Namespace, photos: Sequence[Path], rate: float, *, teaches: bool = False) -> None:
    """Trains a network and exports it where that is wanted; with `teaches` shipped weights go on with photos."""
    from torch.utils.data import DataLoader

    from models.train import loop

    net, data = (import_module(f"models.{PACKAGES[options.network]}.{part}") for part in ("net", "data"))
    device = loop.device_of(options.device)
    plan = loop.Plan(
        options.minutes,
        decay=options.decay or teaches,
        rate=options.rate or rate,
        start=options.start,
        times=options.times,
    )
    seed = time.time_ns() % 2**31 if options.seed is None else options.seed
    more = {"side": options.side} if options.network == "detector" else {}
    stream = data.batches(*_sources(options, photos, teaches), options.batch or data.BATCH, seed, **more)
    loader = DataLoader(stream, batch_size=None, num_workers=options.workers, pin_memory=device.type == "cuda")
    model = loop.fit(net.TASK, loader, options.out, plan, device)
    if options.export:
        _export(options, net, data, model, options.start if teaches else None, photos)


def _export(
    options: argparse.Namespace, net: Any, data: Any, model: Any, goes_on: Path | None, photos: Sequence[Path]
) -> None:
    """Writes a trained network, calibrated where there are scenes for it; `goes_on` is the file that photos changed."""
    found = None
    if options.network in CALIBRATED:
        found = data.calibrate(model, options.calibrate) if options.calibrate else None
        if found is None and goes_on and options.network == "reader":
            found = data.temperatures_of(goes_on, photos)
        print(found or "not calibrated: no --calibrate")
    net.export(model, options.export, found)
    if options.blend:
        from models.train.onnx_files import blend

        blend(options.export, options.start, options.blend)
    print(f"wrote {options.export}", file=sys.stderr)
    if options.network == "layout":
        for name, share in data.measure(model, "held out", MEASURED_TABLES).items():
            print(f"held out {name}: {share:.3f}")


def _sources(options: argparse.Namespace, photos: Sequence[Path], teaches: bool) -> tuple[Any, ...]:
    """What a network learns from: nothing, folders of scenes, or scenes and photos each with its share of a batch."""
    if options.network == "layout":
        return ()
    if options.network not in TAKE_PHOTOS:
        return (options.data,)
    share = (0.5 if teaches else 0.15) if options.photo_share is None else options.photo_share
    share = share if photos and options.data else float(bool(photos))
    return ([(folders, part) for folders, part in ((options.data, 1 - share), (photos, share)) if folders],)


def _teach_photos(options: argparse.Namespace) -> None:
    """Goes on from weights with photos of which a part is kept, and prints what that did to it."""
    from models.train import own_photos

    photos, kept = own_photos.split_files(options.photos)
    options.start = options.start or own_photos.SHIPPED[options.network]
    options.export = options.export or options.out / f"{options.network}.onnx"
    _fit(options, photos, PHOTO_RATE, teaches=True)
    before, after = (own_photos.SHIPPED | {options.network: path} for path in (options.start, options.export))
    print("\n".join(own_photos.describe_effect(before, after, kept)))


if __name__ == "__main__":
    sys.exit(main())
