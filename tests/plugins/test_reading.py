from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from rooflinestudio.core.importing.proposal import (
    ColumnKind,
    StatedColumn,
    TableProposal,
    columns_from_text,
    columns_to_text,
)
from rooflinestudio.core.measurement import MeasurementCancelled, MeasurementError, MeasurementFile
from rooflinestudio.plugins.host import PluginHost
from rooflinestudio.plugins.reading import preview_columns, propose_columns, read_measurements

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Reader:
    label: str = "Acme CSV"
    extensions: tuple[str, ...] = (".csv",)
    magic: bytes = b"ACME"
    decimal_mark: str | None = None
    fails: type[Exception] | None = None

    id = "acme"

    def recognises(self, head: bytes, name: str) -> bool:
        if self.fails is KeyError:
            raise KeyError("boom")
        return head.startswith(self.magic)

    def read(self, path: Path, progress=None) -> MeasurementFile:
        if self.fails is not None:
            raise self.fails("boom")
        return MeasurementFile(str(path), f"{self.label} {self.decimal_mark}", (), (), "0" * 64)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "x.csv"
    path.write_bytes(b"ACME 1")
    return path


@pytest.fixture(scope="module")
def shipped():
    host = PluginHost.discover(disable="all")
    host.load_builtins()
    return host.registry.readers


def test_the_reader_that_recognises_the_content_reads_it(file: Path) -> None:
    other = Reader("Other", (".csv",), b"OTHER")
    assert read_measurements(file, [other, Reader()]).format == "Acme CSV None"


def test_a_reader_of_the_extension_says_what_is_wrong_where_none_knows_the_content(file: Path) -> None:
    with pytest.raises(MeasurementError, match="boom"):
        read_measurements(file, [Reader("Other", (".csv",), b"OTHER", fails=MeasurementError)])


@pytest.mark.parametrize(
    ("content", "what"), [(b"", "is empty"), (b"\0\1", "is binary"), (b"hello", "is text")]
)
def test_a_file_that_nobody_knows_is_named_with_what_it_is(tmp_path: Path, content: bytes, what: str) -> None:
    (tmp_path / "y.dat").write_bytes(content)
    with pytest.raises(MeasurementError, match=rf"y\.dat {what}.*Acme CSV"):
        read_measurements(tmp_path / "y.dat", [Reader()])
    with pytest.raises(MeasurementError, match="no reader is installed"):
        read_measurements(tmp_path / "y.dat", [])


def test_a_file_that_is_not_there_is_said_in_words(tmp_path: Path) -> None:
    with pytest.raises(MeasurementError, match=r"gone\.csv cannot be read"):
        read_measurements(tmp_path / "gone.csv", [Reader()])


def test_a_reader_that_fails_costs_only_this_file_and_is_named(file: Path) -> None:
    with pytest.raises(
        MeasurementError, match=r"x\.csv: the reader Acme CSV failed with ZeroDivisionError: boom"
    ):
        read_measurements(file, [Reader(fails=ZeroDivisionError)])


def test_a_reader_that_fails_while_looking_does_not_know_the_file(file: Path) -> None:
    assert read_measurements(file, [Reader("Bad", fails=KeyError), Reader()]).format == "Acme CSV None"


def test_cancelling_is_no_failure_of_the_reader(file: Path) -> None:
    with pytest.raises(MeasurementCancelled):
        read_measurements(file, [Reader(fails=MeasurementCancelled)])


def test_a_stated_decimal_mark_reaches_the_reader(file: Path) -> None:
    assert read_measurements(file, [Reader()], decimal_mark=",").format == "Acme CSV ,"


class PlainReader:
    id, label, extensions = "plain", "Plain text", (".csv",)

    def recognises(self, head: bytes, name: str) -> bool:
        return True

    def read(self, path: Path, progress=None) -> MeasurementFile:
        return MeasurementFile(str(path), "plain", ("One warning.",), (), "0" * 64)


def test_a_reader_that_knows_no_option_is_read_without_it_and_that_is_said(file: Path) -> None:
    read = read_measurements(file, [PlainReader()], decimal_mark=",", columns=[StatedColumn("time", "ms")])

    assert read.format == "plain"
    assert read.warnings == (
        "One warning.",
        "Plain text takes no decimal mark and no columns: the file was read without.",
    )


@dataclass(frozen=True)
class TableReader(Reader):
    columns: tuple[StatedColumn, ...] = ()

    def read(self, path: Path, progress=None) -> MeasurementFile:
        return MeasurementFile(
            str(path), f"{self.label} {self.columns} {self.decimal_mark}", (), (), "0" * 64
        )

    def propose(self, path: Path) -> TableProposal:
        return TableProposal(("a",), ("a",), (("1",),), (), (ColumnKind("time", "Time", ("s",)),))


STATED = StatedColumn("time", "ms", "ms")


def test_stated_columns_choose_the_reader_that_takes_them(file: Path) -> None:
    table = TableReader("Table", (".csv",), b"NOTHING")

    assert read_measurements(file, [Reader(), table], columns=[STATED]).format.startswith(
        "Table (StatedColumn"
    )
    assert read_measurements(file, [Reader(), table]).format == "Acme CSV None"


def test_columns_are_proposed_by_who_knows_the_content_else_by_anybody_who_can(file: Path) -> None:
    table = TableReader("Table", (".csv",), b"NOTHING")

    assert propose_columns(file, [table]) == table.propose(file)
    assert propose_columns(file, [Reader(), table]) is None  # the content is another reader's
    assert propose_columns(file.parent / "gone.csv", [PlainReader()]) is None


def test_the_first_rows_are_read_by_the_reader_itself(file: Path, shipped) -> None:
    file.write_text('what;a;b\naxpy;100;0,5\n"ge;mm";200;1,5\nother;;4\n')
    proposal = propose_columns(file, shipped)
    assert proposal is not None
    columns = [
        StatedColumn("kernel", "what"),
        StatedColumn("time", "a", "us"),
        StatedColumn("work", "b", "GFLOP"),
    ]

    preview = preview_columns(proposal, shipped, [*columns, StatedColumn("traffic", "a", "MB")])
    assert [(one.kernel, one.time, one.work, one.traffic) for one in preview.rows[:2]] == [
        ("axpy", "100 µs", "500 MFLOP", "100 MB"),
        ("ge;mm", "200 µs", "1.50 GFLOP", "200 MB"),
    ]
    assert preview.summary.startswith("2 kernels plotted, 1 not plotted (no time")

    assert preview_columns(proposal, shipped, columns).summary.startswith(
        "No kernels plotted, 2 not plotted (no Q)"
    )
    assert "no unit of time" in preview_columns(proposal, shipped, [StatedColumn("time", "a", "GB")]).problem
    twice = preview_columns(proposal, shipped, [StatedColumn("time", "a"), StatedColumn("time", "b")])
    assert twice.problem == "Time is taken from a and b: keep one of them."
    assert "No column is used" in preview_columns(proposal, shipped, []).problem


def test_first_rows_that_leave_the_decimal_mark_open_say_so(file: Path, shipped) -> None:
    file.write_text("name;GFLOP/s;AI\nk;1.500;2.250\n")
    proposal = propose_columns(file, shipped)
    assert proposal is not None

    preview = preview_columns(proposal, shipped, proposal.columns)
    assert preview.question is not None
    assert preview.question.sample == "1.500"
    assert preview.question.reading(",") == "1\u202f500 GFLOP/s"
    assert preview.rows[0].rate == "1.50 GFLOP/s"
    assert preview_columns(proposal, shipped, proposal.columns, ",").rows[0].rate == "1.50 TFLOP/s"


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("name=kernel,ms=time:ms", (("kernel", "name", ""), ("time", "ms", "ms"))),
        (" #2 = work : GFLOP ,", (("work", "#2", "GFLOP"),)),
        ("a=b=time", (("time", "a=b", ""),)),
    ],
)
def test_columns_are_written_on_one_line(text: str, stated: tuple[tuple[str, str, str], ...]) -> None:
    assert columns_from_text(text) == stated
    assert columns_from_text(columns_to_text(columns_from_text(text))) == stated


@pytest.mark.parametrize(
    ("text", "word"),
    [("name", "states no column"), ("=time", "states no"), ("a=time,b=time", "taken from a and b")],
)
def test_a_line_of_columns_that_says_nothing_is_refused(text: str, word: str) -> None:
    with pytest.raises(MeasurementError, match=word):
        columns_from_text(text)
