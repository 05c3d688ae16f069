"""Binary reports after accidents of every kind: an answer or a clear error, soon and in little memory."""

from __future__ import annotations

import json
import struct
import time
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plugins_builtin.nsight_compute_report import NsightComputeReport
from rooflinestudio.core.measurement import MeasurementError, to_json
from tests.builtin.nsight_report_attacks import deep
from tests.builtin.nsight_reports import (
    DRAM,
    MAGIC,
    TIME,
    Kernel,
    Single,
    Small,
    block,
    framed,
    head,
    nested,
    report,
    vector,
)

SECONDS = 5.0
"""No input of this size may take longer."""

GOOD = Kernel({**TIME, **DRAM, **vector("f", 1e6, 0, 2e6), "smsp__cycles_elapsed.avg.per_second": 1.4e9})
NAMES = ["gpu__time_duration.sum", "dram__bytes.sum"]
THREE = report(GOOD, GOOD, GOOD)


def _bounded(content: bytes, path) -> None:
    """Read it: an answer that can be printed, or a clear error; soon, and in little memory."""
    path.write_bytes(content)
    reader = NsightComputeReport()
    reader.recognises(content[:65536], path.name)
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    began = time.process_time()
    try:
        file = reader.read(path)
    except MeasurementError as error:
        assert str(path) in str(error)
        file = None
    assert time.process_time() - began < SECONDS
    assert tracemalloc.get_traced_memory()[1] - before < 10 * len(content) + 32e6  # 0 where nothing is traced
    if file is not None:
        json.dumps(to_json(file), allow_nan=False)
        assert all(launch.plotted or launch.reason for launch in file.measurements)
        assert file.measurements or file.warnings
        assert len(file.warnings) < 40
        assert max(map(len, file.warnings), default=0) < 1000


CORPUS = [
    THREE,
    report(
        Kernel({**TIME, "dram__bytes.sum": Small(5)}, {"HMMA.16816.F32": 5.0, "UTCHMMA": 3.0, "FADD": 2}),
        Kernel(
            {"gpu__time_duration": Single(3.5), "dram__bytes.sum": float("nan"), "lts__t_bytes.sum": None}
        ),
    ),
    head()
    + block(sources=[b"\xff" * 9], results=[GOOD.message(dict.fromkeys(GOOD.names(), 0))], names=NAMES),
]
_LENGTHS = st.sampled_from(
    [0, 1, 4, 127, 128, 65535, 65536, (1 << 31) - 1, (1 << 31), (1 << 32) - 1, 1 << 20]
)


@st.composite
def _mutated(draw: st.DrawFn) -> bytes:
    """One of the reports after a few accidents, or in the hands of somebody who means harm."""
    content = bytearray(draw(st.sampled_from(CORPUS)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(len(content) - 1, 0)))
        kind = draw(
            st.sampled_from(["cut", "end", "flip", "insert", "repeat", "length", "varint", "nest", "swap"])
        )
        if kind == "cut":
            del content[at : at + draw(st.integers(1, 500))]
        elif kind == "end":
            del content[at:]
        elif kind == "flip" and content:
            content[at] ^= draw(st.integers(1, 255))
        elif kind == "insert":
            content[at:at] = draw(st.binary(max_size=20))
        elif kind == "repeat":
            content[at:at] = content[at : at + 200] * draw(st.integers(1, 30))
        elif kind == "length":
            content[at : at + 4] = struct.pack("<I", draw(_LENGTHS))
        elif kind == "varint":
            content[at : at + 1] = b"\xff" * draw(st.integers(1, 12)) + b"\x01"
        elif kind == "nest":
            content[at:at] = deep(draw(st.integers(1, 60)))
        elif kind == "swap":
            other = draw(st.integers(0, max(len(content) - 1, 0)))
            content[at : at + 40], content[other : other + 40] = (
                content[other : other + 40],
                content[at : at + 40],
            )
    return bytes(content)


@st.composite
def _headed(draw: st.DrawFn) -> bytes:
    """Any bytes where a report, a block, or a result is expected."""
    content = draw(st.binary(max_size=600))
    return draw(
        st.sampled_from([
            content,
            MAGIC + content,
            head() + content,
            head() + framed(content),
            head() + block(results=[content], names=NAMES),
            head() + block(session=content, names=NAMES),
            head() + block(results=[nested(13, content)], names=NAMES),
        ])
    )  # fmt: skip


_QUICK = settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """One file for all inputs, read once before anything is measured."""
    found = tmp_path_factory.mktemp("fuzz") / "fuzzed.ncu-rep"
    _bounded(THREE, found)
    return found


@pytest.fixture
def traced():
    tracemalloc.start()
    yield
    tracemalloc.stop()


@_QUICK
@given(content=_mutated())
def test_mutated_reports_give_an_answer_or_a_clear_error(content, path, traced):
    _bounded(content, path)


@_QUICK
@given(content=_headed())
def test_any_bytes_give_an_answer_or_a_clear_error(content, path, traced):
    _bounded(content, path)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@settings(max_examples=20_000, deadline=None, suppress_health_check=list(HealthCheck))
@given(content=st.one_of(_mutated(), _headed()))
def test_many_mutated_reports_give_an_answer_or_a_clear_error(content, path, traced):
    _bounded(content, path)
