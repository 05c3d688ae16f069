"""What the panels ask for becomes one edit each, and undo takes it back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QWidget

from rooflinestudio.core.fusion import parse_chain
from rooflinestudio.core.study_edits import with_new_chain
from rooflinestudio.ui.later_page import LaterPage
from rooflinestudio.ui.panel_wishes import PanelWishes
from rooflinestudio.ui.session import Session, selected_entry
from tests.ui.shell_helpers import A100, H100, gemm, registry, study

if TYPE_CHECKING:
    from rooflinestudio.core.study import Study

pytestmark = pytest.mark.usefixtures("qapp")


class Panel(QWidget):
    """A view that has every wish."""

    selectRequested = Signal(object)
    panelRequested = Signal(str, str, dict, bool)
    parameterRequested = Signal(str, str, object, bool)
    dtypesRequested = Signal(str, dict)
    visibleRequested = Signal(str, bool)
    variantRequested = Signal(object, str)
    entriesRequested = Signal(str, tuple)
    newChainRequested = Signal(object, dict, dict, str)
    chainRequested = Signal(str, str, object)
    chainCutsRequested = Signal(str, str, tuple)
    chainVariantRequested = Signal(str, tuple, str)
    absorptionRequested = Signal(str, float)
    gestureEnded = Signal()


class _Inside(QWidget):
    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.wishes = self.notices = None


@pytest.fixture
def session() -> Session:
    return Session(registry(), study(gemm()))


@pytest.fixture
def panel(session, qtbot):
    inside, view = _Inside(session), Panel()
    qtbot.addWidget(inside)
    qtbot.addWidget(view)
    wishes = _slots_without_window(inside)
    wishes.connect_view(view)
    view.inside = inside
    return view


def _slots_without_window(inside: _Inside) -> PanelWishes:
    class _Wishes:
        @staticmethod
        def place(_id: str) -> None: ...

    inside.wishes = _Wishes()
    return PanelWishes(inside)


def undone(session: Session) -> Study:
    session.undo_stack.undo()
    return session.study


def test_a_panel_setting_is_one_edit_and_drags_merge(session, panel) -> None:
    before = session.study
    for low in (1, 2, 3):
        panel.panelRequested.emit("Change range", "sweep", {"low": low}, True)
    assert session.study.panels == {"sweep": {"low": 3}}
    assert undone(session) == before

    panel.panelRequested.emit("Change range", "sweep", {"low": 7}, False)
    panel.panelRequested.emit("Change range", "sweep", {"low": None}, False)
    assert session.study.panels == {}
    assert undone(session).panels == {"sweep": {"low": 7}}


def test_tied_parameters_are_set_together(session, panel) -> None:
    for value in (512, 1024):
        panel.parameterRequested.emit("gemm-1", "m=n=k", value, True)
    panel.gestureEnded.emit()
    assert session.study.entry("gemm-1").parameters == {"m": 1024, "n": 1024, "k": 1024}
    assert undone(session).entry("gemm-1").parameters["m"] == 4096

    panel.parameterRequested.emit("gemm-1", "m", 64, False)
    assert session.study.entry("gemm-1").parameters["m"] == 64
    assert session.study.entry("gemm-1").parameters["n"] == 4096


def test_a_variant_is_linked_selected_and_brings_its_machine(session, panel) -> None:
    assert A100 not in session.study.profiles
    wanted = replace(gemm(), id="", variant_of="gemm-1", machines=(A100,), label="on A100")
    panel.variantRequested.emit(wanted, "on A100")

    made = session.study.entry(session.selection)
    assert made.variant_of == "gemm-1" and made.machines == (A100,)
    assert A100 in session.study.view.machines
    assert [one.id for one in undone(session).entries] == ["gemm-1"]
    assert A100 not in session.study.view.machines


def test_several_entries_come_as_one_edit_in_colours_of_their_own(session, panel) -> None:
    panel.entriesRequested.emit("Place both", (gemm("", label="a"), gemm("", label="b")))

    assert [one.label for one in session.study.entries] == ["GEMM", "a", "b"]
    assert len({one.id for one in session.study.entries}) == 3
    assert [one.slot for one in session.study.entries] == [0, 1, 2]
    assert len(undone(session).entries) == 1


def test_a_chain_is_made_cut_and_varied(session, panel) -> None:
    panel.newChainRequested.emit(parse_chain("add | silu"), {"tokens": 64, "width": 64}, {}, "Tail")
    id_ = session.selection
    assert session.study.entry(id_).label == "Tail" and session.study.chains[0].cuts == (0,)

    panel.chainCutsRequested.emit("Fuse", id_, ())
    assert session.study.chains[0].cuts == ()
    panel.chainRequested.emit("Change chain", id_, parse_chain("add + silu + mul"))
    assert session.study.chains[0].parts == ("add", "silu", "mul")
    panel.chainVariantRequested.emit(id_, (0, 1), "all split")
    assert session.study.entry(session.selection).variant_of == id_
    assert [one.cuts for one in session.study.chains] == [(), (0, 1)]
    assert [one.cuts for one in undone(session).chains] == [()]


def test_an_absorption_counts_only_when_modelled(session, panel) -> None:
    panel.absorptionRequested.emit("gemm-1", 0.77)
    entry = session.study.entry("gemm-1")
    assert (entry.policy, entry.absorption) == ("modelled", 0.77)
    assert undone(session).entry("gemm-1").policy is None


def test_hiding_and_formats_reach_the_entry(session, panel) -> None:
    panel.visibleRequested.emit("gemm-1", False)
    panel.dtypesRequested.emit("gemm-1", {"all": "fp8"})
    entry = session.study.entry("gemm-1")
    assert not entry.visible and entry.dtypes == {"all": "fp8"}


def test_a_selected_part_goes_with_its_entry(session) -> None:
    session.select(("part", "gemm-1", 2))
    assert selected_entry(session.selection) == "gemm-1"
    session.remove(("gemm-1",))
    assert session.selection is None
    assert selected_entry(("measured", "digest", 1)) is None


def test_cutting_a_chain_tells_the_source_but_not_that_operators_changed(session) -> None:
    told = []
    session.sourceChanged.connect(told.append)
    made = with_new_chain(session.study, parse_chain("add | silu"))
    id_ = session.edit_and_select("New chain", made)
    operators = session.source.operators

    assert session.source.operator(session.study.entry(id_).operator).label == "add | silu"
    assert told[-1] is session.source and operators is registry().operators
    session.undo_stack.undo()
    assert told[-1] is registry()


def test_a_page_is_made_when_it_is_looked_at(qtbot) -> None:
    made = []
    page = LaterPage(lambda: made.append(1) or QLabel("there"))
    qtbot.addWidget(page)
    assert made == []
    with qtbot.waitSignal(page.made):
        page.show()
    page.hide()
    page.show()
    assert made == [1] and page.view.text() == "there"


def test_a_study_names_its_machines() -> None:
    assert study(gemm()).view.machines == (H100,)
