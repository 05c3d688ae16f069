"""Benchmarks that measure ceilings: which reader takes which file, and what every answer keeps."""

from __future__ import annotations

import json
import pickle
import shutil
import time

import pytest

from rooflinestudio.core.ceilings.proposal import propose
from rooflinestudio.core.measurement import MeasurementCancelled, MeasurementError, MeasurementReader, to_json
from rooflinestudio.plugins.reading import read_measurements
from tests.builtin.benchmark_files import ALL_READERS, FIXTURES, READER, machines, read_text
from tests.builtin.other_tools import FIXTURES as OTHERS

NAMES = sorted(path.name for path in FIXTURES.iterdir())
FOREIGN = sorted(
    path for folder in ("ncu", "nvprof") for path in (FIXTURES.parent / folder).iterdir()
) + sorted(OTHERS.iterdir())


def test_the_reader_keeps_the_contract():
    assert isinstance(READER, MeasurementReader)
    assert pickle.loads(pickle.dumps(READER)) == READER


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_taken_by_this_reader_alone_under_any_name(name):
    head = (FIXTURES / name).read_bytes()

    assert [one.id for one in ALL_READERS if one.recognises(head, "strange.name")] == ["benchmarks"]


@pytest.mark.parametrize("path", FOREIGN, ids=lambda path: path.name)
def test_files_of_other_tools_are_left_to_their_readers(path):
    assert not READER.recognises(path.read_bytes()[:65536], path.name)


@pytest.mark.parametrize("name", NAMES)
def test_the_studio_finds_the_reader_by_content_in_any_encoding(name, tmp_path):
    plain = tmp_path / "no-extension"
    shutil.copy(FIXTURES / name, plain)
    file = read_measurements(plain, ALL_READERS)

    assert file.machines
    assert file.warnings
    assert all(one.plotted or one.reason for one in file.measurements)
    text = (FIXTURES / name).read_text(encoding="utf-8")
    for encoding in ("utf-16", "utf-8-sig"):
        path = tmp_path / encoding
        path.write_bytes(text.replace("\n", "\r\n").encode(encoding))
        assert read_measurements(path, ALL_READERS).machines == file.machines


@pytest.mark.parametrize("name", NAMES)
def test_readings_can_be_held_against_a_profile(name):
    for machine in machines(name):
        proposal = propose(machine, None)
        assert len(proposal.rows) == len(machine.ceilings) + len(machine.boundaries)
        assert all(one.best > 0 for one in (*machine.ceilings, *machine.boundaries))


def test_several_tools_in_one_log_with_other_output_around(tmp_path):
    pieces = [
        (FIXTURES / name).read_text(encoding="utf-8") for name in ("mixbench.txt", "stream.txt", "clpeak.txt")
    ]
    file = read_text(tmp_path, "loading modules\n" + "\nsome words: 12.5\n".join(pieces) + "\nbye\n")

    alone = [one for name in ("mixbench.txt", "stream.txt", "clpeak.txt") for one in machines(name)]
    assert file.machines == tuple(alone)
    assert file.format == "mixbench"


@pytest.mark.parametrize("turned", [False, True])
def test_tools_in_any_order_leave_each_other_their_lines(turned, tmp_path):
    names = sorted((name for name in NAMES if name.endswith(".txt")), reverse=turned)
    file = read_text(tmp_path, "\n".join((FIXTURES / name).read_text(encoding="utf-8") for name in names))

    alone = [to_json(READER.read(FIXTURES / name))["machines"] for name in names]
    together = to_json(file)["machines"]
    assert sorted(map(str, together)) == sorted(str(one) for some in alone for one in some)


def test_json_of_the_import_has_the_machines():
    document = to_json(READER.read(FIXTURES / "stream.txt"))

    json.dumps(document, allow_nan=False)
    (machine,) = document["machines"]
    assert machine["tool"] == "STREAM"
    assert machine["boundaries"][0] == {
        "id": "dram", "best": 160e9, "median": None, "low": 128e9, "high": 160e9, "samples": 9, "origin": "Copy",
        "condition": "arrays of 800 MB, 16 threads, 2 arrays counted, write-allocate not",
    }  # fmt: skip
    assert machine["ceilings"] == []


def test_a_title_without_a_result_is_answered_and_other_text_refused(tmp_path):
    file = read_text(tmp_path, "LIKWID MICRO BENCHMARK\nTest: triad\n")
    assert file.machines == ()
    assert "no result" in file.warnings[-1]
    with pytest.raises(MeasurementError, match="known benchmark"):
        read_text(tmp_path, "hello world\n")
    with pytest.raises(MeasurementError, match="empty"):
        read_text(tmp_path, "")
    for name in ("mixbench.txt", "ert.json"):
        with pytest.raises(MeasurementCancelled):
            READER.read(FIXTURES / name, lambda share: False)


@pytest.mark.parametrize(
    "piece",
    [
        "\n",
        " ",
        "\t",
        "A ",
        "| ",
        "1 ",
        "1,",
        "Device: ",
        "threads",
        "Function ",
        "Backend: X\n  Device 0",
        "{",
    ],
)
def test_looking_at_a_long_head_takes_no_time(piece):
    head = (piece * 65536)[:65536].encode()

    began = time.process_time()
    READER.recognises(head, "x")

    assert time.process_time() - began < 1
