"""What columns meant the last time, by the heads of their table: kept in a small file of the user's."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.importing.proposal import StatedColumn
from rooflinestudio.ui.settings import config_folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rooflinestudio.core.importing.proposal import TableProposal

__all__ = ["ColumnMemory"]

MOST: Final = 100
_SIZE_LIMIT: Final = 2**20
_LONGEST: Final = 200


class ColumnMemory:
    """Statements about tables that were imported before; nothing in the file can stop an import."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path

    @property
    def path(self) -> Path:
        """The file."""
        return self._path or config_folder() / "columns.json"

    def recall(self, proposal: TableProposal) -> tuple[StatedColumn, ...]:
        """Return what the columns of a table with these heads were; nothing for a table without heads."""
        if not proposal.has_heads:
            return ()
        stated = _columns(self._read().get(_key(proposal.heads)))
        whole = all(proposal.kind(one.figure) is not None and one.head in proposal.names for one in stated)
        return stated if whole else ()

    def keep(self, proposal: TableProposal, columns: Sequence[StatedColumn]) -> None:
        """Remember columns; a folder that cannot be written only costs the memory."""
        if not proposal.has_heads:
            return
        key = _key(proposal.heads)
        known = {one: value for one, value in self._read().items() if one != key}
        known[key] = [list(one) for one in columns]
        self._write(dict(list(known.items())[-MOST:]))

    def forget(self, proposal: TableProposal) -> None:
        """Forget what columns with these heads were."""
        known = self._read()
        if known.pop(_key(proposal.heads), None) is not None:
            self._write(known)

    def _read(self) -> dict[str, Any]:
        try:
            with self.path.open("rb") as stream:
                document = json.loads(stream.read(_SIZE_LIMIT))
        except (OSError, ValueError, RecursionError):
            return {}
        return document if isinstance(document, dict) else {}

    def _write(self, document: dict[str, Any]) -> None:
        from rooflinestudio.core.study_files import write_atomically

        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
        except OSError:
            return


def _key(heads: Sequence[str]) -> str:
    return hashlib.sha256("\x1f".join(heads).encode()).hexdigest()[:24]


def _columns(value: Any) -> tuple[StatedColumn, ...]:
    if not isinstance(value, list):
        return ()
    rows = [one for one in value if isinstance(one, list) and len(one) == 3]
    texts = all(isinstance(text, str) and len(text) <= _LONGEST for one in rows for text in one)
    return tuple(StatedColumn(*one) for one in rows) if texts and len(rows) == len(value) else ()
