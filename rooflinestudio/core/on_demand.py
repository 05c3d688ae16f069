"""A mapping whose values are worked out when somebody asks: most figures of a kernel are never looked at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["OnDemand"]

_V = TypeVar("_V")


class OnDemand(Mapping[str, _V], Generic[_V]):
    """Values by name, each made by its own function at the first access and then kept.

    Parameters
    ----------
    makers
        A function without arguments for each name. The names are known at once, without calling any.
    """

    __slots__ = ("_made", "_makers", "check")

    def __init__(self, makers: Mapping[str, Callable[[], _V]]) -> None:
        self._makers = makers
        self._made: dict[str, _V] = {}
        self.check: Callable[[str, Any], None] | None = None
        """Called with name and value when one is made; the plugin host puts its guard here, which may raise."""

    def __getitem__(self, name: str) -> _V:
        if name in self._made:
            return self._made[name]
        value = self._makers[name]()
        if self.check is not None:
            self.check(name, value)
        self._made[name] = value
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __repr__(self) -> str:
        return f"OnDemand({', '.join(self._makers)})"

    def __reduce__(self) -> Any:
        return dict, (dict(self),)  # functions do not travel to another process; values do
