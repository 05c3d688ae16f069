"""Measured kernels have the same figures wherever they are shown, with a pair and without: random studies."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.diagnosis import diagnose
from rooflinestudio.core.export import csv_table
from rooflinestudio.core.measured.panel import measured_panel
from rooflinestudio.core.measured.series import DRAM
from rooflinestudio.core.measured.table import TableMaker
from rooflinestudio.core.measurement import MeasuredTraffic
from rooflinestudio.core.pairing.edits import with_pair
from rooflinestudio.core.pairing.figures import kernel_figures
from rooflinestudio.core.pairing.readout import row_for_pair
from rooflinestudio.core.placing import place
from rooflinestudio.core.quantities import format_number, format_quantity
from rooflinestudio.core.series.maker import SeriesMaker
from rooflinestudio.core.sweep.measured import measured_points
from rooflinestudio.ui.comparison.lines import LineMaker
from rooflinestudio.ui.inspector.kernel import KernelPanel
from rooflinestudio.ui.presenter import scene_of
from rooflinestudio.ui.status_row import kernel_text
from tests.core.diagnosing import measured
from tests.core.measured_files import B
from tests.core.pairing.desk import ONE, file_of
from tests.ui.shell_helpers import H100, gemm, registry, study
from tests.ui.test_agreement import CLOSE, many, studies

_works = st.sampled_from(
    [
        {},  # the counters are blind
        {"fp32": 0.0},
        {"fp32": 3.4e7},  # only an epilogue was counted
        {"fp32": 5e11},
        {"bf16-tensor": 1.3e11},
        {"bf16-tensor": 1.3e11, "fp32": 3.4e7},
        {"bf16-tensor": 1.3e11, "fp32": 1e11},  # more of it on one pipe, more time on the other
        {"odd-pipe": 1e9},
    ]
)
_TRAFFIC, _RATIO_Q, _INTENSITY, _BOUND, _TIME, _RATIO = 2, 3, 4, 6, 7, 9


@st.composite
def kernels(draw, launch):
    one = measured(
        launch=launch,
        kernel=f"kernel_{launch}",
        work=draw(_works),
        time=draw(st.sampled_from([196e-6, 1e-3, None])),
        dram=draw(st.sampled_from([588e6, 1e8, None])),
    )
    if draw(st.booleans()):
        one = replace(one, traffic={**one.traffic, "l2": MeasuredTraffic(None, None, 2e9)})
    return one


@st.composite
def measured_studies(draw):
    """A study with a file of kernels, each held against some entry, or against none."""
    made = draw(studies())
    count = draw(st.integers(1, 5))
    made = replace(made, overlays=(file_of(*(draw(kernels(at)) for at in range(count))),))
    made = made.with_panel("measured", {"points": "all"} if draw(st.booleans()) else {})
    for at in range(count):
        id_ = draw(st.sampled_from(["", *(one.id for one in made.entries)]))
        made = with_pair(made, ONE, at, id_) if id_ else made
    return made


class Views:
    """What every view says of the kernels of a study, on a machine."""

    def __init__(self, made, machine=H100):
        self.machine = machine
        self.placed = placed = place(made, {}, registry())
        self.overlay, self.profile = made.overlays[0], placed.profiles[machine]
        self.table = TableMaker().table(made, measured_panel(made), self.profile, placed=placed)
        self.scene = scene_of(placed, machine=machine)
        self.markers = {one.key: one for one in self.scene.markers if one.kernel}
        self.lines = {one.selection: one for one in LineMaker().lines(placed, None, machine)}
        exported = csv.DictReader(io.StringIO(csv_table(placed)))
        self.exported = {(one["entry"], one["machine"]): one for one in exported}
        self.entry_of = {one.launch: one.entry for one in made.pairs}

    def row(self, at):
        entry = self.entry_of.get(at)
        return row_for_pair(self.placed, entry, self.machine) if entry is not None else None

    def diagnosis(self, at):
        row = self.row(at)
        placement = row.placement if row is not None else None
        return diagnose(self.overlay.measurement(at), self.profile, placement=placement, overlay=self.overlay)

    def point(self, at):
        """W, intensity and achieved rate as the diagnosis has them; None where it has not."""
        work, traffic, time = (one.value for one in self.diagnosis(at).numbers)
        intensity = work / traffic if work is not None and traffic else None
        return work, intensity, work / time if work is not None and time else None


def same(value, other):
    if value is None or math.isnan(value):
        return other is None or math.isnan(other)
    return other is not None and value == pytest.approx(other, rel=CLOSE)


@many(60)
@given(measured_studies())
def test_table_canvas_and_diagnosis_tell_the_same_point(made):
    views = Views(made)
    for at in range(len(views.overlay)):
        work, intensity, rate = views.point(at)
        numbers = views.table.series.numbers
        assert same(numbers("work_flop")[at], work)
        assert same(numbers(f"intensity_{DRAM}")[at], intensity)
        assert same(numbers("achieved_flop_per_s")[at], rate)
        marker = views.markers.get(("measured", ONE, at))
        assert (marker is not None) == bool(intensity and rate)
        if marker is not None:
            assert same(10**marker.log_x, intensity) and same(10**marker.log_y, rate)
            assert marker.lent == (views.diagnosis(at).numbers[0].origin == "paired")
            assert marker.pipe == views.table.series.text("pipe", at)
    for one in views.scene.satellites:  # the points at L2: the same work over other traffic
        if one.kernel:
            assert same(10**one.log_x, views.point(one.key[2])[0] / 2e9)


@many(60)
@given(measured_studies())
def test_the_compare_table_tells_the_point_and_the_ratios_of_the_diagnosis(made):
    views = Views(made)
    held = views.table.held
    for at in range(len(views.overlay)):
        line, found = views.lines.get(("measured", ONE, at)), views.diagnosis(at)
        assert (line is not None) == (at in views.entry_of)
        if line is None:
            continue
        assert same(line.values[_INTENSITY], views.point(at)[1])
        assert (
            same(line.values[_TRAFFIC], found.numbers[1].value)
            and line.values[_TIME] == found.numbers[2].value
        )
        assert line.bound == held.kind_word(at)
        row = views.row(at)
        if row is None:
            assert line.values[_RATIO] is None and line.values[_RATIO_Q] is None
            continue
        cells, home = views.exported[row.key], row.placement.boundary_id
        assert same(line.values[_RATIO], None if found.gap is None else found.gap.time)
        if found.gap is not None:
            assert line.values[_RATIO] * float(cells["time_s"]) == pytest.approx(
                found.numbers[2].value, rel=CLOSE
            )
        if found.gap is not None and home == DRAM:
            assert same(line.values[_RATIO_Q], found.gap.traffic)
        if home == DRAM and line.values[_RATIO_Q] is not None:
            whole = line.values[_RATIO_Q] * float(cells["traffic_bytes"])
            assert whole == pytest.approx(found.numbers[1].value, rel=CLOSE)


@many(40)
@given(made=measured_studies())
def test_inspector_and_status_line_show_the_point_of_the_diagnosis(qapp, made):
    views, panel = Views(made), KernelPanel()  # a new one: files of the same digest would be the same to it
    for at in range(len(views.overlay)):
        work, intensity, rate = views.point(at)
        panel.show_kernel(views.placed, views.overlay, at, H100)
        shown = {row.label(): row.value() for row in panel.rows if not row.isHidden()}
        works = [text for caption, text in shown.items() if caption.startswith("work W")]
        assert works == ([] if work is None else [format_quantity(work, "FLOP", digits=4)])
        assert shown.get("achieved") == (None if rate is None else format_quantity(rate, "FLOP/s"))
        figure = next((text for name, text in shown.items() if name.startswith("intensity I at HBM3")), None)
        assert figure == (None if intensity is None else f"{format_number(intensity)} FLOP/byte")
        assert panel.lent.isHidden() == (views.diagnosis(at).numbers[0].origin != "paired")
        text = kernel_text(kernel_figures(views.placed, views.overlay, at, H100))
        if intensity and rate:
            assert f"I {format_number(intensity)} FLOP/byte" in text
            assert f"achieved {format_quantity(rate, 'FLOP/s', digits=3)}" in text
        assert ("W from" in text) == (views.diagnosis(at).numbers[0].origin == "paired")


@many(40)
@given(measured_studies())
def test_points_over_a_sweep_are_those_of_the_diagnosis(made):
    views = Views(made)
    for row in views.placed.rows:
        if row.machine != H100 or row.placement is None or row.placement.boundary_id != DRAM:
            continue
        mine = [at for at, entry in views.entry_of.items() if entry == row.entry.id]
        for figure, part in (("intensity", 1), ("attainable", 2)):
            points = {one.name: one for one in measured_points(views.placed, row, figure, (1.0, 1.0))}
            expected = {f"kernel_{at}": views.point(at)[part] for at in mine if views.point(at)[part]}
            assert points.keys() == expected.keys()
            assert all(same(points[name].y, value) for name, value in expected.items())


# Kernels of two pipes on two machines: TFLOP/s of the matrix pipe and of fp32 by their data sheets
GEFORCE = "nvidia-rtx-4090"
CEILINGS = {H100: (989.4, 66.9), GEFORCE: (165.2, 82.6)}
_gflop = st.sampled_from([0.0, 1.0, 6.0, 30.0, 50.0, 100.0, 400.0])


def main_of(matrix, vector, machine):
    """The pipe that takes longer, by hand: name, and its work in FLOP."""
    fast, slow = CEILINGS[machine]
    return ("bf16-tensor", 1e9 * matrix) if matrix / fast >= vector / slow else ("fp32", 1e9 * vector)


def two_pipes(works, **more):
    kernels = [
        measured(
            launch=at,
            kernel=f"kernel_{at}",
            work={"bf16-tensor": 1e9 * matrix, "fp32": 1e9 * vector},
            time=2e-3,
            dram=2e8,
        )
        for at, (matrix, vector) in enumerate(works)
    ]
    return file_of(*kernels, **more)


@many(40)
@given(st.lists(st.tuples(_gflop, _gflop).filter(any), min_size=1, max_size=4), st.booleans())
def test_of_two_pipes_every_view_shows_the_one_that_holds_the_kernel_on_the_machine(works, paired):
    made = replace(study(gemm("gemm-1"), machines=(H100, GEFORCE)), overlays=(two_pipes(works),))
    for at in range(len(works) if paired else 0):
        made = with_pair(made, ONE, at, "gemm-1")
    for machine in (H100, GEFORCE, H100):
        views = Views(made, machine)
        for at, (matrix, vector) in enumerate(works):
            pipe, work = main_of(matrix, vector, machine)
            assert views.table.series.text("pipe", at) == pipe
            assert same(views.table.series.numbers("work_flop")[at], work)
            marker = views.markers["measured", ONE, at]
            assert marker.pipe == pipe and same(10**marker.log_x, work / 2e8)
            assert same(10**marker.log_y, work / 2e-3)
            assert views.point(at) == pytest.approx((work, work / 2e8, work / 2e-3))
            figures = kernel_figures(views.placed, views.overlay, at, machine)
            assert (figures.pipe, figures.work_flop) == (pipe, work)
            assert f"I {format_number(work / 2e8)} FLOP/byte" in kernel_text(figures)
            if paired:
                assert same(views.lines["measured", ONE, at].values[_INTENSITY], work / 2e8)
        for row in views.placed.rows:
            for one in measured_points(views.placed, row, "attainable", (1.0, 1.0)):
                works_at = works[int(one.name.removeprefix("kernel_"))]
                assert same(one.y, main_of(*works_at, row.machine)[1] / 2e-3)


@pytest.mark.parametrize(
    ("machine", "pipe", "other"), [(H100, "fp32", "bf16-tensor"), (GEFORCE, "bf16-tensor", "fp32")]
)
def test_the_pipe_beside_the_main_one_is_named(qapp, machine, pipe, other):
    amounts = {"bf16-tensor": "100.0 GFLOP", "fp32": "30.00 GFLOP"}
    made = replace(study(gemm("gemm-1"), machines=(H100, GEFORCE)), overlays=(two_pipes([(100, 30)]),))
    views, panel = Views(made, machine), KernelPanel()
    panel.show_kernel(views.placed, views.overlay, 0, machine)
    shown = {row.label(): row.value() for row in panel.rows if not row.isHidden()}
    assert shown[f"work W, {pipe}"] == amounts[pipe] and shown[f"also on {other}"] == amounts[other]
    tip = views.markers["measured", ONE, 0].tip
    assert f"W on {pipe}, also {other} {'100' if pipe == 'fp32' else '30.0'} GFLOP" in tip


def test_the_inspector_follows_the_machine_in_view(qapp):
    made = replace(study(gemm("gemm-1"), machines=(H100, GEFORCE)), overlays=(two_pipes([(100, 30)]),))
    placed, panel = place(made, {}, registry()), KernelPanel()
    captions = []
    for machine in (H100, GEFORCE, H100):
        panel.show_kernel(placed, made.overlays[0], 0, machine)
        captions += [row.label() for row in panel.rows if row.label().startswith("work W")]
    assert captions == ["work W, fp32", "work W, bf16-tensor", "work W, fp32"]


@pytest.mark.parametrize("machine", [H100, GEFORCE])
def test_points_by_the_thousand_and_arrows_stand_where_the_markers_do(machine):
    works = [(100, 30), (400, 6)] * 20  # more than are markers of their own
    made = replace(study(machines=(H100, GEFORCE)), overlays=(two_pipes(works),))
    cloud = scene_of(place(made, {}, registry()), machine=machine).overlays[0]
    expected = [main_of(*works[int(at)], machine)[1] / 2e-3 for at in cloud.index]
    assert 10**cloud.log_y == pytest.approx(expected, rel=1e-5)
    before, after = two_pipes([(100, 30)]), two_pipes([(100, 30)], digest=B, name="after.csv")
    made = replace(study(machines=(H100, GEFORCE)), overlays=(before, after))
    scene = scene_of(place(made, {}, registry()), machine=machine)
    figures = SeriesMaker().figures(made, measured_panel(made), registry().load_profile(machine))
    for marker in scene.markers:
        assert same(10**marker.log_y, float(figures.after.rate_flop_per_s[0]))
