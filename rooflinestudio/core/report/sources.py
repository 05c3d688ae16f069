"""The sources that figures of a report rest on, numbered as they are first cited."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rooflinestudio.core.hardware import Figure, HardwareProfile

__all__ = ["Sources"]


class Sources:
    """Collects sources, each once, and gives each a number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def cite(self, figures: Iterable[Figure], profile: HardwareProfile) -> str:
        """Return the numbers of the sources of figures: ``1, 3``; empty where they name none."""
        texts = [text for figure in figures for text in figure.source.split("; ") if text.strip()]
        told = [_with_address(one, profile.sources) for one in texts]
        numbers = [self._numbers.setdefault(one, len(self._numbers) + 1) for one in told]
        return ", ".join(str(one) for one in sorted(dict.fromkeys(numbers)))

    @property
    def items(self) -> tuple[tuple[str, str], ...]:
        """Number and text of every source."""
        return tuple((str(number), text) for text, number in self._numbers.items())


def _with_address(title: str, known: Mapping[str, str]) -> str:
    """Return a source as the profile lists it: with where it is found."""
    title = title.strip()
    return next((text for text in known.values() if text == title or text.startswith(f"{title} (")), title)
