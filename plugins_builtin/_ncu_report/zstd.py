"""Unpacking of compressed reports (``.ncu-repz``) with whatever the machine has for it.

Python 3.14 brings zstd; before that the modules ``backports.zstd`` and ``zstandard`` do it where somebody installed
them, and the program ``zstd`` otherwise. The content goes to a temporary file, as far as a limit: a few bytes can
unpack to any number.
"""

from __future__ import annotations

import importlib
import shutil
import subprocess
import tempfile
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple

from rooflinestudio.plugins import MeasurementCancelled, MeasurementError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["ZSTD_MAGIC", "Unpacked", "unpacked"]

ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_CHUNK: Final = 1 << 18
_WINDOW_LOG: Final = 24  # 16 MiB; the strongest of the usual levels need half of it
_MOST_TIMES: Final = 100
_MOST_BEYOND: Final = 64 << 20  # bytes, so that small files that compress well are no exception
_MODULES: Final = ("compression.zstd", "backports.zstd")


class Unpacked(NamedTuple):
    """An unpacked report.

    Attributes
    ----------
    stream
        Its content, in a temporary file that vanishes when it is closed.
    size
        Bytes in it.
    problem
        Why it is not whole, completing "The file …"; empty if it is.
    """

    stream: BinaryIO
    size: int
    problem: str


def unpacked(path: Path, size: int, progress: Callable[[float], bool] | None = None) -> Unpacked:
    """Unpack a file of ``size`` bytes.

    Parameters
    ----------
    progress
        Called with the share of the file that has been taken, roughly; False cancels.

    Raises
    ------
    MeasurementError
        Nothing here can unpack it, or it unpacks to more than any report would.
    MeasurementCancelled
        ``progress`` returned False.
    """
    target: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    try:
        problem = _unpack(path, target, size * _MOST_TIMES + _MOST_BEYOND, progress)
    except BaseException:
        target.close()
        raise
    return Unpacked(target, target.tell(), problem)


def _unpack(path: Path, target: BinaryIO, most: int, progress: Callable[[float], bool] | None) -> str:
    try:
        with path.open("rb") as packed, _opened(path, packed) as source:
            while chunk := source.read(_CHUNK):
                if target.tell() + len(chunk) > most:
                    raise MeasurementError(
                        f"{path}: it unpacks to more than {most:,} bytes, which no report does."
                    )
                target.write(chunk)
                if progress is not None and not progress(min(target.tell() / most * 10, 1.0)):
                    raise MeasurementCancelled(f"{path}: reading was cancelled.")
    except MeasurementError:
        raise
    except Exception as error:  # each module has errors of its own; what came before them is good
        return f"cannot be unpacked beyond {target.tell():,} bytes ({error or type(error).__name__})"
    return ""


@contextmanager
def _opened(path: Path, packed: BinaryIO) -> Iterator[Any]:
    """Open the unpacked side of a packed file with the first means at hand."""
    module = _module(*_MODULES)
    if module is not None:
        options = {module.DecompressionParameter.window_log_max: _WINDOW_LOG}
        with module.open(packed, "rb", options=options) as source:
            yield source
        return
    module = _module("zstandard")
    if module is not None:
        unpacker = module.ZstdDecompressor(max_window_size=1 << _WINDOW_LOG)
        with unpacker.stream_reader(packed, read_across_frames=True) as source:
            yield source
        return
    program = shutil.which("zstd")
    if program is None:
        raise MeasurementError(
            f"{path}: this report is compressed, and nothing on this machine can unpack it. Unpack it elsewhere with "
            "“zstd -d REPORT.ncu-repz -o REPORT.ncu-rep” and open that, or install zstd."
        )
    with _run(program, packed) as source:
        yield source


def _module(*names: str) -> Any | None:
    """Return the first of these modules that is installed."""
    for name in names:
        with suppress(ImportError):
            return importlib.import_module(name)
    return None


@contextmanager
def _run(program: str, packed: BinaryIO) -> Iterator[IO[bytes]]:
    command = (program, "-d", "-c", "-q", f"--memory={1 << _WINDOW_LOG}")
    with subprocess.Popen(
        command, stdin=packed, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout
        except BaseException:
            process.kill()
            raise
        if process.wait():
            raise OSError(f"zstd ended with {process.returncode}")
