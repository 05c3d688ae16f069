"""Broken and hostile output of benchmarks: an answer or a clear error, soon, and within a bounded memory."""

from __future__ import annotations

import json
import time
import tracemalloc
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rooflinestudio.core.ceilings.proposal import propose
from rooflinestudio.core.measurement import MeasurementError, to_json
from tests.builtin.benchmark_files import FIXTURES, READER
from tests.builtin.test_nsight_compute_fuzz import ACCIDENTS, CPU_SECONDS, LONGEST, MEMORY_BYTES, MEMORY_TIMES

ALL = {path.name: path.read_bytes() for path in sorted(FIXTURES.iterdir())}
LINES = sorted({line for content in ALL.values() for line in content.splitlines()})
CELLS = (
    "nan",
    "inf",
    "-1",
    "0",
    "1e30",
    "1e999",
    "9" * 300,
    "",
    "0.00",
    "1,5",
    "−3",
    "NaN GB/s",
    "\x00",
    "é" * 50,
)


@cache
def _warm() -> None:
    """Import what the reader imports when it first reads, so that it counts for no input."""
    for path in FIXTURES.iterdir():
        READER.read(path)


def _read(path):
    try:
        return READER.read(path)
    except MeasurementError as error:
        assert str(path) in str(error)
        assert len(str(error)) < 2_000
        return None


def survives(content: bytes, folder) -> None:
    """Hold the reader against one input."""
    _warm()
    path = folder / "fuzzed.dat"
    path.write_bytes(content)
    began = time.process_time()
    tracemalloc.start()
    try:
        READER.recognises(content[:65536], path.name)
        file = _read(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert time.process_time() - began < CPU_SECONDS
    assert peak < MEMORY_TIMES * len(content) + MEMORY_BYTES
    if file is not None:
        _consistent(file)


def _consistent(file) -> None:
    json.dumps(to_json(file), allow_nan=False)
    assert all(one.plotted or one.reason for one in file.measurements)
    assert file.measurements or file.warnings
    assert len(file.warnings) < 60
    assert max(map(len, file.warnings), default=0) < 2_000
    for machine in file.machines:
        readings = (*machine.ceilings, *machine.boundaries)
        assert readings
        assert all(0 < one.best < 1e45 for one in readings)
        assert all((one.low or 0) <= one.best <= (one.high or one.best) for one in readings)
        assert len(machine.notes) < 20
        propose(machine, None)


@st.composite
def broken(draw: st.DrawFn) -> bytes:
    """One of the fixtures after a few accidents."""
    content = ALL[draw(st.sampled_from(sorted(ALL)))]
    for accident in draw(st.lists(st.sampled_from(ACCIDENTS), min_size=1, max_size=4)):
        content = accident(content, draw(st.integers(0, len(content))), draw)[:LONGEST]
    return content


@st.composite
def mixed(draw: st.DrawFn) -> bytes:
    """Lines of all fixtures in any order, some with other words in place of their numbers."""
    lines = draw(st.lists(st.sampled_from(LINES), max_size=40))
    made = []
    for line in lines:
        words = line.decode().split(" ")
        if words and draw(st.integers(0, 3)) == 0:
            words[draw(st.integers(0, len(words) - 1))] = draw(st.sampled_from(CELLS))
        made.append(" ".join(words))
    return "\n".join(made).encode()


_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-5, 2**70), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=8,
)


@st.composite
def odd_documents(draw: st.DrawFn) -> bytes:
    """A document of the toolkit whose values have any type."""
    whole = json.loads(ALL["ert.json"])
    for _ in range(draw(st.integers(1, 4))):
        spot = whole
        while True:
            keys = sorted(spot) if isinstance(spot, dict) else list(range(len(spot)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            inside = isinstance(spot[key], dict | list) and spot[key] and draw(st.integers(0, 4))
            if not inside:
                spot[key] = draw(_JSON)
                break
            spot = spot[key]
    return json.dumps(whole).encode()


def _examples(count: int) -> settings:
    return settings(max_examples=count, deadline=None, suppress_health_check=list(HealthCheck))


ANY = st.one_of(broken(), broken(), mixed(), mixed(), odd_documents(), st.binary(max_size=400))


@pytest.mark.timeout(600)
@_examples(500)
@given(content=ANY)
def test_broken_files_give_an_answer_or_a_clear_error(content, tmp_path_factory):
    survives(content, tmp_path_factory.getbasetemp())


@pytest.mark.parametrize("name", sorted(ALL))
def test_every_beginning_of_a_file_gives_an_answer_or_a_clear_error(name, tmp_path):
    content = ALL[name]
    for length in range(0, len(content), max(len(content) // 25, 1)):
        survives(content[:length], tmp_path)


@pytest.mark.parametrize("name", sorted(ALL))
def test_a_fixture_many_times_is_read_soon(name, tmp_path):
    survives((ALL[name] * (1_000_000 // len(ALL[name]) + 1))[:1_000_000], tmp_path)


@pytest.mark.parametrize(
    "line",
    [
        b"AAAAAA:",
        b"A" + b" " * 1900 + b"!",
        b"|" + b" " * 1900,
        b"Device 0: " + b"x " * 900,
        b"1 1 blocks" + b" " * 1900,
    ],
)
def test_many_lines_of_nothing_are_read_soon(line, tmp_path):
    content = b"Platform: P\nLIKWID MICRO BENCHMARK\n- Device specifications -\n" + (line + b"\n") * (
        600_000 // len(line)
    )
    survives(content, tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@_examples(20_000)
@given(content=ANY)
def test_many_broken_files_give_an_answer_or_a_clear_error(content, tmp_path_factory):
    survives(content, tmp_path_factory.getbasetemp())
