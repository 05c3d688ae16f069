"""The reader on real reports, read in place; they belong to their authors and are no part of the project.

``ROOFLINESTUDIO_NCU_FILES`` names a folder with files ``NN-*.ncu-rep`` and an ``answers.json`` with the right figures.
"""

from __future__ import annotations

import json
import math
import os
from functools import cache
from pathlib import Path

import pytest

from plugins_builtin.nsight_compute_report import NsightComputeReport
from rooflinestudio.core.measurement import to_json

FOLDER = os.environ.get("ROOFLINESTUDIO_NCU_FILES", "")
# By the name in the answers: that in the launch.
FIGURES = {
    "time_s": "time_s",
    "dram_bytes": "dram_bytes",
    "work_flop": "work_flop",
    "intensity_dram": "intensity_dram",
    "achieved_flop_per_s": "achieved_flop_per_s",
    "l2_from_l1_bytes": "l2_bytes",
    "shared_bytes_upper": "shared_bytes",
}

pytestmark = pytest.mark.skipif(
    not FOLDER or not Path(FOLDER, "answers.json").is_file(),
    reason="ROOFLINESTUDIO_NCU_FILES names no folder with real files and answers.json",
)


def _path(number: str) -> Path | None:
    return next(iter(Path(FOLDER).glob(f"{number[:2]}-*.ncu-rep")), None)


def _answers() -> list[dict]:
    path = Path(FOLDER, "answers.json")
    answers = json.loads(path.read_text())["answers"] if FOLDER and path.is_file() else []
    return [answer for answer in answers if _path(answer["file"]) is not None]


@cache
def _file(number: str) -> dict:
    path = _path(number)
    assert path is not None
    return to_json(NsightComputeReport().read(path))


@pytest.mark.parametrize(
    "answer", _answers(), ids=lambda answer: f"{answer['file']}-{answer.get('launch', 'none')}"
)
def test_real_reports_give_the_right_answers(answer):
    file = _file(answer["file"][:2])
    assert not file["warnings"]
    if answer.get("points") == 0:
        launch = file["launches"][int(answer["file"].partition("#")[2])]
        assert not launch["plotted"]
        assert launch["reason"]
        return
    launch = file["launches"][answer["launch"]]
    assert answer["kernel_contains"] in launch["kernel"]
    for name, key in FIGURES.items():
        if name in answer:
            assert launch[key] is not None, name
            assert math.isclose(launch[key], answer[name], rel_tol=answer["tolerance"], abs_tol=1e-15), name


@pytest.mark.parametrize(
    "answer", [one for one in _answers() if "peak_fp64" in one], ids=lambda one: one["file"]
)
def test_real_reports_carry_their_ceilings(answer):
    path = _path(answer["file"])
    assert path is not None

    (found,) = NsightComputeReport().read(path).machines
    rates = {one.id: one.best for one in found.ceilings}
    slopes = {one.id: one.best for one in found.boundaries}

    assert rates["fp64"] == pytest.approx(answer["peak_fp64"], rel=1e-9)
    assert slopes["dram"] == pytest.approx(answer["peak_dram_bytes_per_s"], rel=1e-9)
