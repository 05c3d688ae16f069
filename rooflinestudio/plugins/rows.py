"""What became of each plugin, as the list of plugins shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["PluginRow", "PluginState"]

PluginState = Literal["loaded", "partly", "failed", "disabled"]


@dataclass(frozen=True, slots=True)
class PluginRow:
    """What became of one plugin.

    Attributes
    ----------
    name, distribution, version
        Name of the entry point, and who brings it.
    state
        ``loaded``; ``partly`` where something of it was refused; ``failed`` where nothing is left; ``disabled``.
    reason
        Why it is not simply loaded, in words; empty if it is.
    foreign
        Whether it is anybody else's than the studio's own.
    import_s
        Time that importing it took, in seconds.
    operators, profiles, readers
        Ids of what it brought.
    problems
        Everything that was found wrong, the reason first, and warnings after it.
    """

    name: str
    distribution: str
    version: str
    state: PluginState
    reason: str = ""
    foreign: bool = True
    import_s: float = 0.0
    operators: tuple[str, ...] = ()
    profiles: tuple[str, ...] = ()
    readers: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
