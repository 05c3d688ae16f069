"""Numbers of many launches that a recipe treats as one number.

A recipe asks questions of its numbers ("is the time above 0?"). Here such a question is answered for all launches at
once; where the answer differs between them, :class:`Split` says for which, so that the recipe is run for each part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Split", "Vector"]


class Split(Exception):
    """A question whose answer is not the same for all launches.

    Attributes
    ----------
    mask
        For which launches the answer is yes.
    """

    def __init__(self, mask: npt.NDArray[Any]) -> None:
        super().__init__("the launches differ")
        self.mask = mask


class Vector:
    """One number per launch, with the arithmetic and the comparisons that recipes use."""

    __slots__ = ("data",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, data: Any) -> None:
        self.data = data

    def __bool__(self) -> bool:
        mask = self.data != 0
        if mask.all():
            return True
        if mask.any():
            raise Split(mask)
        return False

    def __abs__(self) -> Vector:
        return Vector(abs(self.data))

    def __add__(self, other: Any) -> Vector:
        return Vector(self.data + _data(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Vector:
        return Vector(self.data - _data(other))

    def __rsub__(self, other: Any) -> Vector:
        return Vector(_data(other) - self.data)

    def __mul__(self, other: Any) -> Vector:
        return Vector(self.data * _data(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Vector:
        return Vector(self.data / _data(other))

    def __rtruediv__(self, other: Any) -> Vector:
        return Vector(_data(other) / self.data)

    def __lt__(self, other: Any) -> Vector:
        return Vector(self.data < _data(other))

    def __le__(self, other: Any) -> Vector:
        return Vector(self.data <= _data(other))

    def __gt__(self, other: Any) -> Vector:
        return Vector(self.data > _data(other))

    def __ge__(self, other: Any) -> Vector:
        return Vector(self.data >= _data(other))

    def __eq__(self, other: object) -> Vector:  # type: ignore[override]
        return Vector(self.data == _data(other))

    def __ne__(self, other: object) -> Vector:  # type: ignore[override]
        return Vector(self.data != _data(other))


def _data(value: Any) -> Any:
    return value.data if isinstance(value, Vector) else value
