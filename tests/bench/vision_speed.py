"""Prints the seconds from a decoded photo to a position, on one core, and beside them what yolo11n takes alone.

    python tests/bench/vision_speed.py PHOTO [PHOTO...]

Each photo is measured at 1280 px and at 4000 px on its longer side (12 megapixels at 4:3), the best of a few runs, in
CPU time, all in; "of yolo11n" is its share of what ultralytics' network takes for 1280 x 960 px in torch on one thread,
untrained and without finding boxes. Last come the seconds of wall clock from an empty process to a first reading.
"""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2

FIRST = """
import sys, time
start = time.perf_counter()
from vision.image import load
from vision.photo_to_table import detect_and_read
detect_and_read(load(sys.argv[1]))
print(f"{time.perf_counter() - start:.2f}")
"""
RUNS = 5


def measure_yolo() -> float:
    """Milliseconds of CPU that yolo11n takes for a picture of 1280 x 960 px."""
    import torch

    from models.train import torchvision_stand_in

    torchvision_stand_in.register()
    from ultralytics.nn import tasks

    torch.set_num_threads(1)
    kind: Any = tasks.DetectionModel
    network = kind("yolo11n.yaml", verbose=False).eval().fuse(verbose=False)
    picture, times = torch.zeros(1, 3, 960, 1280), []
    with torch.inference_mode():
        for _ in range(RUNS):
            start = time.process_time()
            network(picture)
            times.append(1000 * (time.process_time() - start))
    return min(times)


def main() -> None:
    """Prints one line a photo and size."""
    from vision.image import load
    from vision.photo_to_reading import read_findings
    from vision.photo_to_table import detect_and_read

    yolo = measure_yolo()
    print(f"yolo11n (torch, one thread) 1280x960: {yolo:.0f} ms")
    photos = sys.argv[1:] or sorted(map(str, Path("datasets/samples").glob("*.jpg")))
    for name in photos:
        photo = load(name)
        for side in (1280, 4000):
            factor = side / max(photo.shape)
            image: Any = cv2.resize(photo, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
            size = image.shape[1], image.shape[0]
            times = []
            for _ in range(RUNS):
                moments = [time.process_time()]
                found = detect_and_read(image)
                moments.append(time.process_time())
                reading = read_findings([found])
                moments.append(time.process_time())
                times.append([1000 * (b - a) for a, b in pairwise(moments)])
            look, parse = min(times, key=sum)
            print(
                f"{Path(name).name} {size[0]}x{size[1]}: {look + parse:.0f} ms, {(look + parse) / yolo:.2f} of yolo11n"
                f" (indices {look:.0f}, all else {parse:.0f});"
                f" {len(found.detections)} indices, {len(reading.cards)} cards"
            )
    if photos:
        done = subprocess.run([sys.executable, "-c", FIRST, photos[0]], capture_output=True, text=True, check=True)
        print(f"from an empty process to the first indices read: {done.stdout.strip()} s of wall clock")


if __name__ == "__main__":
    main()
