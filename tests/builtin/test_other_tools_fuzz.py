"""Broken and hostile files of other tools: an answer or a clear error, soon, and within a bounded memory."""

from __future__ import annotations

import gzip
import json
import time
import tracemalloc
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rooflinestudio.core.measurement import MeasurementError, to_json
from rooflinestudio.core.measurement_overlay import overlay_from_document, overlay_to_document
from rooflinestudio.core.measurement_table import Overlay
from tests.builtin.other_tools import FIXTURES, READERS
from tests.builtin.test_nsight_compute_fuzz import ACCIDENTS, CPU_SECONDS, LONGEST, MEMORY_BYTES, MEMORY_TIMES

ALL = {path.name: path.read_bytes() for path in sorted(FIXTURES.iterdir())}
ALL["trace.json.gz"] = gzip.compress(ALL["trace.json"], mtime=0)


@cache
def _warm() -> None:
    """Import what the readers import when they first read, so that it counts for no input."""
    for path in FIXTURES.iterdir():
        for reader in READERS:
            if reader.recognises(path.read_bytes(), path.name):
                Overlay.from_file(reader.read(path))


def _read(reader, path):
    try:
        return reader.read(path)
    except MeasurementError as error:
        assert str(path) in str(error)
        assert len(str(error)) < 2_000
        return None


def survives(content: bytes, folder) -> None:
    """Hold all readers against one input."""
    _warm()
    path = folder / "fuzzed.dat"
    path.write_bytes(content)
    for reader in READERS:
        began = time.process_time()
        tracemalloc.start()
        try:
            reader.recognises(content[:65536], path.name)
            file = _read(reader, path)
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
    if len(file.measurements) < 50:  # a study that holds them can be opened again
        overlay = Overlay.from_file(file)
        assert len(overlay_from_document(overlay_to_document(overlay))) == len(file.measurements)


@st.composite
def broken(draw: st.DrawFn) -> bytes:
    """One of the fixtures after a few accidents."""
    content = ALL[draw(st.sampled_from(sorted(ALL)))]
    for accident in draw(st.lists(st.sampled_from(ACCIDENTS), min_size=1, max_size=4)):
        content = accident(content, draw(st.integers(0, len(content))), draw)[:LONGEST]
    return content


_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-5, 2**70), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=8,
)


@st.composite
def odd_events(draw: st.DrawFn) -> bytes:
    """A trace or a document whose values have any type."""
    name = draw(st.sampled_from(["trace.json", "measurements.json"]))
    whole = json.loads(ALL[name])
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


@pytest.mark.timeout(600)
@_examples(300)
@given(content=broken())
def test_broken_files_give_an_answer_or_a_clear_error(content, tmp_path_factory):
    survives(content, tmp_path_factory.getbasetemp())


@pytest.mark.timeout(600)
@_examples(130)
@given(content=odd_events())
def test_values_of_any_type_give_an_answer_or_a_clear_error(content, tmp_path_factory):
    survives(content, tmp_path_factory.getbasetemp())


@_examples(70)
@given(content=st.binary(max_size=400))
def test_any_bytes_give_an_answer_or_a_clear_error(content, tmp_path_factory):
    survives(content, tmp_path_factory.getbasetemp())


@pytest.mark.parametrize("name", sorted(ALL))
def test_every_beginning_of_a_file_gives_an_answer_or_a_clear_error(name, tmp_path):
    content = ALL[name]
    for length in range(0, len(content), max(len(content) // 12, 1)):
        survives(content[:length], tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@_examples(20_000)
@given(content=st.one_of(broken(), broken(), odd_events(), st.binary(max_size=2000)))
def test_many_broken_files_give_an_answer_or_a_clear_error(content, tmp_path_factory):
    survives(content, tmp_path_factory.getbasetemp())
