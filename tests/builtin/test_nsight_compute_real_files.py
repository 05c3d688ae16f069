"""The reader on real exports, read in place; they belong to their authors and are no part of the project.

``ROOFLINESTUDIO_NCU_FILES`` names a folder with files ``NN-*.csv`` and an ``answers.json`` with the right figures.
"""

from __future__ import annotations

import json
import math
import os
from functools import cache
from pathlib import Path

import pytest

from plugins_builtin.nsight_compute import NsightComputeCsv
from plugins_builtin.nvprof import NvprofCsv
from rooflinestudio.core.measurement import to_json

FOLDER = os.environ.get("ROOFLINESTUDIO_NCU_FILES", "")
FIGURES = (
    "time_s",
    "dram_bytes",
    "l2_bytes",
    "l1_bytes",
    "work_flop",
    "intensity_dram",
    "achieved_flop_per_s",
)
READ = ("01", "03", "05", "07", "08", "10", "12", "13", "15", "18", "19", "20", "22", "34", "36", "37")

pytestmark = pytest.mark.skipif(
    not FOLDER or not Path(FOLDER, "answers.json").is_file(),
    reason="ROOFLINESTUDIO_NCU_FILES names no folder with real files and answers.json",
)


def _answers() -> list[dict]:
    path = Path(FOLDER, "answers.json")
    answers = json.loads(path.read_text())["answers"] if FOLDER and path.is_file() else []
    return [answer for answer in answers if answer["file"] in READ]


@cache
def _file(number: str) -> dict:
    (path,) = Path(FOLDER).glob(f"{number}-*")
    reader = NvprofCsv() if number == "22" else NsightComputeCsv()
    return to_json(reader.read(path))


@pytest.mark.parametrize(
    "answer", _answers(), ids=lambda answer: f"{answer['file']}-{answer.get('launch', 'none')}"
)
def test_real_files_give_the_right_answers(answer):
    file = _file(answer["file"])
    if answer.get("points") == 0:
        assert not any(launch["plotted"] for launch in file["launches"])
        assert all(launch["reason"] for launch in file["launches"])
        assert file["warnings"] or file["launches"]
        return
    launch = file["launches"][answer["launch"]]
    assert answer.get("kernel_contains", "") in launch["kernel"]
    for name in FIGURES:
        if name in answer:
            assert launch[name] is not None, name
            assert math.isclose(launch[name], answer[name], rel_tol=answer["tolerance"], abs_tol=1e-15), name
