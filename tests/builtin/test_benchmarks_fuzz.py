"""Broken and hostile output of benchmarks: an answer or a clear error, soon, and within a bounded memory."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.ceilings.proposal import propose
from tests.builtin import fuzzing
from tests.builtin.benchmark_files import FIXTURES, READER
from tests.builtin.fuzzing import broken, examples, odd_values

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


def survives(content: bytes, folder) -> None:
    """Hold the reader against one input."""
    _warm()
    fuzzing.survives([READER], content, folder / "fuzzed.dat", _consistent)


def _consistent(file) -> None:
    for machine in file.machines:
        readings = (*machine.ceilings, *machine.boundaries)
        assert readings
        assert all(0 < one.best < 1e45 for one in readings)
        assert all((one.low or 0) <= one.best <= (one.high or one.best) for one in readings)
        assert len(machine.notes) < 20
        propose(machine, None)


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


ANY = st.one_of(
    broken(ALL), broken(ALL), mixed(), mixed(), odd_values([ALL["ert.json"]]), st.binary(max_size=400)
)


@pytest.mark.timeout(600)
@examples(500)
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
@examples(20_000)
@given(content=ANY)
def test_many_broken_files_give_an_answer_or_a_clear_error(content, tmp_path_factory):
    survives(content, tmp_path_factory.getbasetemp())
