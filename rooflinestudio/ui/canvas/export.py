"""The canvas as a file, PNG, SVG or PDF: drawn by the painter of the screen, with title and model line in it."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QMarginsF, QRect, QSize, QSizeF
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter, QPdfWriter

from rooflinestudio.core.errors import StudioError
from rooflinestudio.ui.canvas.painter import paint, prepare
from rooflinestudio.ui.canvas.text import Text
from rooflinestudio.ui.theme import LIGHT, Theme

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintDevice

    from rooflinestudio.ui.canvas.coordinates import Range
    from rooflinestudio.ui.canvas.painter import Picture
    from rooflinestudio.ui.canvas.scene import Scene

__all__ = ["FORMATS", "PictureError", "export_picture", "picture_image"]

FORMATS: Final = (".png", ".svg", ".pdf")
DEFAULT_SIZE: Final = (1200.0, 750.0)
LARGEST_PIXELS: Final = 120_000_000
_INCH_MM, _DPI, _PDF_DPI = 25.4, 96, 1200


class PictureError(StudioError):
    """A picture that could not be written; the message says which file and why."""


def export_picture(
    path: str | Path,
    scene: Scene,
    range_: Range | None = None,
    *,
    theme: Theme = LIGHT,
    size: tuple[float, float] = DEFAULT_SIZE,
    scale: float = 2.0,
) -> Path:
    """Write a scene to a file whose ending chooses the format; the file is there whole or not at all.

    Parameters
    ----------
    range_
        What the view shows; left out, all markers on the machine's axes.
    size
        Width and height in pixels of 1/96 inch.
    scale
        Dots per pixel of a PNG.

    Raises
    ------
    PictureError
        The ending is none of :data:`FORMATS`, the size is no picture's, or the file cannot be written.
    """
    target = Path(path)
    writers: dict[str, Callable[[Path], None]] = {}
    text = Text()
    shown = replace(scene, empty=None)
    _check_size(target, size, scale)
    picture = prepare(shown, size, range_ or scene.fit_range, text, with_head=True)
    writers[".png"] = lambda file: _write_png(file, picture, theme, text, scale)
    writers[".svg"] = lambda file: _write_svg(file, picture, theme, text)
    writers[".pdf"] = lambda file: _write_pdf(file, picture, theme, text)
    write = writers.get(target.suffix.lower())
    if write is None:
        raise PictureError(
            f"{target}: a picture ends in {', '.join(FORMATS)}, not in {target.suffix or 'nothing'!r}."
        )
    _write_atomically(target, write)
    return target


def picture_image(
    scene: Scene,
    range_: Range | None = None,
    *,
    theme: Theme = LIGHT,
    size: tuple[float, float] = DEFAULT_SIZE,
    scale: float = 2.0,
) -> QImage:
    """Return the picture as an image, for the clipboard."""
    _check_size(Path("picture"), size, scale)
    text = Text()
    picture = prepare(replace(scene, empty=None), size, range_ or scene.fit_range, text, with_head=True)
    return _image(picture, theme, text, scale)


def _check_size(target: Path, size: tuple[float, float], scale: float) -> None:
    width, height = size
    if not (width >= 320 and height >= 240 and scale > 0 and width * height * scale**2 <= LARGEST_PIXELS):
        raise PictureError(
            f"{target}: {width:g} × {height:g} pixels at scale {scale:g} is no size for a picture; "
            f"take at least 320 × 240, and at most {LARGEST_PIXELS // 1_000_000} million dots."
        )


def _image(picture: Picture, theme: Theme, text: Text, scale: float) -> QImage:
    whole = picture.layout.whole
    image = QImage(round(whole.width * scale), round(whole.height * scale), QImage.Format.Format_RGB32)
    image.setDotsPerMeterX(round(_DPI * scale / _INCH_MM * 1000))
    image.setDotsPerMeterY(round(_DPI * scale / _INCH_MM * 1000))
    image.fill(theme.qcolor("canvas"))
    painter = QPainter(image)
    try:
        painter.scale(scale, scale)
        paint(painter, picture, theme, text, vector=True)
    finally:
        painter.end()
    return image


def _write_png(file: Path, picture: Picture, theme: Theme, text: Text, scale: float) -> None:
    if not _image(picture, theme, text, scale).save(str(file)):
        raise OSError("the image could not be written")


def _write_svg(file: Path, picture: Picture, theme: Theme, text: Text) -> None:
    from PySide6.QtSvg import QSvgGenerator

    whole = picture.layout.whole
    generator = QSvgGenerator()
    generator.setFileName(str(file))
    generator.setResolution(_DPI)  # else lengths come out a third too large, and text too small for them
    generator.setSize(QSize(round(whole.width), round(whole.height)))
    generator.setViewBox(QRect(0, 0, round(whole.width), round(whole.height)))
    generator.setTitle(picture.scene.title)
    generator.setDescription(", ".join(picture.scene.model_line))
    _paint_device(generator, picture, theme, text, 1.0)


def _write_pdf(file: Path, picture: Picture, theme: Theme, text: Text) -> None:
    whole = picture.layout.whole
    writer = QPdfWriter(str(file))
    writer.setResolution(_PDF_DPI)
    writer.setTitle(picture.scene.title)
    writer.setCreator("Roofline Studio")
    inches = QSizeF(whole.width / _DPI, whole.height / _DPI)
    page = QPageSize(
        inches * _INCH_MM, QPageSize.Unit.Millimeter, "canvas", QPageSize.SizeMatchPolicy.ExactMatch
    )
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    _paint_device(writer, picture, theme, text, _PDF_DPI / _DPI)


def _paint_device(device: QPaintDevice, picture: Picture, theme: Theme, text: Text, scale: float) -> None:
    painter = QPainter()
    # A painter on a file that cannot be opened only warns, and draws into nothing.
    if not painter.begin(device) or not painter.isActive():
        raise OSError("the file could not be opened")
    try:
        painter.scale(scale, scale)
        paint(painter, picture, theme, text, vector=True)
    finally:
        painter.end()


def _write_atomically(target: Path, write: Callable[[Path], None]) -> None:
    """Write beside the target, look at what was written, and put it in place."""
    made: Path | None = None
    try:
        handle, name = tempfile.mkstemp(
            prefix=f".{target.stem}-", suffix=target.suffix.lower(), dir=target.parent
        )
        os.close(handle)
        made = Path(name)
        write(made)
        if made.stat().st_size == 0:
            raise OSError("nothing was written; is the disk full?")
        made.chmod(0o666 & ~_umask())
        made.replace(target)
    except OSError as error:
        raise PictureError(
            f"{target}: the picture could not be written: {error.strerror or error}."
        ) from error
    finally:
        if made is not None:
            with suppress(OSError):
                made.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
