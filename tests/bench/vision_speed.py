"""Prints the seconds from a decoded photo to a position, on one core.

    python tests/bench/vision_speed.py PHOTO [PHOTO...]

Each photo is measured at 1280 px and at 4000 px on its longer side (12 megapixels at 4:3), the best of a few runs, in
CPU time; and once the seconds of wall clock from an empty process to a first reading.
"""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import cv2

FIRST = """
import sys, time
start = time.perf_counter()
from vision.image import load
from vision.photo_to_reading import detect_and_read
detect_and_read(load(sys.argv[1]))
print(f"{time.perf_counter() - start:.2f}")
"""


def main() -> None:
    """Prints one line a photo and size."""
    from vision.image import load
    from vision.networks.index_detector import Detector
    from vision.networks.index_reader import Reader
    from vision.photo_to_reading import Findings, read_findings

    detector, reader = Detector(), Reader()
    photos = sys.argv[1:] or sorted(map(str, Path("datasets/samples").glob("*.jpg")))
    for name in photos:
        photo = load(name)
        for side in (1280, 4000):
            factor = side / max(photo.shape)
            image = cv2.resize(photo, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
            size = image.shape[1], image.shape[0]
            times = []
            for _ in range(3):
                moments = [time.process_time()]
                found, backs = detector.detect(image)
                moments.append(time.process_time())
                reads = reader.read(image, found)
                moments.append(time.process_time())
                reading = read_findings([Findings(found, backs, reads, size, image)])
                moments.append(time.process_time())
                times.append([1000 * (b - a) for a, b in pairwise(moments)])
            detect, read, parse = min(times, key=sum)
            print(
                f"{Path(name).name} {size[0]}x{size[1]}: detect {detect:.0f} ms, read {read:.0f} ms, "
                f"parse {parse:.0f} ms ({len(reading.cards)} cards); {len(found)} indices, {len(backs)} backs"
            )
    if photos:
        done = subprocess.run([sys.executable, "-c", FIRST, photos[0]], capture_output=True, text=True, check=True)
        print(f"from an empty process to the first indices read: {done.stdout.strip()} s of wall clock")


if __name__ == "__main__":
    main()
