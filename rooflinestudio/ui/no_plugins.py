"""The source of estimates before any plugin is there."""

from __future__ import annotations

from typing import Any

from rooflinestudio.core.errors import UnavailableError

__all__ = ["NoPlugins"]


class NoPlugins:
    """Has no operator; entries that ask for one are unavailable until the plugins are loaded."""

    def operator(self, id_: str, plugin: str = "") -> Any:
        raise UnavailableError(f"Operator {id_!r} is not there yet: the plugins are being loaded.")

    def origin(self, id_: str) -> Any:
        return self.operator(id_)

    def estimate(self, operator: Any, _parameters: Any, _dtypes: Any) -> Any:
        return self.operator(operator.id)
