"""Which reader takes which file, whatever it is called; and the real files, where they are at hand."""

from __future__ import annotations

import pickle
import shutil
import time
from pathlib import Path

import pytest

from rooflinestudio.core.measurement import MeasurementReader
from rooflinestudio.plugins.reading import read_measurements
from tests.builtin.other_tools import FIXTURES, READER_OF, READERS

NCU = FIXTURES.parent / "ncu"
NVPROF = FIXTURES.parent / "nvprof"


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.id)
def test_readers_keep_the_contract(reader):
    assert isinstance(reader, MeasurementReader)
    assert pickle.loads(pickle.dumps(reader)) == reader


@pytest.mark.parametrize("name", sorted(READER_OF))
def test_a_file_is_taken_by_its_own_reader_alone_under_any_name(name):
    head = (FIXTURES / name).read_bytes()

    takers = [reader.id for reader in READERS if reader.recognises(head, "strange.name")]

    assert takers == [READER_OF[name]]


@pytest.mark.parametrize("path", sorted((*NCU.iterdir(), *NVPROF.iterdir())), ids=lambda path: path.name)
def test_files_of_the_vendors_profilers_are_left_to_their_readers(path):
    assert not any(reader.recognises(path.read_bytes()[:65536], path.name) for reader in READERS)


@pytest.mark.parametrize("name", sorted(READER_OF))
def test_the_studio_finds_the_reader_by_content(name, tmp_path, shipped_readers):
    path = tmp_path / "no-extension"
    shutil.copy(FIXTURES / name, path)

    file = read_measurements(path, shipped_readers)

    assert file.measurements or file.warnings
    assert all(one.plotted or one.reason for one in file.measurements)


@pytest.fixture(scope="module")
def shipped_readers():
    """All readers that come with the studio, in the order in which it asks them."""
    from rooflinestudio.cli.catalog import registry

    return tuple(registry().readers)


def test_text_in_other_encodings_is_read(tmp_path):
    for name in (
        "points.csv",
        "likwid.csv",
        "counters.csv",
        "trace.json",
        "measurements.json",
        "babelstream.txt",
    ):
        reader = next(reader for reader in READERS if reader.id == READER_OF[name])
        text = (FIXTURES / name).read_text(encoding="utf-8")
        plain = reader.read(FIXTURES / name).measurements
        for encoding in ("utf-16", "utf-8-sig"):
            path = Path(tmp_path / f"{encoding}-{name}")
            path.write_bytes(text.encode(encoding))
            assert reader.recognises(path.read_bytes()[:65536], path.name)
            assert reader.read(path).measurements == plain


@pytest.mark.parametrize("piece", [b"\n", b" ", b"\t", b"\r\n", b"{", b"TABLE,", b"Group 1", b"memcpy "])
def test_looking_at_a_long_head_takes_no_time(piece):
    head = (piece * 65536)[:65536]

    began = time.process_time()
    for reader in READERS:
        reader.recognises(head, "x")

    assert time.process_time() - began < 2
