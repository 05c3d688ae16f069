from __future__ import annotations

import subprocess
import sys

import pytest

from rooflinestudio.core.placing import place
from rooflinestudio.core.study_files import load_study, save_study
from rooflinestudio.ui.example import EXAMPLE_MACHINES, example_study
from tests.ui.shell_helpers import H100, registry


@pytest.fixture(scope="module")
def study():
    return example_study([registry().load_profile(one) for one in EXAMPLE_MACHINES], registry())


def test_every_visible_entry_is_placed_on_both_machines(study):
    placed = place(study, {}, registry())

    assert {row.state for row in placed.rows if row.entry.visible} == {"placed"}
    assert {row.machine for row in placed.rows} == set(EXAMPLE_MACHINES)


@pytest.mark.parametrize(
    ("label", "work_flop", "time_s"),
    [
        # 2·4096³ FLOP at 989.4 TFLOP/s
        ("GEMM 4096³", 2 * 4096**3, 2 * 4096**3 / 989.4e12),
        # 8192² weights, one row in, one out, 2 bytes each; the re-reads of a single row of tiles are 63 more rows
        ("Decode GEMV, batch 1", 2 * 8192**2, None),
        # 65536·8192 elements, read and written once in bf16, at 3.35 TB/s
        ("RMSNorm", 5 * 65536 * 8192, None),
        # 30 bytes for each of 7e9 parameters at 3.35 TB/s
        ("Adam, 7 B parameters", 12 * 7e9, 30 * 7e9 / 3.35e12),
        # 2 bytes in and 4 out
        ("Cast to fp32", 0, 6 * 65536 * 8192 / 3.35e12),
        # 4·128 FLOP for each of 64 heads and 4096·4097/2 visible pairs
        ("Attention, flash", 4 * 128 * 64 * 4096 * 4097 // 2, 4 * 128 * 64 * (4096 * 4097 // 2) / 989.4e12),
    ],
)
def test_figures_that_can_be_worked_out_by_hand(study, label, work_flop, time_s):
    placed = place(study, {}, registry())
    row = next(one for one in placed.rows if one.entry.label == label and one.machine == H100)

    assert row.placement.work_flop == pytest.approx(work_flop)
    if time_s is not None:
        assert row.placement.time_s == pytest.approx(time_s, rel=1e-3)


def test_it_goes_into_a_file_and_comes_back(study, tmp_path):
    save_study(study, tmp_path / "example.study")

    again = load_study(tmp_path / "example.study")
    assert again.entries == study.entries
    assert again.view == study.view
    assert again.profiles == study.profiles


def test_every_entry_says_which_plugin_it_comes_from(study):
    assert {entry.plugin.id for entry in study.entries} == {"rooflinestudio"}


def test_it_can_be_built_without_qt():
    code = "import sys, rooflinestudio.ui.example; print('PySide6' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )

    assert done.stdout.strip() == "False"
