"""Where the measurements of a file are gathered, with the notes of those that were made many at once."""

from __future__ import annotations

from rooflinestudio.plugins import MeasurementPacker

__all__ = ["Packing"]


class Packing:
    """Measurements by their position, and the notes of the positions that have any.

    Attributes
    ----------
    packer
        Takes the measurements.
    """

    def __init__(self) -> None:
        self.packer = MeasurementPacker()
        self._notes: dict[int, tuple[str, ...]] = {}

    def note(self, notes: tuple[str, ...], positions: list[int]) -> None:
        """Keep what was said about launches that were packed as columns."""
        if notes:
            self._notes.update(dict.fromkeys(positions, notes))

    def notes_at(self, position: int) -> tuple[str, ...]:
        """Give back the notes of a launch that was packed as columns."""
        return self._notes.pop(position, ())
