from __future__ import annotations

import json
import math

import pytest

from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.evaluation import evaluation_document, plain
from rooflinestudio.core.placing import evaluate
from rooflinestudio.core.settings import Settings
from tests.support import FP32_PEAK, HBM, Source, machine

KEYS = [
    "operator", "parameters", "dtype", "hardware", "policy", "boundary", "model", "work_flop", "traffic_bytes",
    "intensity", "attainable_flop_per_s", "time_s", "fraction_of_peak", "ceiling", "pipes", "bound", "binding",
    "boundaries", "limits", "parts", "details", "verdict", "notes",
]  # fmt: skip


def document(settings: Settings | None = None, **parameters: float):
    placement = evaluate(
        Source(), "copy", parameters, parse_dtypes("bf16"), machine(), settings or Settings()
    )
    return evaluation_document(placement)


def test_a_document_has_every_key_and_is_strict_json() -> None:
    found = document(elements=1e9, flop=2)
    assert list(found) == KEYS
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["parameters"] == {"elements": 1e9, "flop": 2, "tiles": 1}
    assert found["dtype"] == {"activation": "bf16", "output": "bf16", "compute": "fp32"}
    assert found["time_s"] == pytest.approx(4e9 / HBM)
    assert found["intensity"] == pytest.approx(0.5)
    assert found["attainable_flop_per_s"] == pytest.approx(0.5 * HBM)
    assert found["fraction_of_peak"] == pytest.approx(0.5 * HBM / FP32_PEAK)
    assert (found["bound"], found["binding"], found["boundary"]) == ("memory", "dram", "dram")
    assert found["parts"] == [] and found["limits"] == {}


def test_a_boundary_that_is_not_crossed_says_what_traffic_would_be_and_no_time() -> None:
    link = document(elements=1e9)["boundaries"]["nvlink"]
    assert link["crosses"] is False and link["time_s"] is None
    assert link["traffic_bytes"] == pytest.approx(4e9) and link["intensity"] == pytest.approx(0.25)


def test_the_forecast_lists_what_it_judged() -> None:
    found = document(Settings(forecast=True), elements=1e9)
    assert found["model"] == "forecast"
    assert any("Not judged: launch" in note for note in found["notes"])


def test_infinite_and_undefined_numbers_are_null() -> None:
    assert plain({"a": math.inf, "b": [math.nan, 1.5], "c": (True, None, "x")}) == {
        "a": None, "b": [None, 1.5], "c": [True, None, "x"],
    }  # fmt: skip


def test_arrays_become_lists() -> None:
    import numpy as np

    assert plain(np.array([[1.0, np.inf]])) == [[1.0, None]]
    assert plain(np.float64(2.5)) == 2.5


def test_a_vectorised_placement_becomes_lists_of_figures_and_words() -> None:
    import numpy as np

    found = document(elements=1e9, flop=np.array([1.0, 1e6]))
    assert found["bound"] == ["memory", "compute"] and found["binding"] == ["dram", "fp32"]
    assert found["work_flop"] == pytest.approx([1e9, 1e15])
