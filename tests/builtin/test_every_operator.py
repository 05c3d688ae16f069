"""What holds for every built-in operator: declarations, arrays like single numbers, counts that make sense."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.errors import RefusedError
from rooflinestudio.core.placement import Settings
from rooflinestudio.core.traffic import compulsory_bytes, tiled_bytes
from rooflinestudio.plugins.declarations import operator_faults
from rooflinestudio.plugins.guard import is_sound
from rooflinestudio.plugins.probing import traffic_of
from tests.builtin.evaluating import OPERATORS, estimate_of, placed
from tests.core.profiles import H100

IDS = sorted(OPERATORS)
CATEGORIES = {
    "Matrix products", "Attention", "Elementwise and norms", "Loss", "Optimizers", "Transformer", "Collectives",
    "Classical kernels",
}  # fmt: skip
OPTIMIZERS = {id_ for id_ in IDS if OPERATORS[id_].category == "Optimizers"}
COLLECTIVES = {id_ for id_ in IDS if OPERATORS[id_].category == "Collectives"}


def numbers_of(operator):
    return [one for one in operator.parameters if not (one.choices or isinstance(one.default, bool | str))]


def switches_of(operator):
    return {
        one.name: one.choices or (False, True)
        for one in operator.parameters
        if one not in numbers_of(operator)
    }


def usable(rows):
    """Make query heads multiples of key-value heads, channels of groups, and images as large as their filters."""
    for row in rows:
        if "kv_heads" in row:
            row["heads" if "heads" in row else "width"] *= row["kv_heads"] * (1 if "heads" in row else 128)
        if "top_k" in row:
            row["top_k"] = min(row["top_k"], row["experts"])
        if "groups" in row:
            row["in_channels"] *= row["groups"]
            row["out_channels"] *= row["groups"]
            row["height"] += row["dilation"] * row["kernel_h"]
            row["width"] += row["dilation"] * row["kernel_w"]
    return rows


@st.composite
def points(draw, id_, size):
    """Draw some points of an operator: switches that all share, numbers that differ."""
    operator = OPERATORS[id_]
    shared = {name: draw(st.sampled_from(choices)) for name, choices in switches_of(operator).items()}
    numbers = numbers_of(operator)
    if shared.get("kv_heads", "own") != "own":  # not every model has them, or query heads that are a multiple
        shared["model"] = "llama-3-8b"
    if id_ == "attention":  # whether blocks are equal, and so whether waves are judged, hangs on the window
        numbers = [one for one in numbers if one.name != "window"]
        shared["window"] = draw(st.integers(0, 200))
    # A device alone exchanges nothing, whichever boundary is looked at: all points share how many there are.
    degrees = {"tensor_parallel": draw(st.integers(1, 9)), "data_parallel": draw(st.integers(1, 9))}
    degrees["expert_parallel"] = draw(st.integers(1, degrees["tensor_parallel"] * degrees["data_parallel"]))
    shared |= {one.name: degrees[one.name] for one in numbers if one.name in degrees}
    numbers = [one for one in numbers if one.name not in degrees]
    # A rank alone exchanges nothing: an optimizer has no parts then, a collective nothing to do.
    least = {"ranks": 2} if id_ in OPTIMIZERS | COLLECTIVES else {}
    if id_ == "muon":  # else the sums of its exchange outweigh its products
        least |= {"rows": 64, "columns": 64}
    if (
        id_ == "moe_layer"
    ):  # with a few elements vector work outweighs the products, and a sweep has one main pipe
        least = {"width": 64, "expert_width": 64}
    rows = [
        {
            one.name: draw(st.integers(least.get(one.name, int(one.low)), min(int(one.high), 200)))
            for one in numbers
        }
        for _ in range(size)
    ]
    return shared, usable(rows)


HELD = st.builds(
    Settings,
    boundary=st.sampled_from((None, "all", *H100.boundaries)),
    policy=st.sampled_from(("compulsory", "tiled", "modelled")),
    absorption=st.floats(0, 1),
    overlap=st.sampled_from((0.0, 0.3, 1.0)),
    forecast=st.booleans(),
    ceiling=st.sampled_from((None, None, "bf16-tensor")),
)


@pytest.mark.parametrize("id_", IDS)
def test_the_declaration_is_what_the_host_asks_for(id_):
    operator = OPERATORS[id_]

    assert list(operator_faults(operator)) == []
    assert operator.category in CATEGORIES
    assert all(one.help.endswith(".") and one.help[0].isprintable() for one in operator.parameters)
    assert all(len(one.label) <= 20 for one in operator.parameters)


@pytest.mark.parametrize("id_", IDS)
def test_the_defaults_can_be_placed_and_explained(id_):
    result = placed(id_)

    assert is_sound(result.estimate)
    assert result.verdict
    assert all(one.symbols and one.source for one in result.estimate.formulas())


@pytest.mark.parametrize("id_", IDS)
@settings(max_examples=25)
@given(data=st.data())
def test_arrays_are_answered_like_single_numbers(id_, data):
    shared, rows = data.draw(points(id_, 3))
    held = data.draw(HELD)
    arrays = {name: np.array([row[name] for row in rows], dtype=float) for name in rows[0]}
    try:
        alone = [placed(id_, settings=held, **shared, **row) for row in rows]
    except RefusedError:  # nothing to do, or nothing that crosses there
        with pytest.raises(RefusedError):
            placed(id_, settings=held, **shared, **arrays)
        return

    together = placed(id_, settings=held, **shared, **arrays)

    for name in (
        "work_flop",
        "traffic_bytes",
        "intensity",
        "attainable_flop_per_s",
        "time_s",
        "fraction_of_peak",
    ):
        got = np.broadcast_to(getattr(together, name), 3)
        assert got == pytest.approx([getattr(one, name) for one in alone], rel=1e-12, nan_ok=True), name
    assert words(together.bound_words()) == [one.bound for one in alone]
    assert words(together.binding_words()) == [one.binding for one in alone]
    at = together.boundary
    shown = [at] * 3 if isinstance(at, str) else [together.limit_ids[code] for code in np.broadcast_to(at, 3)]
    assert shown == [one.boundary for one in alone]


def words(given):
    """Return one word per point; where nothing of the result depends on them, one stands for all."""
    return [given] * 3 if isinstance(given, str) else given


@pytest.mark.parametrize("id_", IDS)
@settings(max_examples=25)
@given(data=st.data())
def test_tiled_is_never_below_compulsory(id_, data):
    shared, (row,) = data.draw(points(id_, 1))
    estimate = estimate_of(id_, **shared, **row)

    for one in [part.estimate for part in estimate.parts] or [estimate]:
        assert sum(tiled_bytes(one)) >= sum(compulsory_bytes(one)) * (1 - 1e-12)
        inside = [pair for boundary, pair in one.blocked.items() if boundary != "link"]
        assert all(sum(pair) >= sum(compulsory_bytes(one)) * (1 - 1e-12) for pair in inside)
        assert sum((one.padded_work or one.work).values()) >= sum(one.work.values()) * (1 - 1e-12)


NO_ELEMENTS = {"ranks", "chunk", "block", "tile_x", "tile_y", "tile_z", "stride", "dilation", "groups", "kernel_h",
               "kernel_w", "tile_m", "tile_n", "warp_m", "warp_n", "cluster_m", "cluster_n", "block_q", "block_kv",
               "split_k", "bytes_in_flight", "page", "kv_heads", "tensor_parallel", "data_parallel", "expert_parallel",
               "top_k", "acceptance", "price", "shared"}  # fmt: skip
SIZES = [
    (id_, one.name)
    for id_ in IDS
    for one in numbers_of(OPERATORS[id_])
    if one.name not in NO_ELEMENTS and one.name != "window"  # of which 0 stands for none
]


@pytest.mark.parametrize(("id_", "name"), SIZES)
@settings(max_examples=15)
@given(data=st.data())
def test_more_elements_never_mean_less_work_or_traffic(id_, name, data):
    shared, (row,) = data.draw(points(id_, 1))
    step = {
        "heads": row.get("kv_heads", 1),
        "in_channels": row.get("groups"),
        "out_channels": row.get("groups"),
    }
    step = 128 * row["kv_heads"] if (id_, name) == ("transformer_layer", "width") else step.get(name, 1)
    more = {**row, name: row[name] + step * data.draw(st.integers(1, 50))}

    # Left to itself, a composite shows its slowest boundary, which may be another one for more elements.
    held = Settings(boundary="dram") if OPERATORS[id_].category == "Transformer" else None
    small, large = (
        (placed(id_, settings=held, **shared, **one) for one in (row, more))
        if _anything(id_, row)
        else (None, None)
    )

    if small is not None:
        assert large.work_flop >= small.work_flop
        assert large.traffic_bytes >= small.traffic_bytes


def _anything(id_, row):
    return id_ != "elementwise" or row["flop"] + row["reads"] + row["writes"] > 0


@pytest.mark.parametrize("id_", IDS)
def test_one_of_everything_and_very_large_shapes_are_answered(id_):
    small = {one.name: max(one.low, 1) for one in numbers_of(OPERATORS[id_])}
    large = {one.name: one.high for one in numbers_of(OPERATORS[id_])}

    for parameters in (small, large):
        estimate = estimate_of(id_, **parameters)
        assert is_sound(estimate), parameters


# These have formats that do not follow: state, indices, losses, or one that a parameter chooses.
PINNED = {"cast", "quantize", "cross_entropy", "fused_linear_cross_entropy", "spmv"} | (OPTIMIZERS - {"muon"})
SCALED = [id_ for id_ in IDS if id_ not in PINNED]


@pytest.mark.parametrize("id_", SCALED)
@pytest.mark.parametrize("dtype", ["fp32", "fp8", "mxfp8", "int4"])
def test_bytes_follow_the_shorthand(id_, dtype):
    base, other = estimate_of(id_, dtype="bf16"), estimate_of(id_, dtype=dtype)

    assert traffic_of(base)[0] > 0
    assert traffic_of(other)[0] == pytest.approx(traffic_of(base)[0] * DTYPES[dtype].storage_bits / 16)


def test_plain_numbers_never_load_numpy():
    script = (
        "import json, sys\n"
        "from tests.builtin.evaluating import OPERATORS, placed\n"
        "for id_ in OPERATORS:\n"
        "    result = placed(id_)\n"
        "    result.verdict, result.notes, result.boundaries, result.estimate.formulas()\n"
        "print(json.dumps('numpy' in sys.modules))\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(__file__).resolve().parents[2], capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) is False
