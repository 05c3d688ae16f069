"""Compressed reports: unpacked with what the machine has, within bounds, or answered with what to do."""

from __future__ import annotations

import io
import shutil
import struct
import sys
from types import ModuleType

import pytest

from plugins_builtin._ncu_report import zstd
from plugins_builtin.nsight_compute_report import NsightComputeReport
from rooflinestudio.core.measurement import MeasurementCancelled, MeasurementError
from tests.builtin.nsight_reports import DRAM, TIME, Kernel, read_bytes, report

MODULES = ("compression.zstd", "backports.zstd", "zstandard")
PROGRAM = shutil.which("zstd")
needs_program = pytest.mark.skipif(PROGRAM is None, reason="the program zstd is not installed")

CONTENT = report(Kernel({**TIME, **DRAM}), Kernel(TIME))


def frame(content: bytes, *, repeated: int = 0) -> bytes:
    """A zstd frame without compression: a window of 128 KiB, raw blocks, then so many blocks of one repeated byte."""
    chunks = [content[start : start + (1 << 17)] for start in range(0, len(content), 1 << 17)]
    found = zstd.ZSTD_MAGIC + b"\0\x38"
    for chunk in chunks:
        found += struct.pack("<I", len(chunk) << 3)[:3] + chunk
    found += (struct.pack("<I", (1 << 17) << 3 | 1 << 1)[:3] + b"\0") * repeated
    return found + b"\x01\0\0"


@pytest.fixture
def without_modules(monkeypatch):
    """As on a machine where no module for zstd is installed."""
    for name in MODULES:
        monkeypatch.setitem(sys.modules, name, None)


def _module(monkeypatch, name: str, opened) -> list[object]:
    """Put a module in place of those that may be there; ``opened`` makes the unpacked side of a file."""
    asked: list[object] = []
    for other in MODULES:
        monkeypatch.setitem(sys.modules, other, None)

    class Parameter:
        window_log_max = "window"

    class Decompressor:
        def __init__(self, max_window_size: int) -> None:
            asked.append(max_window_size)

        def stream_reader(self, packed, read_across_frames: bool):
            assert read_across_frames
            return opened(packed)

    def plain_open(packed, mode: str, options):
        assert mode == "rb"
        asked.append(options)
        return opened(packed)

    module = ModuleType(name)
    module.DecompressionParameter, module.open, module.ZstdDecompressor = Parameter, plain_open, Decompressor
    monkeypatch.setitem(sys.modules, name, module)
    return asked


def _raw(packed) -> io.BytesIO:
    """Unpack a frame of one raw block."""
    data = packed.read()
    assert data.startswith(zstd.ZSTD_MAGIC)
    return io.BytesIO(data[9:-3])


def test_a_compressed_report_is_known_by_content_and_name():
    reader = NsightComputeReport()

    assert reader.recognises(frame(CONTENT), "report.ncu-repz")
    assert reader.recognises(frame(CONTENT), "REPORT.NCU-REP")
    assert not reader.recognises(frame(CONTENT), "archive.zst")
    assert ".ncu-repz" in reader.extensions


@pytest.mark.parametrize("name", MODULES)
def test_a_module_that_is_installed_unpacks_it(name, monkeypatch, tmp_path):
    asked = _module(monkeypatch, name, _raw)

    file = read_bytes(frame(CONTENT), tmp_path, "report.ncu-repz")

    assert [launch.time_s for launch in file.measurements] == [0.001, 0.001]
    assert not file.warnings
    assert asked in ([1 << 24], [{"window": 24}])  # no file may ask for more memory than that


@needs_program
def test_the_program_unpacks_it(without_modules, tmp_path):
    file = read_bytes(frame(CONTENT), tmp_path, "report.ncu-repz")

    assert [launch.time_s for launch in file.measurements] == [0.001, 0.001]
    assert not file.warnings
    assert file.format == "ncu-report"


def test_without_any_means_the_answer_says_what_to_do(without_modules, monkeypatch, tmp_path):
    monkeypatch.setattr(zstd.shutil, "which", lambda name: None)

    with pytest.raises(MeasurementError, match=r"zstd -d REPORT\.ncu-repz") as caught:
        read_bytes(frame(CONTENT), tmp_path, "report.ncu-repz")

    assert "compressed" in str(caught.value)


@needs_program
@pytest.mark.parametrize("cut", [30, 200, 700])
def test_what_a_cut_one_gives_is_kept(cut, without_modules, tmp_path):
    whole = len(read_bytes(frame(CONTENT), tmp_path, "report.ncu-repz").measurements)

    file = read_bytes(frame(CONTENT)[:-cut], tmp_path, "report.ncu-repz")

    assert len(file.measurements) <= whole
    assert "cannot be unpacked" in file.warnings[0]


@needs_program
def test_a_damaged_or_foreign_one_is_named(without_modules, tmp_path):
    for content in (zstd.ZSTD_MAGIC + b"\xff" * 50, frame(b"some text that was compressed"), frame(b"")):
        with pytest.raises(MeasurementError, match="no report of Nsight Compute"):
            read_bytes(content, tmp_path, "report.ncu-repz")


@needs_program
def test_one_that_unpacks_without_end_is_stopped(without_modules, monkeypatch, tmp_path):
    monkeypatch.setattr(zstd, "_MOST_BEYOND", 1 << 20)
    bomb = frame(CONTENT, repeated=2_000)  # 10 kB for 250 MB

    with pytest.raises(MeasurementError, match="unpacks to more than"):
        read_bytes(bomb, tmp_path, "report.ncu-repz")


def test_unpacking_can_be_cancelled(monkeypatch, tmp_path):
    _module(monkeypatch, "zstandard", _raw)
    path = tmp_path / "report.ncu-repz"
    path.write_bytes(frame(CONTENT))
    shares: list[float] = []

    def note(share: float) -> bool:
        shares.append(share)
        return True

    NsightComputeReport().read(path, note)

    assert shares == sorted(shares)
    with pytest.raises(MeasurementCancelled):
        NsightComputeReport().read(path, lambda share: share <= 0.2)
