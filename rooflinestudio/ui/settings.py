"""What the studio remembers between starts: window, theme, last machine, recent files.

A small JSON file in the user's configuration folder. Nothing in it can stop a start: a value that is not what it
should be is dropped alone, keys of a newer version are kept, and a folder that cannot be written only costs the
memory.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rooflinestudio.plugins.user_plugins import UserPlugins

__all__ = [
    "RECENT_LIMIT",
    "SettingsStore",
    "StudioSettings",
    "config_folder",
    "kernels_folder",
    "profiles_folder",
    "state_folder",
    "user_plugins",
]

VERSION: Final = 1
RECENT_LIMIT: Final = 10
_SIDE_PX: Final = (200, 20_000)
_SIZE_LIMIT: Final = 2**20


@dataclass(frozen=True, slots=True)
class StudioSettings:
    """The values, each with the default of a first start.

    Attributes
    ----------
    theme
        ``light``, ``dark`` or ``system``.
    size_px, position_px, maximised
        The window as it was closed; position None lets the desktop choose.
    layout
        State of the docks as Qt wrote it, Base64, or empty.
    last_machine
        Profile id for new studies.
    recent_files
        Absolute paths, the newest first.
    unknown
        Keys of a newer version; written back.
    """

    theme: str = "system"
    size_px: tuple[int, int] = (1600, 1000)
    position_px: tuple[int, int] | None = None
    maximised: bool = False
    layout: str = ""
    last_machine: str = "nvidia-h100-sxm5"
    recent_files: tuple[str, ...] = ()
    unknown: dict[str, Any] = field(default_factory=dict)

    def with_recent(self, path: str) -> StudioSettings:
        """Return the settings with a file at the head of the recent ones."""
        others = tuple(one for one in self.recent_files if one != path)
        return replace(self, recent_files=(path, *others)[:RECENT_LIMIT])

    def without_recent(self, path: str) -> StudioSettings:
        """Return the settings without a file that is gone."""
        return replace(self, recent_files=tuple(one for one in self.recent_files if one != path))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= 4096


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(one) is int for one in value)


_CHECKS: Final[dict[str, Callable[[Any], bool]]] = {
    "theme": lambda value: value in ("light", "dark", "system"),
    "size_px": lambda value: _is_pair(value) and all(_SIDE_PX[0] <= one <= _SIDE_PX[1] for one in value),
    "position_px": lambda value: (
        value is None or (_is_pair(value) and all(abs(one) <= _SIDE_PX[1] for one in value))
    ),
    "maximised": lambda value: isinstance(value, bool),
    "layout": lambda value: isinstance(value, str) and len(value) <= 65536 and value.isascii(),
    "last_machine": _is_text,
    "recent_files": lambda value: isinstance(value, list) and all(_is_text(one) for one in value),
}


def settings_from_document(document: Any) -> tuple[StudioSettings, tuple[str, ...]]:
    """Return the settings of a parsed file, and the names of the values that were dropped."""
    if not isinstance(document, dict):
        return StudioSettings(), ("the whole file",)
    taken: dict[str, Any] = {}
    dropped = []
    for name, check in _CHECKS.items():
        if name not in document:
            continue
        value = document[name]
        if check(value):
            taken[name] = tuple(value) if isinstance(value, list) else value
        else:
            dropped.append(name)
    taken["recent_files"] = taken.get("recent_files", ())[:RECENT_LIMIT]
    unknown = {str(key): value for key, value in document.items() if key not in _CHECKS and key != "version"}
    return StudioSettings(**taken, unknown=unknown), tuple(dropped)


def settings_document(settings: StudioSettings) -> dict[str, Any]:
    """Return the settings as plain data."""
    known = {one.name: getattr(settings, one.name) for one in fields(settings) if one.name != "unknown"}
    return {"version": VERSION, **settings.unknown, **known}


class SettingsStore:
    """The settings of one running studio, and the file they live in.

    Attributes
    ----------
    settings
        The values now.
    dropped
        Names of values in the file that could not be used.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or config_folder() / "settings.json"
        self.settings, self.dropped = self._read()

    def update(self, **changes: Any) -> None:
        """Change values and write the file; a folder that cannot be written is passed over."""
        self.put(replace(self.settings, **changes))

    def put(self, settings: StudioSettings) -> None:
        """Replace all values and write the file."""
        if settings == self.settings:
            return
        self.settings = settings
        from rooflinestudio.core.study_files import write_atomically

        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(
                self.path, json.dumps(settings_document(settings), indent=1, ensure_ascii=False) + "\n"
            )
        except OSError:
            return  # a read-only home costs the memory of the next start, nothing of this one

    def _read(self) -> tuple[StudioSettings, tuple[str, ...]]:
        try:
            with self.path.open("rb") as stream:
                return settings_from_document(json.loads(stream.read(_SIZE_LIMIT)))
        except FileNotFoundError:
            return StudioSettings(), ()
        except (OSError, ValueError, RecursionError):
            return StudioSettings(), ("the whole file",)


def config_folder() -> Path:
    """Return the folder of the user's settings; it need not exist."""
    from platformdirs import user_config_path

    return user_config_path("rooflinestudio", appauthor=False)


def state_folder() -> Path:
    """Return the folder of what is kept for a crash; it need not exist."""
    from platformdirs import user_state_path

    return user_state_path("rooflinestudio", appauthor=False)


def kernels_folder() -> Path:
    """Return the folder of the user's own kernels (:mod:`rooflinestudio.core.custom.kernels`); it need not exist."""
    from platformdirs import user_data_path

    return user_data_path("rooflinestudio", appauthor=False) / "kernels"


def profiles_folder() -> Path:
    """Return the folder of the user's own machines (:mod:`rooflinestudio.core.profile_edit.folder`); as above."""
    from platformdirs import user_data_path

    return user_data_path("rooflinestudio", appauthor=False) / "profiles"


def user_plugins() -> UserPlugins:
    """Return the user's plugin folder with its list of allowed files; the folder need not exist."""
    from platformdirs import user_data_path

    from rooflinestudio.plugins.user_plugins import UserPlugins

    folder = user_data_path("rooflinestudio", appauthor=False) / "plugins"
    return UserPlugins(folder, config_folder() / "allowed_plugins.json")
