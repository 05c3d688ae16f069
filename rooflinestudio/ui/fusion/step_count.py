"""Steps of the entries for threads and elements: powers of two."""

from __future__ import annotations

__all__ = ["next_power"]


def next_power(value: int, direction: int, most: int) -> int:
    """Return the next power of two above or below a number, from 1 to ``most``."""
    power = 1
    while power * 2 <= value:
        power *= 2
    if direction > 0:
        return min(most, power * 2)
    return max(1, power if power < value else power // 2)
