"""Long files, whose launches are given on while they are read: the same as if all of them had waited for the end."""

from __future__ import annotations

import numpy as np
import pytest

from plugins_builtin._ncu import launches, wide
from plugins_builtin.nsight_compute import NsightComputeCsv
from tests.builtin.nsight_tables import DRAM, FIXTURES, LONG, TIME, csv_text, long_rows, read_text


@pytest.fixture(params=[1, 2, 3])
def few(request, monkeypatch):
    """Reading that keeps as few launches waiting as this."""

    def lower() -> None:
        monkeypatch.setattr(launches, "_MOST_WAITING", request.param)
        monkeypatch.setattr(wide, "_MOST_ROWS_PER_BLOCK", request.param)

    return lower


def same(file, other) -> None:
    assert file == other
    assert list(file.columns) == list(other.columns)
    for name in file.columns:
        assert np.array_equal(file.columns[name], other.columns[name], equal_nan=True)


@pytest.mark.parametrize("name", sorted(path.name for path in FIXTURES.iterdir()))
def test_every_fixture_gives_the_same(name, few):
    reader, path = NsightComputeCsv(), FIXTURES / name
    if not reader.recognises(path.read_bytes()[:65536], name):
        pytest.skip("no file of this reader")
    whole = reader.read(path)
    few()

    again = reader.read(path)
    same(again, whole)
    assert again.machines == whole.machines


def long_file(folder, launches_of, name="report.csv"):
    """File of the long form, read."""
    return read_text(csv_text([LONG, *(row for rows in launches_of for row in rows)]), folder, name)


@pytest.mark.parametrize(("printed", "time_s"), [("1.234", 1234e-6), ("1,234", 1.234e-6)])
def test_a_number_format_that_shows_late_holds_from_the_beginning(printed, time_s, tmp_path, few):
    early = [long_rows([("gpu__time_duration.sum", "us", printed)], launch=n) for n in range(9)]
    late = [long_rows([("x__share.pct", "%", "65,77")], launch=9)]
    few()

    file = long_file(tmp_path, [*early, *late])

    assert [one.time_s for one in file.measurements] == [*[pytest.approx(time_s)] * 9, None]


def test_a_number_format_that_stays_open_is_asked_for_once(tmp_path, few):
    rows = [long_rows([("x__thing.sum", "ns", "117.344"), ("gpu__time_duration.sum", "us", "117.344")], launch=n)
            for n in range(7)]  # fmt: skip
    whole = long_file(tmp_path, rows)
    few()

    file = long_file(tmp_path, rows)

    assert len(file.measurements) == 7
    same(file, whole)


def test_a_second_device_that_comes_late_gives_its_number_to_all(tmp_path, few):
    rows = [list(map(list, long_rows([TIME, DRAM], launch=n))) for n in range(6)]
    for row in rows[-1]:
        row[LONG.index("Device")] = 1
    few()

    file = long_file(tmp_path, rows)

    assert [one.device for one in file.measurements] == ["device 0"] * 5 + ["device 1"]


def test_rows_that_come_much_later_belong_to_their_launch(tmp_path, few):
    first = [long_rows([TIME], launch=n) for n in range(6)]
    second = [long_rows([DRAM], launch=n) for n in range(6)]
    few()

    file = long_file(tmp_path, [*first, *second])

    assert len(file.measurements) == 6
    assert all(one.time_s == 1e-3 and one.dram_bytes == 4e6 for one in file.measurements)


def test_a_table_without_launch_numbers_is_kept_until_its_end(tmp_path, few):
    head = [name for name in LONG if name != "ID"]
    rows = [row[1:] for n in range(6) for row in long_rows([TIME], kernel=f"k{n}")]
    rows += [row[1:] for n in range(6) for row in long_rows([DRAM], kernel=f"k{n}")]
    few()

    file = read_text(csv_text([head, *rows]), tmp_path)

    assert len(file.measurements) == 6
    assert all(one.dram_bytes == 4e6 for one in file.measurements)


def test_a_stated_mark_holds_throughout(tmp_path, few):
    rows = [long_rows([("gpu__time_duration.sum", "ns", "1.234"), DRAM], launch=n) for n in range(6)]
    text = csv_text([LONG, *(row for one in rows for row in one)])
    few()

    for mark, time_s in ((".", 1.234e-9), (",", 1234e-9)):
        file = read_text(text, tmp_path, decimal_mark=mark)
        assert [one.time_s for one in file.measurements] == [pytest.approx(time_s)] * 6
