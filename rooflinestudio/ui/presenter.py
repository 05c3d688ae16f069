"""From a placed study to the scene of the canvas: a pure function, with a memory for what did not change.

It computes no figure of the model; it chooses what is shown, where and in which words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rooflinestudio.core.judged import BOTH_ROOFS, shows_both_roofs
from rooflinestudio.core.placement import ALL
from rooflinestudio.core.selection import selected_entry
from rooflinestudio.ui.canvas.measured_drawing import KernelDrawings
from rooflinestudio.ui.canvas.scene import EmptyState, Scene
from rooflinestudio.ui.canvas.scene_roofs import (
    boundary_in_view,
    ceilings_of,
    extended,
    home_range,
    roofs_of,
    slopes_of,
)
from rooflinestudio.ui.canvas.scene_rows import RowDrawing, draw_row
from rooflinestudio.ui.canvas.scene_selected import (
    SelectedDrawing,
    draw_selected,
    selected_placement,
)
from rooflinestudio.ui.canvas.scene_variants import ArrowMaker

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from rooflinestudio.core.hardware import HardwareProfile
    from rooflinestudio.core.placing import PlacedRow, PlacedStudy
    from rooflinestudio.core.study import View
    from rooflinestudio.ui.canvas.coordinates import Range
    from rooflinestudio.ui.canvas.scene import Key

__all__ = ["EMPTY_STATE", "ScenePresenter", "scene_of"]

EMPTY_STATE: Final = EmptyState(
    "Put an operator under the roof",
    "Drag one from the palette, or press Enter on it. Its point lands where its intensity meets this machine.",
    (
        ("Ctrl+K", "find an operator or a command"),
        ("Ctrl+O", "open a study"),
        ("Ctrl+I", "import a profiler file"),
    ),
)
_NOTHING: Final = RowDrawing()


def scene_of(
    placed: PlacedStudy,
    *,
    selected: Key | None = None,
    machine: str | None = None,
    hidden_overlays: frozenset[str] = frozenset(),
    invited: bool = True,
) -> Scene:
    """Return what the canvas shows of a study.

    Parameters
    ----------
    selected
        An entry id, ``("measured", overlay digest, index)``, ``("part", entry id, number of the part)``, or None.
    machine
        The machine of the strong roof; left out, the first in view.
    hidden_overlays
        Digests of overlays that are switched off.
    invited
        Whether an empty study shows the invitation.
    """
    return ScenePresenter().scene(
        placed, selected=selected, machine=machine, hidden_overlays=hidden_overlays, invited=invited
    )


class ScenePresenter:
    """Makes scenes one after the other and keeps the drawings of rows that did not change.

    It gives the same scenes as :func:`scene_of`, only faster: a slider step draws one row anew.
    """

    def __init__(self) -> None:
        # By identity: a row that is the same object is drawn the same. The row is kept, so that its id stays its own.
        self._rows: dict[int, tuple[PlacedRow, RowDrawing]] = {}
        self._selected: tuple[PlacedRow | None, Key | None, SelectedDrawing] = (None, None, SelectedDrawing())
        self._arrows = ArrowMaker()
        self._roofs: tuple[Any, Any] = (None, None)
        self._kernels = KernelDrawings()

    def scene(
        self,
        placed: PlacedStudy,
        *,
        selected: Key | None = None,
        machine: str | None = None,
        hidden_overlays: frozenset[str] = frozenset(),
        invited: bool = True,
    ) -> Scene:
        """Return the scene; see :func:`scene_of`."""
        drawings = self._draw_rows(placed)
        strong = _strong_machine(placed, machine)
        row = _selected_row(placed, selected, strong)
        if row is not self._selected[0] or selected != self._selected[1]:
            self._selected = (row, selected, draw_selected(row, selected))
        if strong is None:
            return Scene(model_line=model_line(placed.study.view), empty=_invitation(placed, invited))
        placement, around = selected_placement(row, selected), self._selected[2]
        boundary = boundary_in_view(strong, _named_boundary(placed.study.view))
        own: tuple[str | None, str | None] = (None, None)
        if placement is not None and placement.profile is strong:
            own = (placement.ceiling_id, placement.boundary_id)
        both = shows_both_roofs(placed.study.panels.get("canvas", {}).get(BOTH_ROOFS), strong, boundary)
        lines = self._lines(_drawn_machines(placed), strong, boundary, own, both)
        measured = self._kernels.drawing(placed, (strong, boundary), hidden_overlays, selected)
        markers = (*(one.marker for one in drawings.values() if one.marker is not None), *measured.markers)
        points = [(one.log_x, one.log_y) for one in (*markers, *around.parts)] + list(measured.corners)
        arrows, notes = self._arrows.make(placed, drawings)
        home: Range = lines["home_range"]
        return Scene(
            **_words(placed.study.view, strong, boundary),
            machine=strong.id,
            fit_range=extended(home, points),
            overlays=measured.overlays,
            floor=around.floor,
            segments=measured.segments,
            arrows=arrows,
            notes=notes,
            series=measured.series,
            runs=measured.runs,
            files=measured.files,
            area_key=measured.area_key,
            parts=around.parts,
            satellites=(*around.satellites, *measured.satellites),
            markers=markers,
            **_groups([*_once_each(drawings, strong.id), around.strip]),
            selected=selected,
            selected_machine=row.machine if row is not None else "",
            empty=_invitation(placed, invited),
            **lines,
        )

    def _draw_rows(self, placed: PlacedStudy) -> Mapping[tuple[str, str], RowDrawing]:
        known, kept = self._rows, {}
        drawings: dict[tuple[str, str], RowDrawing] = {}
        for row in placed.rows:
            if not row.entry.visible:
                continue
            found = known.get(id(row))
            if found is None or found[0] is not row:
                found = (row, draw_row(row))
            kept[id(row)] = found
            if found[1] is not _NOTHING:
                drawings[row.key] = found[1]
        self._rows = kept
        return drawings

    def _lines(
        self,
        machines: Sequence[HardwareProfile],
        strong: HardwareProfile,
        boundary: str,
        own: tuple[str | None, str | None],
        both: bool,
    ) -> dict[str, Any]:
        """Return the parts of the scene that come from machines alone; the same objects while these are the same."""
        key = (tuple(id(one) for one in machines), id(strong), boundary, own, both)
        if self._roofs[0] is None or self._roofs[0][0] != key:
            lines = {
                "home_range": home_range(machines, boundary),
                "roofs": roofs_of(machines, strong, boundary, both=both),
                "ceilings": ceilings_of(strong, boundary, own[0]),
                "slopes": slopes_of(strong, boundary, own[1]),
            }
            self._roofs = ((key, tuple(machines)), lines)
        return self._roofs[1]


def _strong_machine(placed: PlacedStudy, machine: str | None) -> HardwareProfile | None:
    if machine and machine in placed.profiles:
        return placed.profiles[machine]
    drawn = _drawn_machines(placed)
    return drawn[0] if drawn else None


def _drawn_machines(placed: PlacedStudy) -> list[HardwareProfile]:
    """Return the machines in view, then those that only a visible entry names."""
    machines = {profile.id: profile for profile in placed.machines}
    for row in placed.rows:
        if row.profile is not None and row.entry.visible and row.state == "placed":
            machines.setdefault(row.machine, row.profile)
    return list(machines.values())


def _groups(drawings: Sequence[RowDrawing]) -> dict[str, Any]:
    """Return the parts of the scene that are shown once per entry."""
    return {
        "corridors": tuple(one.corridor for one in drawings if one.corridor is not None),
        "strip": tuple(one.strip for one in drawings if one.strip is not None),
        "right_strip": tuple(one.right_strip for one in drawings if one.right_strip is not None),
    }


def _words(view: View, strong: HardwareProfile, boundary: str) -> dict[str, Any]:
    return {
        "title": _title(view, strong, boundary),
        "model_line": model_line(view),
        "x_title": _x_title(view, strong, boundary),
    }


def _once_each(drawings: Mapping[tuple[str, str], RowDrawing], strong: str) -> list[RowDrawing]:
    """Return each entry's drawing on the strong machine, or on its first one if it is not placed there.

    Corridors and strip rows of the same entry on every machine would only repeat what is seen already.
    """
    chosen: dict[str, tuple[str, RowDrawing]] = {}
    for (entry, machine), drawing in drawings.items():
        if entry not in chosen or machine == strong:
            chosen[entry] = (machine, drawing)
    return [drawing for _, drawing in chosen.values()]


def _selected_row(
    placed: PlacedStudy, selected: Key | None, strong: HardwareProfile | None
) -> PlacedRow | None:
    """Return the row that is shown as selected: on the strong machine if it is there, else on its first."""
    entry = selected_entry(selected)
    if entry is None:
        return None
    rows = [row for row in placed.rows_of(entry) if row.placement is not None and row.entry.visible]
    return next(
        (row for row in rows if strong is not None and row.machine == strong.id), rows[0] if rows else None
    )


def _named_boundary(view: View) -> str | None:
    return None if view.boundary == ALL else view.boundary


def _title(view: View, strong: HardwareProfile, boundary: str) -> str:
    if view.boundary == ALL:
        return "Roofline over all crossed boundaries"
    if view.boundary is None:
        return "Roofline at each operator's home"
    return f"Roofline at {strong.boundaries[boundary].label}"


def _x_title(view: View, strong: HardwareProfile, boundary: str) -> str:
    if view.boundary == ALL:
        return "intensity at the slowest crossed boundary, FLOP/byte"
    if view.boundary is None:
        return "intensity at the operator's home, FLOP/byte"
    return f"intensity at {strong.boundaries[boundary].label}, FLOP/byte"


def model_line(view: View) -> tuple[str, str]:
    """Return how the figures on the canvas come about: policy with absorption, bound or forecast with overlap."""
    policy = f"modelled, absorption {view.absorption:.2f}" if view.policy == "modelled" else view.policy
    model = (
        "forecast with launch, latency, tiles and waves" if view.forecast else "pure bound, no launch cost"
    )
    if view.overlap < 1:
        model += f", overlap {view.overlap:.2f}"
    return policy, model


def _invitation(placed: PlacedStudy, invited: bool) -> EmptyState | None:
    study = placed.study
    return EMPTY_STATE if invited and not study.entries and not study.overlays else None
