"""Shipped machines as they were last read: checking a profile takes 200 ms, taking a checked one up again two.

A JSON file for each machine in the user's cache folder, bound to the very text of the profile and to this version of
the studio. Whatever is wrong with it, the profile itself is read instead.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio import __version__
from rooflinestudio.core import hardware
from rooflinestudio.core.hardware import HardwareProfile
from rooflinestudio.core.profile_index import shipped_profiles

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["ProfileCache"]

_TYPES: Final[dict[str, Any]] = {name: one for name, one in vars(hardware).items() if is_dataclass(one)}
_LARGEST_BYTES: Final = 2**20


class ProfileCache:
    """Keeps checked profiles.

    Parameters
    ----------
    folder
        Where the files are; left out, the user's cache folder. It need not exist.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def get(self, id_: str) -> HardwareProfile | None:
        """Return a shipped machine, if it was kept and its text is the same; else None."""
        key = _key(id_)
        if not key:
            return None
        try:
            with self._path(id_).open("rb") as stream:
                document = json.loads(stream.read(_LARGEST_BYTES))
            if document["key"] != key:
                return None
            profile = _from_plain(document["profile"])
        except (OSError, ValueError, LookupError, TypeError, RecursionError):
            return None
        if not isinstance(profile, HardwareProfile) or profile.content_hash != document.get("content_hash"):
            return None
        return profile

    def put(self, profile: HardwareProfile) -> None:
        """Keep a machine, if it is a shipped one; a folder that cannot be written only costs the time."""
        from rooflinestudio.core.study_files import write_atomically

        key = _key(profile.id)
        if not key:
            return
        document = {"key": key, "content_hash": profile.content_hash, "profile": _plain(profile)}
        with suppress(OSError):
            path = self._path(profile.id)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, json.dumps(document, ensure_ascii=False, allow_nan=False))

    def _path(self, id_: str) -> Path:
        if self._folder is None:
            from platformdirs import user_cache_path

            self._folder = user_cache_path("rooflinestudio", appauthor=False) / "profiles"
        return self._folder / f"{id_}.json"


def _key(id_: str) -> str:
    """Return what a kept machine is bound to, or an empty text for one that does not come with the studio."""
    entry = next((one for one in shipped_profiles() if one.id == id_), None)
    if entry is None:
        return ""
    return hashlib.sha256(f"{__version__}\n".encode() + entry.resource.read_bytes()).hexdigest()


def _plain(value: Any) -> Any:
    """Return a value as JSON can hold it: objects and mappings are marked, since both read as objects there."""
    if is_dataclass(value) and not isinstance(value, type):
        return {
            "type": type(value).__name__,
            **{one.name: _plain(getattr(value, one.name)) for one in fields(value)},
        }
    if hasattr(value, "items"):
        return {"map": [[key, _plain(one)] for key, one in value.items()]}
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _from_plain(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_from_plain(one) for one in value)
    if not isinstance(value, dict):
        return value
    if "map" in value:
        return {key: _from_plain(one) for key, one in value["map"]}
    return _TYPES[value["type"]](**{key: _from_plain(one) for key, one in value.items() if key != "type"})
