"""Single ``.py`` files in the user's plugin folder: off until the user allows each one, since they are code.

What is allowed is the content (its SHA-256), not the name: a file that changes must be allowed again, and what runs is
exactly the text that was compared.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Literal

from rooflinestudio.core.errors import PluginError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["UserPluginFile", "UserPlugins"]

FORMAT: Final = "rooflinestudio-allowed-plugins/1"
LARGEST_BYTES: Final = 1_000_000
_LARGEST_LIST_BYTES: Final = 1_000_000
_PACKAGE: Final = "rooflinestudio_user_plugins"
_SHA256: Final = re.compile(r"[0-9a-f]{64}")

Permission = Literal["allowed", "new", "changed", "unreadable"]


@dataclass(frozen=True, slots=True)
class UserPluginFile:
    """One file of the folder, as it was when it was looked at.

    Attributes
    ----------
    path
        Where it stands.
    sha256
        Of its content, hexadecimal; empty if it could not be read.
    permission
        ``allowed``; ``new`` if it never was; ``changed`` since it was; ``unreadable``.
    problem
        Why it could not be read, or empty.
    source
        Its content.
    """

    path: Path
    sha256: str
    permission: Permission
    problem: str = ""
    source: bytes = b""

    @property
    def name(self) -> str:
        """The file's name, by which it is allowed."""
        return self.path.name

    @property
    def version(self) -> str:
        """The beginning of the SHA-256: what tells one state of the file from another."""
        return self.sha256[:12]

    @property
    def reason(self) -> str:
        """Why it is not loaded, in words; empty if it is allowed."""
        return {
            "allowed": "",
            "new": "Not allowed yet: a plugin file is code that runs with your rights. Read it, then allow it.",
            "changed": "Changed since it was allowed. Read it, then allow it again.",
            "unreadable": self.problem,
        }[self.permission]

    def load(self) -> ModuleType:
        """Run the file as it was read and return the module; raises whatever it raises."""
        if self.permission != "allowed":
            raise PluginError(f"{self.name} is not loaded. {self.reason}")
        name = f"{_PACKAGE}.{re.sub(r'[^0-9A-Za-z_]', '_', self.path.stem)}_{self.version}"
        module = ModuleType(name)
        module.__file__ = str(self.path)
        sys.modules[name] = module  # dataclasses and pickle look their module up there
        try:
            exec(compile(self.source, str(self.path), "exec", dont_inherit=True), module.__dict__)
        except BaseException:
            sys.modules.pop(name, None)
            raise
        return module


class UserPlugins:
    """The user's plugin folder, and the list of what is allowed in it.

    Parameters
    ----------
    folder
        Where the ``.py`` files are; it need not exist. Names that begin with ``_`` or ``.`` are left out, and
        sub-folders are not looked into.
    allowed_file
        JSON file with the list, written whole or not at all.
    """

    def __init__(self, folder: Path, allowed_file: Path) -> None:
        self.folder = folder
        self.allowed_file = allowed_file

    def files(self) -> tuple[UserPluginFile, ...]:
        """Look at every file of the folder, by name."""
        allowed, _ = self._read_list()
        with suppress(OSError):
            paths = sorted(path for path in self.folder.glob("*.py") if not path.name.startswith(("_", ".")))
            return tuple(_looked_at(path, allowed.get(path.name)) for path in paths)
        return ()

    @property
    def problem(self) -> str:
        """What is wrong with the list of allowed files, in words; then nothing is allowed. Empty if it is in order."""
        return self._read_list()[1]

    def allow(self, file: UserPluginFile) -> None:
        """Allow a file with the content that it had when it was looked at.

        Raises
        ------
        PluginError
            If it could not be read then, or the list cannot be written.
        """
        if not file.sha256:
            raise PluginError(f"{file.name} cannot be allowed. {file.problem}")
        allowed, _ = self._read_list()
        self._write_list({**allowed, file.name: file.sha256})

    def disallow(self, name: str) -> None:
        """Take a permission back; what is loaded already stays until the studio is closed.

        Raises
        ------
        PluginError
            If the list cannot be written.
        """
        allowed, _ = self._read_list()
        if allowed.pop(name, None) is not None:
            self._write_list(allowed)

    def _read_list(self) -> tuple[dict[str, str], str]:
        """Return SHA-256 by name, and what is wrong with the list."""
        where = f"The list of allowed plugin files {self.allowed_file}"
        try:
            with self.allowed_file.open("rb") as stream:
                data = stream.read(_LARGEST_LIST_BYTES + 1)
            if len(data) > _LARGEST_LIST_BYTES:
                return (
                    {},
                    f"{where} is larger than {_LARGEST_LIST_BYTES} bytes, so nothing is allowed. Delete it.",
                )
            return _allowed_in(json.loads(data)), ""
        except FileNotFoundError:
            return {}, ""
        except OSError as error:
            return {}, f"{where} cannot be read ({error.strerror or error}), so nothing is allowed."
        except (ValueError, RecursionError) as error:
            return {}, f"{where} is damaged ({error}), so nothing is allowed. Allow the files again."

    def _write_list(self, allowed: dict[str, str]) -> None:
        from rooflinestudio.core.study_files import write_atomically

        document = {"format": FORMAT, "allowed": dict(sorted(allowed.items()))}
        try:
            self.allowed_file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.allowed_file, json.dumps(document, indent=1) + "\n")
        except OSError as error:
            text = f"The list of allowed plugin files {self.allowed_file} cannot be written: {error.strerror or error}."
            raise PluginError(f"{text} Make its folder writable.") from None


def _allowed_in(document: Any) -> dict[str, str]:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f"its format is not {FORMAT}")
    allowed = document.get("allowed")
    if not isinstance(allowed, dict):
        raise ValueError("it has no mapping 'allowed'")
    for name, sha256 in allowed.items():
        if not isinstance(sha256, str) or not _SHA256.fullmatch(sha256):
            raise ValueError(f"the SHA-256 of {name} is {sha256!r}")
    return dict(allowed)


def _looked_at(path: Path, allowed: str | None) -> UserPluginFile:
    try:
        if not path.is_file():
            return UserPluginFile(path, "", "unreadable", "It is no file.")
        with path.open("rb") as stream:
            source = stream.read(LARGEST_BYTES + 1)
    except OSError as error:
        return UserPluginFile(path, "", "unreadable", f"It cannot be read: {error.strerror or error}.")
    if len(source) > LARGEST_BYTES:
        return UserPluginFile(path, "", "unreadable", f"It is larger than {LARGEST_BYTES} bytes.")
    sha256 = hashlib.sha256(source).hexdigest()
    permission: Permission = "new" if allowed is None else "allowed" if sha256 == allowed else "changed"
    return UserPluginFile(path, sha256, permission, "", source)
