"""Opening a report: what kind of file it is, its digest, and its content, unpacked if need be."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Final

from plugins_builtin._ncu.explain import binary_kind
from plugins_builtin._ncu_report.container import REPORT_MAGIC
from plugins_builtin._ncu_report.zstd import ZSTD_MAGIC, unpacked
from rooflinestudio.plugins import MeasurementCancelled, MeasurementError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["EXTENSIONS", "OPENED", "Content", "is_report", "opened"]

EXTENSIONS: Final = (".ncu-rep", ".ncu-repz", ".nsight-cuprof-report")
OPENED: Final = 0.25
"""Share of the progress after which the content is at hand."""

_CHUNK: Final = 1 << 20
_HASHED: Final = 0.2
_HEAD: Final = 256  # bytes


@dataclass(frozen=True, slots=True)
class Content:
    """What is in a report.

    Attributes
    ----------
    stream, size
        The content and its bytes; it need not be whole.
    given
        Bytes of the file that was given: smaller where it is compressed.
    digest
        SHA-256 of that file.
    problem
        Why the content is not whole, completing "The file …"; empty if it is.
    """

    stream: BinaryIO
    size: int
    given: int
    digest: str
    problem: str = ""


def is_report(head: bytes, name: str) -> bool:
    """Whether a file begins like a report; a compressed file must be called like one besides."""
    return head.startswith(REPORT_MAGIC) or (
        head.startswith(ZSTD_MAGIC) and name.lower().endswith(EXTENSIONS)
    )


@contextmanager
def opened(path: Path, progress: Callable[[float], bool] | None) -> Iterator[Content]:
    """Open a report.

    Raises
    ------
    MeasurementError
        It cannot be read, also later on; is of another kind; or is compressed and nothing here can unpack it.
    MeasurementCancelled
        ``progress`` returned False.
    """
    try:
        with path.open("rb") as stream:
            head, digest, size = _hashed(path, stream, progress)
            if head.startswith(REPORT_MAGIC):
                yield Content(stream, size, size, digest)
                return
            if not is_report(head, path.name):
                raise MeasurementError(_other(path, head))
            content = unpacked(path, size, _later(progress))
            with content.stream:
                content.stream.seek(0)
                if content.stream.read(len(REPORT_MAGIC)) != REPORT_MAGIC:
                    why = f"it {content.problem}" if content.problem else "what is packed in it is none"
                    raise MeasurementError(f"{path}: this is no report of Nsight Compute: {why}.")
                yield Content(content.stream, content.size, size, digest, content.problem)
    except OSError as error:
        raise MeasurementError(f"{path}: cannot be read ({error.strerror or error}).") from error


def _later(progress: Callable[[float], bool] | None) -> Callable[[float], bool] | None:
    return None if progress is None else lambda share: progress(_HASHED + (OPENED - _HASHED) * share)


def _other(path: Path, head: bytes) -> str:
    """Say what a file is that is no report."""
    if not head:
        return f"{path}: the file is empty."
    kind = binary_kind(head) if b"\0" in head or head[:1] > b"\x7f" else "no binary report but a text"
    return f"{path}: this is {kind}, whatever its name says. Open a report that “ncu -o report” wrote."


def _hashed(path: Path, stream: BinaryIO, progress: Callable[[float], bool] | None) -> tuple[bytes, str, int]:
    """Beginning, digest and size of a file."""
    expected = max(stream.seek(0, 2), 1)
    stream.seek(0)
    digest = hashlib.sha256()
    head = b""
    size = 0
    while chunk := stream.read(_CHUNK):
        head = head or chunk[:_HEAD]
        digest.update(chunk)
        size += len(chunk)
        if progress is not None and not progress(min(size / expected, 1.0) * _HASHED):
            raise MeasurementCancelled(f"{path}: reading was cancelled.")
    return head, digest.hexdigest(), size
