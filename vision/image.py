"""Photos in and pictures out: the only place that knows files, EXIF, colour modes and the order of channels.

Everywhere else an image is a uint8 array (height, width, 3) in the order red, green, blue, upright as the camera was
held. OpenCV's own order (blue first) never leaves this module.
"""

from __future__ import annotations

import io
import os
import warnings
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image, ImageOps

from plumbing.errors import fault_of
from plumbing.files import whole_file
from vision.errors import PhotoError, SystemLibraryError

RGB = NDArray[np.uint8]
"""An upright image, uint8 (height, width, 3), red first."""

MAX_PIXELS: Final = 100_000_000
"""Larger photos are refused before they are decoded."""

STRIP: Final = 64
"""Rows of a picture that are handed over at a time."""

SUFFIXES: Final = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".gif", ".bmp", ".tif", ".tiff")
"""File names that are taken for photos when a folder is read."""
KINDS: Final = "JPEG, PNG, WebP, HEIC, GIF, BMP or TIFF"
"""The same kinds by their names."""

_SAVE_OPTIONS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    ".jpg": ("JPEG", {"quality": 92}),
    ".jpeg": ("JPEG", {"quality": 92}),
    ".png": ("PNG", {}),
    ".webp": ("WEBP", {"quality": 92}),
}
_PACKAGES: Final = {
    "libGL.so.1": "libgl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libSM.so.6": "libsm6",
    "libXext.so.6": "libxext6",
    "libXrender.so.1": "libxrender1",
    "libgomp.so.1": "libgomp1",
}


def system_library_error(error: ImportError) -> SystemLibraryError | None:
    """Names the Debian package behind a failed import, None where the import failed for another reason.

    >>> print(system_library_error(ImportError("libGL.so.1: cannot open shared object file: No such file")))
    the system library libGL.so.1 is missing; on Debian or Ubuntu: apt-get install libgl1
    """
    for library, package in _PACKAGES.items():
        if library in str(error):
            return SystemLibraryError(library, package)
    return None


def opencv() -> Any:
    """The `cv2` module.

    Raises:
        SystemLibraryError: If a system library that OpenCV needs is missing.
    """
    try:
        import cv2
    except ImportError as error:
        known = system_library_error(error)
        if known is None:
            raise
        raise known from error
    return cv2


def load(source: str | os.PathLike[str] | bytes) -> RGB:
    """Reads a photo: JPEG, PNG, WebP, HEIC, GIF, BMP or TIFF, turned upright by its EXIF tag.

    Transparent places become white, of an animation the first picture counts, 16-bit and CMYK become 8-bit RGB.

    Args:
        source: A path, or the file's bytes.

    Returns:
        uint8 (height, width, 3), red first.

    Raises:
        PhotoError: For a file that is missing, empty, truncated, no image, or over `MAX_PIXELS`.
    """
    name = "<bytes>" if isinstance(source, bytes) else os.fspath(source)
    data = source if isinstance(source, bytes) else _read(name)
    if not data:
        raise PhotoError(name, f"the file is empty; expected a photo ({KINDS})")
    _know_heic()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow's own size warning comes before our limit; odd EXIF is no news
        try:
            picture = Image.open(io.BytesIO(data))
        except Image.DecompressionBombError as error:
            raise PhotoError(name, f"too large; expected at most {MAX_PIXELS // 10**6} megapixels") from error
        except Exception as error:  # decoders raise whatever they like on broken bytes
            raise PhotoError(name, f"no image that can be read; expected {KINDS}") from error
        with picture:
            width, height = picture.size
            if width * height > MAX_PIXELS:
                size = f"{width} x {height} = {width * height / 1e6:.0f} megapixels"
                raise PhotoError(name, f"too large ({size}); expected at most {MAX_PIXELS // 10**6} megapixels")
            try:
                picture.load()
                return _rgb(picture)
            except Exception as error:
                reason = f"damaged or truncated {picture.format} ({error}); expected a whole file"
                raise PhotoError(name, reason) from error


def time_taken(path: str | os.PathLike[str]) -> str:
    """When a photo was taken, as its camera wrote it, such as `2026:11:23 18:36:00`; empty where nothing says so."""
    _know_heic()
    try:
        with Image.open(path) as picture:
            exif = picture.getexif()
            original = exif.get_ifd(ExifTags.IFD.Exif).get(ExifTags.Base.DateTimeOriginal)
            return str(original or exif.get(ExifTags.Base.DateTime) or "")
    except Exception:  # decoders raise whatever they like on broken bytes; reading the photo says what is wrong
        return ""


def halved(image: RGB) -> RGB:
    """An image half as wide and high, each pixel the mean of four; an odd last row or column is left out.

    >>> halved(np.arange(60, dtype=np.uint8).reshape(4, 5, 3)).shape
    (2, 2, 3)
    """
    height, width = (max(side - side % 2, 2) for side in image.shape[:2])
    size = (width // 2, height // 2)
    return np.asarray(opencv().resize(image[:height, :width], size, interpolation=opencv().INTER_AREA), np.uint8)


def shrunk(image: RGB, size: tuple[int, int]) -> RGB:
    """An image made smaller to a width and height, each pixel the mean of those that it covers.

    As long as its sides are even and more than twice as long, it is halved first, which takes a third of the time.

    >>> shrunk(np.zeros((48, 64, 3), np.uint8), (13, 10)).shape
    (10, 13, 3)
    """
    while min(image.shape[1] / size[0], image.shape[0] / size[1]) >= 2 and not any(s % 2 for s in image.shape[:2]):
        image = halved(image)
    return np.asarray(opencv().resize(image, size, interpolation=opencv().INTER_AREA), np.uint8)


def at_most(image: RGB, side: int) -> RGB:
    """An image whose longer side is so long at the most, px.

    >>> at_most(np.zeros((48, 64, 3), np.uint8), 32).shape, at_most(np.zeros((48, 64, 3), np.uint8), 99).shape
    ((24, 32, 3), (48, 64, 3))
    """
    share = side / max(image.shape[:2])
    if share >= 1:
        return image
    return shrunk(image, (max(1, round(image.shape[1] * share)), max(1, round(image.shape[0] * share))))


def channels_first(image: RGB) -> RGB:
    """An image (h, w, 3) as networks take it: (1, 3, h, w).

    >>> channels_first(np.zeros((48, 64, 3), np.uint8)).shape
    (1, 3, 48, 64)
    """
    planes = np.empty((1, image.shape[2], *image.shape[:2]), np.uint8)
    opencv().split(image, list(planes[0]))
    return planes


def save(image: RGB, path: str | os.PathLike[str]) -> Path:
    """Writes a picture, the format chosen by the name (.jpg, .png, .webp); a half-written file is never left behind.

    Raises:
        PhotoError: For another suffix.
        OSError: If the place cannot be written.
    """
    target = Path(path)
    if fault := picture_fault(target):
        raise PhotoError(str(target), fault)
    target.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(target) as part:
        part.write_bytes(encode(image, target.suffix))
    return target


def picture_fault(path: Path) -> str | None:
    """What is wrong with the name of a picture that is to be written; None if nothing.

    >>> picture_fault(Path("a.tiff")), picture_fault(Path("a.JPG"))
    ('unknown kind of picture; expected a name ending in .jpg, .jpeg, .png, .webp', None)
    """
    if path.suffix.lower() in _SAVE_OPTIONS:
        return None
    return "unknown kind of picture; expected a name ending in " + ", ".join(_SAVE_OPTIONS)


def encode(image: RGB, suffix: str = ".jpg") -> bytes:
    """The bytes of a picture file of the kind that `suffix` names."""
    kind, options = _SAVE_OPTIONS[suffix.lower()]
    buffer = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(image)).save(buffer, kind, **options)
    return buffer.getvalue()


def photos_in(folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    """All photos of a folder and the folders in it, by name.

    Raises:
        OSError: For a folder that may not be read; photos would be missing without a word otherwise.
    """

    def refuse(error: OSError) -> None:
        raise error

    found = (Path(place) / name for place, _, names in os.walk(folder, onerror=refuse) for name in names)
    photos = (path for path in found if path.suffix.lower() in SUFFIXES and not path.name.startswith("."))
    return tuple(sorted(path for path in photos if path.is_file()))


def _read(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except FileNotFoundError:
        raise PhotoError(name, "no such file") from None
    except IsADirectoryError:
        raise PhotoError(name, "a folder; expected a photo") from None
    except OSError as error:
        raise PhotoError(name, fault_of(error)) from error
    except ValueError as error:  # a null byte in the name
        raise PhotoError(name, f"cannot be read ({error})") from error


def _know_heic() -> None:
    import pillow_heif

    pillow_heif.register_heif_opener()


def _rgb(picture: Image.Image) -> RGB:
    ImageOps.exif_transpose(picture, in_place=True)  # a copy of a large photo would double its memory
    if picture.mode.startswith("I") or picture.mode == "F":  # 16 bits or more a pixel, one channel
        deep = np.asarray(picture).astype(np.float64)
        top = 255.0 if deep.max(initial=0.0) <= 255 else 65535.0
        grey = np.clip(deep * (255.0 / top), 0, 255).astype(np.uint8)
        return np.repeat(grey[:, :, None], 3, axis=2)
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        clear = picture.convert("RGBA")
        white = Image.new("RGBA", clear.size, "white")
        return np.asarray(Image.alpha_composite(white, clear).convert("RGB")).copy()
    return _pixels(picture if picture.mode == "RGB" else picture.convert("RGB"))


def _pixels(picture: Image.Image) -> RGB:
    """The pixels of an RGB picture, taken strip by strip: Pillow copies what it hands over two times more."""
    width, height = picture.size
    found = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, STRIP):
        bottom = min(top + STRIP, height)
        found[top:bottom] = np.asarray(picture.crop((0, top, width, bottom)))
    return found
