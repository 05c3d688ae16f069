"""Pictures of how many points fall on each pixel, in room that is kept: fresh memory costs more than counting.

Points are counted column by column. They come in order of x, so that their counts lie close together.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from PySide6.QtGui import QColor, QImage

__all__ = ["Axis", "density_image"]

_FAINT, _FULL = 0.35, 0.95
_SIZES_KEPT: Final = 2


class Axis(NamedTuple):
    """From values to pixels: ``value * scale + offset``."""

    scale: float = 1.0
    offset: float = 0.0


class _Room:
    """Arrays for one size of picture. Above and below its rows lies one more, for points that are not in it."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.stride = height + 2
        self.counts = np.zeros(width * self.stride, np.int32)
        self.columns = tuple(np.empty((width, height), np.uint8) for _ in range(3))
        self.rows = np.empty((height, width), np.uint8)
        self.pixels = np.empty((height, width), np.uint32)

    def image(self, places: Any, colour: QColor, spread: int) -> QImage:
        """Return the picture of points in these places, each spread by so many pixels to every side."""
        self.counts.fill(0)
        np.add.at(self.counts, places, np.int32(1))
        one, wide, full = self.columns
        np.minimum(self.counts.reshape(self.width, self.stride)[:, 1:-1], 255, out=one, casting="unsafe")
        for _ in range(spread):
            np.copyto(wide, one)
            np.maximum(wide[1:], one[:-1], out=wide[1:])
            np.maximum(wide[:-1], one[1:], out=wide[:-1])
            np.copyto(full, wide)
            np.maximum(full[:, 1:], wide[:, :-1], out=full[:, 1:])
            np.maximum(full[:, :-1], wide[:, 1:], out=full[:, :-1])
            one, full = full, one
        np.copyto(self.rows, one.T)
        _table(colour).take(self.rows, out=self.pixels, mode="wrap")
        image = QImage(
            self.pixels.data, self.width, self.height, 4 * self.width,
            QImage.Format.Format_ARGB32_Premultiplied,
        )  # fmt: skip
        return image.copy()  # the room is used again


class _Places:
    """Arrays for as many points as there ever were."""

    def __init__(self) -> None:
        self._grow(0)

    def _grow(self, count: int) -> None:
        self._floats = np.empty(count, np.float32)
        self._whole = np.empty(count, np.int32)
        self._places = np.empty(count, np.intp)

    def of(self, points: tuple[Any, Any], axes: tuple[Axis, Axis], room: _Room) -> Any:
        """Return where in the counts of a room the points belong."""
        count = len(points[0])
        if count > len(self._floats):
            self._grow(count)
        floats, whole, places = self._floats[:count], self._whole[:count], self._places[:count]
        self._pixels(points[0], axes[0], room.width - 1, floats)
        np.copyto(whole, floats, casting="unsafe")
        np.multiply(whole, np.int32(room.stride), out=whole)
        across, up = axes[1]
        self._pixels(points[1], Axis(across, up + 1), room.height + 1, floats)
        np.copyto(places, floats, casting="unsafe")
        np.add(places, whole, out=places)
        return places

    @staticmethod
    def _pixels(values: Any, axis: Axis, last: int, out: Any) -> None:
        np.multiply(values, np.float32(axis.scale), out=out)
        np.add(out, np.float32(axis.offset), out=out)
        np.clip(out, np.float32(0), np.float32(last), out=out)


_rooms: dict[tuple[int, int], _Room] = {}
_places = _Places()


def density_image(
    points: tuple[Any, Any],
    axes: tuple[Axis, Axis],
    size: tuple[int, int],
    colour: QColor,
    *,
    spread: int = 1,
) -> QImage:
    """Return a picture of how many points fall on each pixel; one is seen, many are denser, with the logarithm.

    Parameters
    ----------
    points
        Coordinates as float32; what lies above or below the picture is left out, what lies beside it is taken in.
    axes
        From coordinates to pixels of the picture.
    size
        Width and height in pixels.
    spread
        Pixels to every side that a point covers besides its own.
    """
    room = _rooms.get(size)
    if room is None:
        if len(_rooms) >= _SIZES_KEPT:
            _rooms.clear()
        room = _rooms[size] = _Room(*size)
    return room.image(_places.of(points, axes, room), colour, spread)


def _table(colour: QColor) -> Any:
    """Return premultiplied ARGB for each count from 0 to 255."""
    counts = np.arange(256)
    alpha = _FAINT + (_FULL - _FAINT) * np.log1p(np.maximum(counts - 1, 0)) / np.log(256.0)
    alpha[0] = 0.0
    channels = [
        np.round(alpha * value).astype(np.uint32)
        for value in (255, colour.red(), colour.green(), colour.blue())
    ]
    return (channels[0] << 24) | (channels[1] << 16) | (channels[2] << 8) | channels[3]
