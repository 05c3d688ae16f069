"""Broken and hostile files of other tools: an answer or a clear error, soon, and within a bounded memory."""

from __future__ import annotations

import gzip
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.measurement_overlay import overlay_from_document, overlay_to_document
from rooflinestudio.core.measurement_table import Overlay
from tests.builtin import fuzzing
from tests.builtin.fuzzing import broken, examples, odd_values
from tests.builtin.other_tools import FIXTURES, READERS

ALL = {path.name: path.read_bytes() for path in sorted(FIXTURES.iterdir())}
ALL["trace.json.gz"] = gzip.compress(ALL["trace.json"], mtime=0)
DOCUMENTS = [ALL["trace.json"], ALL["measurements.json"]]


@cache
def _warm() -> None:
    """Import what the readers import when they first read, so that it counts for no input."""
    for path in FIXTURES.iterdir():
        for reader in READERS:
            if reader.recognises(path.read_bytes(), path.name):
                Overlay.from_file(reader.read(path))


def survives(content: bytes, folder) -> None:
    """Hold all readers against one input."""
    _warm()
    fuzzing.survives(READERS, content, folder / "fuzzed.dat", _kept_by_a_study)


def _kept_by_a_study(file) -> None:
    if len(file.measurements) < 50:  # a study that holds them can be opened again
        overlay = Overlay.from_file(file)
        assert len(overlay_from_document(overlay_to_document(overlay))) == len(file.measurements)


@pytest.mark.timeout(600)
@examples(300)
@given(content=broken(ALL))
def test_broken_files_give_an_answer_or_a_clear_error(content, tmp_path_factory):
    survives(content, tmp_path_factory.getbasetemp())


@pytest.mark.timeout(600)
@examples(130)
@given(content=odd_values(DOCUMENTS))
def test_values_of_any_type_give_an_answer_or_a_clear_error(content, tmp_path_factory):
    survives(content, tmp_path_factory.getbasetemp())


@examples(70)
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
@examples(20_000)
@given(content=st.one_of(broken(ALL), broken(ALL), odd_values(DOCUMENTS), st.binary(max_size=2000)))
def test_many_broken_files_give_an_answer_or_a_clear_error(content, tmp_path_factory):
    survives(content, tmp_path_factory.getbasetemp())
