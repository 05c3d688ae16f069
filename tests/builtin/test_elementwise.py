"""The elementwise family: FLOP and bytes per element, special-function work, formats, the generic operator."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.errors import RefusedError
from rooflinestudio.core.placement import Settings
from rooflinestudio.core.traffic import compulsory_bytes
from tests.builtin.evaluating import OPERATORS, estimate_of, formulas_of, placed, value_of
from tests.core.profiles import H100, TINY, figure, without

# id: FLOP, tensors read, tensors written, results of the special-function units per element, vectors of row weights
COUNTS = {
    "add": (1, 2, 1, 0, 0),
    "mul": (1, 2, 1, 0, 0),
    "scale": (1, 1, 1, 0, 0),
    "transpose": (0, 1, 1, 0, 0),
    "cast": (0, 1, 1, 0, 0),
    "relu": (1, 1, 1, 0, 0),
    "silu": (5, 1, 1, 2, 0),
    "gelu": (12, 1, 1, 1, 0),
    "swiglu": (6, 2, 1, 2, 0),
    "rmsnorm": (5, 1, 1, 0, 1),
    "layernorm": (9, 1, 1, 0, 2),
    "softmax": (6, 1, 1, 1, 0),
    "rope": (3, 1, 1, 0, 0),
    "dropout": (2, 1, 1, 0, 0),
    "quantize": (2, 1, 1, 0, 0),
}
TO = {"cast": {"to": "bf16"}, "quantize": {"to": "fp8"}}
OUTPUT_BYTES = {"quantize": 1}


@pytest.mark.parametrize(("id_", "counts"), COUNTS.items())
def test_work_and_traffic_per_element(id_, counts):
    flop, reads, writes, results, vectors = counts

    estimate = estimate_of(id_, tokens=10, width=64, **TO.get(id_, {}))

    assert sum(flop for pipe, flop in estimate.work.items() if pipe != "special") == flop * 640
    assert estimate.work.get("special", 0) == 4 * results * 640
    assert compulsory_bytes(estimate) == (
        2 * reads * 640 + 2 * vectors * 64,
        OUTPUT_BYTES.get(id_, 2) * writes * 640,
    )
    assert estimate.footprint_bytes == sum(compulsory_bytes(estimate))


@pytest.mark.parametrize("id_", COUNTS)
def test_the_chained_input_stands_first_and_the_chained_output_last(id_):
    tensors = estimate_of(id_).tensors

    assert (tensors[0].role, tensors[0].reads, tensors[0].writes) == ("input", 1, 0)
    assert (tensors[-1].role, tensors[-1].reads, tensors[-1].writes) == ("output", 0, 1)


def test_row_weights_are_read_once_for_all_rows():
    few, many = (
        estimate_of("layernorm", tokens=tokens, width=4096, dtype="bf16,weight=fp32") for tokens in (1, 1000)
    )
    weights = 2 * 4 * 4096

    assert sum(compulsory_bytes(few)) == 2 * 2 * 4096 + weights
    assert sum(compulsory_bytes(many)) == 2 * 2 * 4096 * 1000 + weights


def test_intensity_does_not_depend_on_the_shape():
    small, large = (placed("add", tokens=tokens, width=width) for tokens, width in ((1, 1), (100_000, 9999)))

    assert small.intensity == pytest.approx(large.intensity) == pytest.approx(1 / 6)


@pytest.mark.parametrize("to", ["fp32", "fp16", "mxfp8", "int4"])
def test_a_cast_writes_the_format_it_is_told(to):
    estimate = estimate_of("cast", tokens=8, width=128, to=to, dtype="fp32")

    assert compulsory_bytes(estimate) == (4 * 1024, DTYPES[to].storage_bits / 8 * 1024)


def test_a_cast_computes_nothing_and_is_placed_by_its_bytes():
    result = placed("cast", on=without(H100, ceilings=("fp32",)))

    assert (result.work_flop, result.intensity, result.attainable_flop_per_s, result.fraction_of_peak) == (
        0,
        0,
        0,
        0,
    )
    assert (result.bound, result.binding) == ("memory", "dram")
    assert result.verdict == "Memory-bound at HBM3, compulsory: it does no arithmetic, only bytes count."


def test_a_cast_is_refused_where_its_data_does_not_cross():
    with pytest.raises(RefusedError, match="does not cross nvlink"):
        placed("cast", settings=Settings(boundary="nvlink"))


@pytest.mark.parametrize(("to", "bits"), [("fp8", 8), ("int8", 8), ("mxfp8", 8.25), ("nvfp4", 4.5)])
def test_quantized_formats_carry_their_scales(to, bits):
    assert compulsory_bytes(estimate_of("quantize", tokens=1, width=1024, to=to)) == (2048, 1024 * bits / 8)


@pytest.mark.parametrize(
    ("dtype", "pipe"),
    [
        ("bf16", "fp32"),
        ("fp8", "fp32"),
        ("fp32", "fp32"),
        ("fp64", "fp64"),
        ("bf16,compute=bf16", "bf16"),
        (None, "fp32"),
    ],
)
def test_vector_work_runs_on_fp32_unless_it_is_wider_or_told_otherwise(dtype, pipe):
    assert estimate_of("rmsnorm", dtype=dtype).main_pipe == pipe


def test_exponentials_bind_where_the_special_units_are_slow():
    result = placed("softmax", on=TINY, tokens=10, width=10)

    # 400 FLOP at 50 on the special units take 8 s, 400 bytes at 10 take 40 s.
    assert (result.compute_s, result.time_s) == (8, 40)
    result = placed("silu", on=TINY, tokens=10, width=10, settings=Settings(boundary="shared"))
    assert (result.bound, result.binding, result.time_s) == ("compute", "special", 16)
    assert result.fraction_of_peak == 5 * 100 / 16 / 100
    assert result.verdict.startswith(
        "Compute-bound on the special pipe at Scratchpad, compulsory: the fp32 pipe waits"
    )


def test_special_work_stands_beside_the_work():
    result = placed("gelu", tokens=4, width=4)

    assert result.work_flop == 12 * 16
    assert result.estimate.work["special"] == 4 * 16


def test_the_generic_operator_counts_what_it_is_told():
    estimate = estimate_of(
        "elementwise", tokens=10, width=10, flop=2.5, reads=3, writes=2, special=1, dtype="bf16,output=fp32"
    )

    assert estimate.work == {"fp32": 250, "special": 400}
    assert compulsory_bytes(estimate) == (3 * 200, 2 * 400)
    assert estimate.footprint_bytes == 3 * 200 + 2 * 400
    assert [one.name for one in estimate.tensors] == ["x", "other inputs", "other outputs", "y"]
    assert value_of(formulas_of(estimate)["work"]) == 250
    assert value_of(formulas_of(estimate)["compulsory"]) == 1400


def test_the_generic_operator_leaves_out_what_is_not_there():
    estimate = estimate_of("elementwise", flop=0, reads=0.5, writes=0)

    assert estimate.work == {}
    assert [(one.name, one.reads) for one in estimate.tensors] == [("x", 0.5)]


def test_neither_work_nor_traffic_is_refused():
    with pytest.raises(RefusedError, match="No work and no traffic"):
        placed("elementwise", flop=0, reads=0, writes=0)


def test_too_few_bytes_in_flight_make_a_kernel_latency_bound():
    settings = Settings(forecast=True)

    short = placed("elementwise", bytes_in_flight=201e3, settings=settings)
    ample = placed("elementwise", bytes_in_flight=5e6, settings=settings)
    unknown = placed("elementwise", settings=settings)

    # 201 kB over 600 ns sustain 335 GB/s, a tenth of the bandwidth.
    assert short.limits.judged["latency"]["effective_bytes_per_s"] == pytest.approx(3.35e11)
    assert short.time_s - 3e-6 == pytest.approx(10 * (ample.time_s - 3e-6))
    assert (short.bound, ample.bound) == ("latency", "memory")
    assert "latency" not in unknown.limits.judged


def test_in_a_sweep_bytes_in_flight_that_are_not_known_do_not_slow_anything():
    result = placed("elementwise", bytes_in_flight=np.array([0.0, 201e3]), settings=Settings(forecast=True))

    assert result.bound_words() == ["memory", "latency"]


@pytest.mark.parametrize("id_", COUNTS)
def test_the_formulas_give_the_figures(id_):
    estimate = estimate_of(id_, tokens=300, width=512)
    formulas = formulas_of(estimate)

    assert value_of(formulas["work"]) == sum(
        flop for pipe, flop in estimate.work.items() if pipe != "special"
    )
    assert value_of(formulas["compulsory"]) == sum(compulsory_bytes(estimate))


def test_the_palette_has_one_heading_for_all_of_them():
    ids = [*COUNTS, "elementwise", "embedding", "reduce"]

    assert {OPERATORS[id_].category for id_ in ids} == {"Elementwise and norms"}


# --------------------------------------------------------------------------------------------- backward

# id: FLOP per element, full tensors read, row vectors read, row vectors written
BACKWARD = {
    # statistic 2, x̂ 1, dy·gain 1, Σ dy·gain·x̂ 2, dx 3, dgain 2
    "rmsnorm": (2 + 1 + 1 + 2 + 3 + 2, 2, 1, 1),
    # mean and variance 4, x̂ 1, dy·gain 1, two sums 3, dx 4, dgain and dbias 3
    "layernorm": (4 + 1 + 1 + 3 + 4 + 3, 2, 1, 2),
    # Σ dy·y 2, dx = y·(dy - Σ) 2
    "softmax": (2 + 2, 2, 0, 0),
}


@pytest.mark.parametrize(("id_", "counts"), BACKWARD.items())
def test_work_and_traffic_of_backward_passes(id_, counts):
    flop, reads, vectors_read, vectors_written = counts

    estimate = estimate_of(id_, tokens=10, width=64, direction="backward")

    assert estimate.work == {"fp32": flop * 640}
    assert compulsory_bytes(estimate) == (
        2 * reads * 640 + 2 * vectors_read * 64,
        2 * 640 + 2 * vectors_written * 64,
    )
    assert (estimate.tensors[0].name, estimate.tensors[-1].name) == ("dy", "dx")
    assert value_of(formulas_of(estimate)["work"]) == flop * 640
    assert value_of(formulas_of(estimate)["compulsory"]) == sum(compulsory_bytes(estimate))


@pytest.mark.parametrize("id_", BACKWARD)
def test_both_directions_are_two_kernels_after_each_other(id_):
    one, other, both = (
        placed(id_, tokens=512, width=1024, direction=way) for way in ("forward", "backward", "both")
    )

    assert both.work_flop == one.work_flop + other.work_flop
    assert both.traffic_bytes == one.traffic_bytes + other.traffic_bytes
    assert both.time_s == pytest.approx(one.time_s + other.time_s)
    assert value_of(formulas_of(both.estimate)["work"]) == both.work_flop
    # dy, dx, x (or y) and y are there at once, with the row weights and their gradients.
    assert both.estimate.footprint_bytes > other.estimate.footprint_bytes


def test_gradients_have_the_format_of_what_they_are_the_gradient_of():
    estimate = estimate_of("layernorm", dtype="bf16,weight=fp32,x=fp16,dbias=bf16", direction="backward")

    assert {one.name: one.dtype.id for one in estimate.tensors} == {
        "dy": "bf16", "x": "fp16", "gain": "fp32", "dgain": "fp32", "dbias": "bf16", "dx": "fp16",
    }  # fmt: skip


def test_a_backward_pass_makes_no_exponential():
    assert "special" in estimate_of("softmax").work
    assert "special" not in estimate_of("softmax", direction="backward").work


# --------------------------------------------------------------------------- rows gathered, rows summed


def test_an_embedding_gathers_its_rows_and_computes_nothing():
    estimate = estimate_of("embedding", tokens=10, width=64, vocabulary=1000)

    assert estimate.work == {}
    assert compulsory_bytes(estimate) == (2 * 640, 2 * 640)
    assert estimate.tensors[0].slope == "gather"
    assert estimate.footprint_bytes == 2 * 64_000 + 2 * 640
    assert value_of(formulas_of(estimate)["compulsory"]) == 4 * 640


def test_gathered_rows_run_at_the_gather_slope_where_there_is_one():
    slow = replace(
        H100.boundaries["dram"], slopes={"gather": figure(H100.boundaries["dram"].bytes_per_s / 8)}
    )
    machine = replace(H100, boundaries={**H100.boundaries, "dram": slow})

    plain, gathered = (placed("embedding", on=one, tokens=1000, width=1000) for one in (H100, machine))

    assert plain.time_s == pytest.approx(4e6 / 3.35e12)
    assert gathered.time_s == pytest.approx((8 * 2e6 + 2e6) / 3.35e12)


@pytest.mark.parametrize(("over", "results"), [("width", 10), ("tokens", 64), ("all", 1)])
def test_a_reduction_reads_all_and_writes_its_results(over, results):
    estimate = estimate_of("reduce", tokens=10, width=64, over=over, dtype="bf16,output=fp32")

    assert estimate.work == {"fp32": 640}
    assert compulsory_bytes(estimate) == (2 * 640, 4 * results)
    assert value_of(formulas_of(estimate)["work"]) == 640
    assert value_of(formulas_of(estimate)["compulsory"]) == sum(compulsory_bytes(estimate))


# ---------------------------------------------------------------------------------- formats by name


@pytest.mark.parametrize("id_", ["add", "swiglu", "layernorm", "gelu"])
def test_every_tensor_can_have_a_format_of_its_own(id_):
    names = [one.name for one in estimate_of(id_).tensors]
    formats = dict(zip(names, ("fp32", "fp8", "fp16", "bf16"), strict=False))

    estimate = estimate_of(id_, dtype=",".join(f"{name}={one}" for name, one in formats.items()))

    assert {one.name: one.dtype.id for one in estimate.tensors} == formats
    assert value_of(formulas_of(estimate)["compulsory"]) == sum(compulsory_bytes(estimate))


def test_the_result_of_a_cast_can_be_named_too():
    assert estimate_of("cast", to="fp32", dtype="y=fp8").tensors[-1].dtype.id == "fp8"
