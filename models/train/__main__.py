"""Trains the networks: `python -m models.train detector|reader|face|counter|layout ...`, in a clone.

The heavy libraries are imported only once the command line is known to be right.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from plumbing.arguments import command_parser, named_path, number, run_command, whole_number, written_file
from plumbing.errors import CardsError

RATE = 1.5e-3
PHOTO_RATE = 3e-4
"""Learning rates from nothing, and where weights go on with photos."""
TAKE_PHOTOS = ("detector", "reader")
"""Networks that learn from photos too."""
LAYOUT_BATCH = 32
INSTALL = "pip install -e '.[train]'"
"""What installs the libraries that training needs, in the clone's folder."""
PACKAGES = {
    "detector": "index_detector",
    "reader": "index_reader",
    "face": "card_face",
    "counter": "back_counter",
    "layout": "table_layout",
}
"""The package of each network, by the word that the command knows it by."""
MEASURED = 500
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
    return run_command(_run, options)


def _parser() -> argparse.ArgumentParser:
    parser = command_parser("models.train", "Train a network, or go on training it.", EXAMPLE)
    parser.add_argument("network", choices=("detector", "reader", "face", "counter", "layout"), help="what to train")
    parser.add_argument(
        "--data",
        type=named_path,
        nargs="+",
        default=[],
        metavar="DIR",
        help="folders of rendered scenes; the layout network needs none, it draws its tables as it learns",
    )
    parser.add_argument(
        "--photos",
        type=named_path,
        nargs="+",
        default=[],
        metavar="DIR",
        help="labelled photos, or photo sets with YOLO labels; without --data, or with --start, the weights go on from "
        "the file (by default the shipped one) and what that did is measured",
    )
    parser.add_argument(
        "--photo-share",
        type=number(0, 1),
        metavar="P",
        help="share of photos beside --data (0.15; 0.5 where weights go on)",
    )
    parser.add_argument(
        "--out", type=named_path, required=True, metavar="DIR", help="folder of the run: checkpoint, log, plot"
    )
    parser.add_argument(
        "--start",
        type=named_path,
        metavar="FILE.onnx",
        help="weights that a new run starts from, such as models/*.onnx",
    )
    parser.add_argument("--minutes", type=number(0, 1e6), default=8.0, help="length of this stage (8; 0 only exports)")
    parser.add_argument("--decay", action="store_true", help="last stage: let the learning rate fall to zero")
    parser.add_argument(
        "--rate", type=number(1e-9, 10), help="learning rate (1.5e-3; 3e-4 where weights go on with photos)"
    )
    parser.add_argument(
        "--batch",
        type=whole_number(1, 10**6),
        help="pictures a step (detector 16, reader and face 128; tables of the counter 10, of the layout 32)",
    )
    parser.add_argument(
        "--side", type=whole_number(64, 4096), default=416, help="crop side of the detector, px, a multiple of 32 (416)"
    )
    parser.add_argument(
        "--workers", type=whole_number(0, 4096), default=0, help="processes that prepare batches (0: none)"
    )
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda, ...")
    parser.add_argument("--threads", type=whole_number(1, 4096), help="threads of torch on the CPU")
    parser.add_argument(
        "--seed", type=whole_number(0, 2**63 - 1), help="start of the random numbers (another one in each stage)"
    )
    parser.add_argument(
        "--calibrate",
        type=named_path,
        nargs="+",
        metavar="DIR",
        help="validation scenes: for the temperature of reader, face or counter, for the detector's --int8",
    )
    parser.add_argument("--int8", action="store_true", help="export the detector with 8-bit weights and activations")
    parser.add_argument(
        "--export", type=written_file, metavar="FILE.onnx", help="write the averaged network as ONNX at the end"
    )
    return parser


def _run(options: argparse.Namespace) -> int:
    if options.threads:
        os.environ["OMP_NUM_THREADS"] = str(options.threads)
    try:
        import_module("models.train")  # before its libraries, so that an installed package names the clone
        _train(options)
    except ModuleNotFoundError as error:
        raise CardsError(f"training needs {error.name}, which is not installed: {INSTALL}") from None
    return 0


def _train(options: argparse.Namespace) -> None:
    import torch

    if options.threads:
        torch.set_num_threads(options.threads)
    if options.network == "layout":
        _train_layout(options)
    elif options.photos and (options.start or not options.data):
        _teach_photos(options)
    else:
        _fit(options, _plan(options, RATE), options.photos, goes_on=False)


def _plan(options: argparse.Namespace, rate: float, *, decay: bool = False) -> Any:
    from models.train import loop

    return loop.Plan(options.minutes, decay=options.decay or decay, rate=options.rate or rate, start=options.start)


def _fit(options: argparse.Namespace, plan: Any, photos: Any, *, goes_on: bool) -> None:
    """Trains a network on rendered scenes and photos, and exports it where that is wanted."""
    from torch.utils.data import DataLoader

    from models.train import loop

    room = import_module(f"models.{PACKAGES[options.network]}.train")
    device = loop.device_of(options.device)
    data = _groups(options, photos, goes_on) if options.network in TAKE_PHOTOS else options.data
    size = {"side": options.side} if options.network == "detector" else {}
    stream = room.batches(data, options.batch or room.BATCH, _seed(options), **size)
    pinned = device.type == "cuda"
    loader = DataLoader(stream, batch_size=None, num_workers=options.workers, pin_memory=pinned)
    model = room.fit(loader, options.out, plan, device)
    if options.export:
        _export(options, room, model, photos, goes_on=goes_on)
        print(f"wrote {options.export}", file=sys.stderr)


def _export(options: argparse.Namespace, room: Any, model: Any, photos: Any, *, goes_on: bool) -> None:
    """Writes a trained network, calibrated where there are scenes for that."""
    net = import_module(f"models.{PACKAGES[options.network]}.net")
    if options.network == "detector":
        net.export(model, options.export)
        if options.int8:
            from models.train.export import to_int8

            to_int8(options.export, room.typical_inputs(options.calibrate or options.data or photos))
        return
    found = room.calibrate(model, options.calibrate) if options.calibrate else None
    if options.network == "counter":
        heat, right = found or (1.0, None)
        print("not calibrated: no --calibrate" if right is None else f"temperature {heat:.2f}, {right:.1%} right")
        net.export(model, options.export, heat)
        return
    if found is None and goes_on:
        found = room.temperatures_of(options.start, photos)
    print(found or "not calibrated: no --calibrate")
    net.export(model, options.export, found)


def _teach_photos(options: argparse.Namespace) -> None:
    """Goes on from weights with photos of which a part is kept, and prints what that did to it."""
    from models.train import own_photos

    photos, kept = own_photos.split_files(options.photos)
    options.start = options.start or own_photos.SHIPPED[options.network]
    options.export = options.export or options.out / f"{options.network}.onnx"
    _fit(options, _plan(options, PHOTO_RATE, decay=True), photos, goes_on=True)
    shipped = own_photos.Weights()
    before, after = (shipped.with_file(options.network, path) for path in (options.start, options.export))
    print("\n".join(own_photos.describe_effect(before, after, kept)))


Groups = list[tuple[Any, float]]
"""Folders, and how often a batch draws from them."""


def _groups(options: argparse.Namespace, photos: Any, goes_on: bool) -> Groups:
    """Rendered scenes and photos with their shares; photos count more where shipped weights go on with them."""
    share = (0.5 if goes_on else 0.15) if options.photo_share is None else options.photo_share
    share = share if photos and options.data else float(bool(photos))
    return [(folders, part) for folders, part in ((options.data, 1 - share), (photos, share)) if folders]


def _seed(options: argparse.Namespace) -> int:
    return time.time_ns() % 2**31 if options.seed is None else int(options.seed)


def _train_layout(options: argparse.Namespace) -> None:
    from models.table_layout import net as layout_net
    from models.table_layout import train as layout_train
    from models.train import loop

    common: dict[str, Any] = {"device": loop.device_of(options.device), "workers": options.workers}
    batch, seed = options.batch or LAYOUT_BATCH, _seed(options)
    model = layout_train.train(options.out, _plan(options, RATE), batch=batch, seed=seed, **common)
    if options.export:
        layout_net.export(model, options.export)
        print(f"wrote {options.export}", file=sys.stderr)
        for name, share in layout_train.measure(model, "held out", MEASURED).items():
            print(f"held out {name}: {share:.3f}")


if __name__ == "__main__":
    sys.exit(main())
