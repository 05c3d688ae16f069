from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from rooflinestudio.core.measurement import MeasurementCancelled, MeasurementError, MeasurementFile
from rooflinestudio.plugins.reading import read_measurements

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


def test_a_reader_without_a_decimal_mark_says_so(file: Path) -> None:
    class Plain(Reader):
        pass

    plain = Plain()
    object.__delattr__(plain, "decimal_mark")
    Plain.decimal_mark = property(lambda self: (_ for _ in ()).throw(AttributeError()))  # type: ignore[assignment]
    with pytest.raises(MeasurementError, match="takes no decimal mark"):
        read_measurements(file, [plain], decimal_mark=",")
