"""Reports from the window, and how they stand on paper."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QColor, QImage, QPainter, QTextTable

from rooflinestudio.core.report.document import Column, Lines, Prose, Report, Section, Table
from rooflinestudio.ui.frame import Frame
from rooflinestudio.ui.furnishing import Furnishing
from rooflinestudio.ui.main_window import MainWindow
from rooflinestudio.ui.no_plugins import NoPlugins
from rooflinestudio.ui.presenter import scene_of
from rooflinestudio.ui.reporting.files import ENDINGS
from rooflinestudio.ui.reporting.paper import paper_of
from rooflinestudio.ui.reporting.pdf import CONTENT, MARGIN, PAGE, paint_page, pdf_bytes
from rooflinestudio.ui.reporting.writing import ReportWriting
from rooflinestudio.ui.session import Session
from rooflinestudio.ui.settings import SettingsStore
from rooflinestudio.ui.theme import DARK, LIGHT, ThemeSwitch
from tests.core.report.paper import HOSTILE, LONG, entry, held_kernel, report, study, with_kernels
from tests.ui.shell_helpers import Answers, gemm, registry
from tests.ui.shell_helpers import study as shell_study

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


@pytest.fixture
def writing(qapp, tmp_path):
    window = MainWindow(SettingsStore(tmp_path / "settings.json"), "light")
    inside = Furnishing(Frame(window, ThemeSwitch(LIGHT, window)), Session(NoPlugins()), asker=Answers())
    inside.wiring.take_registry(registry())
    inside.session.open(shell_study(gemm(), policy="compulsory"))
    inside.session.select("gemm-1")
    yield ReportWriting(inside)
    window.close_at_once()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def write(writing, path):
    writing._inside.asker.export_path = path
    writing.write()
    return writing._inside.notices.notices[-1]


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_report_is_written_where_the_user_says_and_that_is_told(writing, tmp_path, ending):
    target = tmp_path / f"mine{ending}"
    notice = write(writing, target)
    assert (notice.tone, notice.title, notice.text) == ("info", f"mine{ending} written", str(tmp_path))
    assert target.stat().st_size > 500
    beside = tmp_path / "mine-roofline.svg"
    assert beside.exists() == (ending == ".md") and notice.mend == (
        "mine-roofline.svg stands beside it." * (ending == ".md")
    )


def test_the_user_is_asked_with_all_endings_and_a_name_after_the_study(writing, tmp_path):
    write(writing, tmp_path / "a.csv")
    ((kind, suggestion, kinds),) = writing._inside.asker.asked
    assert kind == "export" and suggestion.endswith("-report.html") and kinds == ENDINGS


def test_who_thinks_better_of_it_gets_no_file_and_no_notice(writing, tmp_path):
    before = writing._inside.notices.notices
    writing.write()
    assert writing._inside.notices.notices == before
    assert not list(tmp_path.glob("*report*"))


@pytest.mark.parametrize("name", ["x.docx", "nowhere/x.html"])
def test_what_cannot_be_written_is_told_with_the_mend(writing, tmp_path, name):
    notice = write(writing, tmp_path / name)
    assert notice.tone == "error" and "was not written" in notice.title
    assert "a report ends in" in notice.text or "Make it, or choose another place." in notice.text
    assert not list(tmp_path.glob("**/x.*"))


def test_the_page_has_the_canvas_twice_light_and_dark_with_the_selected_entry(writing, tmp_path):
    write(writing, tmp_path / "a.html")
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    light, dark = (ElementTree.fromstring(one) for one in re.findall(r"<svg.*?</svg>", text, re.DOTALL))
    fills = [{one.get("fill") for one in picture.iter()} for picture in (light, dark)]
    assert LIGHT.colours["text"].lower() in fills[0] and DARK.colours["text"].lower() in fills[1]
    for picture in (light, dark):
        assert any("GEMM" in "".join(one.itertext()) for one in picture.iter())


# Paper ------------------------------------------------------------------------------------------------------------


def pages(document):
    """Paint all pages, half as large."""
    found = []
    for number in range(document.pageCount()):
        image = QImage(int(PAGE.width() / 2), int(PAGE.height() / 2), QImage.Format.Format_RGB32)
        image.fill(QColor("red"))
        painter = QPainter(image)
        painter.scale(0.5, 0.5)
        paint_page(painter, document, number, "Title", LIGHT)
        painter.end()
        found.append(image)
    return found


def ink(image, *, top=0.0, bottom=1.0):
    """Return how many dots are dark between two shares of the height."""
    rows = range(int(top * image.height()), int(bottom * image.height()))
    return sum(image.pixelColor(x, y).lightness() < 200 for y in rows for x in range(0, image.width(), 2))


def hostile():
    kernels = [held_kernel(n, kernel=f"{LONG}{n}", time=1e-3 * (n + 1)) for n in range(40)]
    made, placed = report(
        with_kernels(study(entry(label=HOSTILE)), *kernels, pairs=[(n, "copy-1") for n in range(20)])
    )
    return made, scene_of(placed, invited=False)


def test_paper_holds_every_cell_under_heads_that_come_again_on_each_page(qapp):
    made, scene = hostile()
    document = paper_of(made, scene, CONTENT, LIGHT)
    tables = [one for one in document.rootFrame().childFrames() if isinstance(one, QTextTable)]
    expected = [block for one in made.all_sections() for block in one.blocks if isinstance(block, Table)]
    assert len(tables) == len(expected)
    for table, block in zip(tables, expected, strict=True):
        assert table.format().headerRowCount() == 1
        cells = [
            [_plain(table.cellAt(row, column)) for column in range(table.columns())]
            for row in range(1, table.rows())
        ]
        assert cells == [list(row) for row in block.rows]


def _plain(cell):
    text = cell.firstCursorPosition().block().text()
    return text.replace("\u200b", "").replace("\u00a0", " ")


def test_no_table_is_wider_than_the_page_however_long_the_names(qapp):
    made, scene = hostile()
    document = paper_of(made, scene, CONTENT, LIGHT)
    assert document.size().width() <= CONTENT.width() + 2


def test_no_page_is_empty_and_each_has_its_number(qapp):
    made, scene = hostile()
    document = paper_of(made, scene, CONTENT, LIGHT)
    found = pages(document)
    assert len(found) > 2
    foot = 1 - MARGIN / PAGE.height()
    assert all(ink(one, bottom=foot) > 100 and ink(one, top=foot) > 5 for one in found)
    assert ink(found[0], top=0.2, bottom=0.8) > 500  # the picture


@pytest.mark.parametrize("filler", range(20, 48, 3))
def test_a_head_is_never_the_last_thing_on_a_page(qapp, filler):
    rows = tuple((f"row {n}", "1") for n in range(5))
    table = Table("Caption", (Column("Name"), Column("Value", True)), rows)
    sections = tuple(
        Section(
            f"s{n}",
            f"Head {n}",
            (Lines(("line",) * filler), table),
            (Section(f"t{n}", f"Below {n}", (Prose("text"),)),),
        )
        for n in range(6)
    )
    document = paper_of(Report("T", "now", "x", "", sections), None, CONTENT, LIGHT)
    layout, height = document.documentLayout(), CONTENT.height()

    def page(block):
        return int((layout.blockBoundingRect(block).bottom() - 2) // height)

    block, seen, last = document.begin(), 0, -1
    while block.isValid():
        if block.text().startswith(("Head", "Below")):
            seen += 1
            assert page(block) == page(block.next())
        assert page(block) <= last + 1 or last == -1  # no page is left out
        last, block = max(last, page(block)), block.next()
    assert seen == 12


def test_a_pdf_is_made_for_a_study_without_anything(qapp):
    made, placed = report(study())
    data = pdf_bytes(made, scene_of(placed, invited=False), LIGHT)
    assert data.startswith(b"%PDF") and data.rstrip().endswith(b"%%EOF")
