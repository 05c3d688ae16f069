"""Chains: how they are written, what they move, what they refuse. Expected traffic is tensors × elements × bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import ParameterError, RefusedError, UnavailableError
from rooflinestudio.core.fusion import fuse, parse_chain, recut
from rooflinestudio.core.fusion_words import fusion_document
from rooflinestudio.core.settings import Settings
from tests.core.profiles import H100, figure, without

TOKENS, WIDTH = 65536, 8192
N = TOKENS * WIDTH
ROW = 2 * WIDTH
"""Bytes of one row of weights in bf16."""
HBM, FP32, TENSOR = 3.35e12, 66.9e12, 989.4e12
BF16 = parse_dtypes("bf16")
MACHINE = without(
    H100,
    registers_per_sm=figure(65536),
    shared_bytes_per_sm=figure(228 * 1024),
)


@pytest.fixture(scope="module")
def registry():
    from rooflinestudio.plugins.host import PluginHost

    host = PluginHost.discover()
    host.load_builtins()
    return host.registry


@pytest.fixture
def fused(registry):
    def run(chain, *, dtypes="bf16", profile=MACHINE, settings=None, **parameters):
        sizes = {"tokens": TOKENS, "width": WIDTH} | parameters
        sizes = {name: value for name, value in sizes.items() if value is not None}
        return fuse(chain, sizes, parse_dtypes(dtypes), profile, registry, settings or Settings())

    return run


# ------------------------------------------------------------------------------------------ notation


@pytest.mark.parametrize(
    ("text", "operators", "cuts"),
    [
        ("add", ["add"], ()),
        ("add + rmsnorm | silu", ["add", "rmsnorm", "silu"], (False, True)),
        ("add+rmsnorm|silu", ["add", "rmsnorm", "silu"], (False, True)),
        ("x -> layernorm + gelu + add(x)", ["layernorm", "gelu", "add"], (False, False)),
        ("x → acme.norm | add ( x , _ )", ["acme.norm", "add"], (True,)),
    ],
)
def test_a_chain_is_read_as_operators_and_cuts(text, operators, cuts) -> None:
    spec = parse_chain(text)
    assert [step.operator for step in spec.steps] == operators
    assert spec.cuts == cuts
    assert parse_chain(str(spec)) == spec


def test_names_marks_and_own_parameters_belong_to_their_operator() -> None:
    spec = parse_chain("h -> add!(r) + gemm(W, n=128) | add(h)!")
    assert spec.input_name == "h"
    assert [step.names for step in spec.steps] == [("r",), ("W",), ("h",)]
    assert [step.written for step in spec.steps] == [True, False, True]
    assert spec.steps[1].parameters == (("n", "128"),)
    assert spec.labels == ("add", "gemm", "add#2")


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("", 1, "an operator is missing"),
        ("add ++ rmsnorm", 6, "an operator is missing"),
        ("add + ", 7, "the chain ends"),
        ("add rmsnorm", 5, "expected '+', '|' or the end"),
        ("add x -> mul", 5, "expected '+'"),
        ("add + mul -> silu", 11, "named once, at the head"),
        ("-> add", 1, "a name is missing"),
        ("add(x", 4, "is not closed"),
        ("add(x y)", 5, "no name of a tensor"),
        ("gemm(n=)", 6, "has no value"),
        ("gemm(n=1,n=2)", 10, "twice"),
    ],
)
def test_a_chain_that_cannot_be_read_says_where_and_how_to_mend_it(text, place, words) -> None:
    with pytest.raises(ParameterError) as caught:
        parse_chain(text)
    assert f"place {place}:" in str(caught.value) and words in str(caught.value)


def test_endless_text_is_refused() -> None:
    with pytest.raises(ParameterError, match="4000"):
        parse_chain("add+" * 2000 + "add")
    with pytest.raises(ParameterError, match="100"):
        parse_chain("add" + "+add" * 100)


def test_a_boundary_can_be_toggled_all_split_and_all_fused() -> None:
    spec = parse_chain("add + rmsnorm | silu")
    assert str(spec.toggled(1)) == "add + rmsnorm + silu" == str(spec.fused())
    assert str(spec.split()) == "add | rmsnorm | silu"
    assert spec.toggled(0).toggled(0) == spec
    with pytest.raises(ParameterError, match="2 joints"):
        spec.toggled(2)


# ------------------------------------------------------------------------------------------ traffic


@pytest.mark.parametrize(
    ("chain", "tensors", "split_tensors"),
    [
        ("add | rmsnorm | scale | silu | mul | dropout", 14, 14),  # 3 + 2 + 2 + 2 + 3 + 2
        ("add + rmsnorm + scale + silu + mul + dropout", 4, 14),  # x, residual, factor in; one out
        ("add + rmsnorm + scale | silu + mul + dropout", 6, 14),  # the boundary costs a write and a read
        ("layernorm | gelu | add", 7, 7),
        ("layernorm + gelu + add", 3, 7),
        ("x -> layernorm + gelu + add(x)", 2, 7),  # x is read once
        ("x -> layernorm + gelu | add(x)", 5, 7),  # once per kernel: x, out; out, x, result
        ("add! + rmsnorm", 4, 5),  # the sum is written, but not read back
        ("add! | rmsnorm", 5, 5),
        ("add(r) + mul(r)", 3, 6),  # x, r; result
        ("add(r) + mul(s)", 4, 6),
        ("add(_) + mul(_)", 4, 6),
        ("x -> add(x)", 2, 2),
        ("rmsnorm + swiglu + add", 4, 8),
    ],
)
def test_traffic_is_what_comes_from_outside_and_goes_outside(fused, chain, tensors, split_tensors) -> None:
    result = fused(chain)
    rows = sum(step.operator in ("rmsnorm",) for step in result.spec.steps) * ROW
    rows += sum(step.operator == "layernorm" for step in result.spec.steps) * 2 * ROW
    assert result.traffic_bytes == tensors * 2 * N + rows
    assert result.split_traffic_bytes == split_tensors * 2 * N + rows
    assert result.time_s == pytest.approx(result.traffic_bytes / HBM)
    assert result.speedup_vs_split == pytest.approx(split_tensors / tensors, rel=1e-4)


def test_the_work_is_the_same_however_the_chain_is_cut(fused) -> None:
    chain = fused("add + rmsnorm + scale + silu + mul + dropout")
    assert chain.work_flop == (1 + 5 + 1 + 5 + 1 + 2) * N
    for joint in range(5):
        assert chain.toggled(joint).work_flop == chain.work_flop
    assert recut(chain, chain.spec.split()).work_flop == chain.work_flop


def test_the_fused_row_of_the_floor_table_is_four_tensors_by_the_chain_rule(fused) -> None:
    chain = fused("rmsnorm + swiglu + add")
    assert chain.intensity == pytest.approx(12 / (4 * 2), rel=1e-5)


def test_each_kernel_lists_what_it_keeps_reads_and_writes(fused) -> None:
    first, second = fused("add + rmsnorm! + scale | silu + mul(v)").kernels
    assert first.operators == ("add", "rmsnorm", "scale")
    assert [one.name for one in first.kept_on_chip] == ["add.y"]
    assert [one.name for one in first.kernel.reads] == ["add.x", "add.residual", "rmsnorm.gain"]
    assert [one.name for one in first.kernel.writes] == ["rmsnorm.y", "scale.y"]
    assert [one.name for one in second.kernel.reads] == ["scale.y", "v"]
    assert [one.name for one in second.kept_on_chip] == ["silu.y"]
    assert first.saved_bytes == 3 * 2 * N  # the sum's round trip, and one reading of the norm
    assert (first.bound, first.binding) == ("memory", "dram")


def test_the_reading_of_a_boundary_has_the_format_that_was_written(fused) -> None:
    split = fused("cast | add", to="fp32")
    assert split.traffic_bytes == N * (2 + 4) + N * (4 + 2 + 2)
    assert any("it reads fp32" in note for note in split.notes)
    quantized = fused("add + quantize", to="fp8")
    assert quantized.traffic_bytes == N * (2 + 2 + 1)


def test_a_format_that_the_taker_pins_is_written_for_it(fused) -> None:
    sizes = {"tokens": 64, "width": 32, "vocabulary": 1000}
    logits = 64 * 1000
    split = fused("lm_head | cross_entropy", **sizes)
    head = 2 * (64 * 32 + 32 * 1000) + 4 * logits  # the logits in fp32, although all is set to bf16
    assert split.traffic_bytes == head + 16 * logits  # three readings and the gradient
    assert any("cross_entropy takes fp32 whatever is set" in note for note in split.notes)


def test_formats_by_role_and_by_tensor_go_to_the_operators_that_have_them(fused) -> None:
    chain = fused("rmsnorm + silu", dtypes="fp32,weight=bf16")
    assert chain.traffic_bytes == 2 * 4 * N + ROW
    with pytest.raises(ParameterError, match="no operator of the chain has a tensor or role 'mastre'"):
        fused("add + silu", dtypes="bf16,mastre=fp32")


# ------------------------------------------------------------------------------------------ products


def test_after_a_product_tokens_is_m_and_width_is_n(fused) -> None:
    m, n, k = 4096, 14336, 8192
    chain = fused("gemm + gelu", tokens=None, width=None, m=m, n=n, k=k)
    assert chain.work_flop == 2 * m * n * k + 12 * m * n
    assert chain.traffic_bytes == 2 * (m * k + k * n + m * n)  # gelu's output replaces C
    assert chain.split_traffic_bytes == 2 * (m * k + k * n + m * n) + 2 * 2 * m * n
    assert chain.kernels[0].placement.parameters["tokens"] == m
    assert chain.kernels[0].bound == "compute"
    assert chain.time_s == pytest.approx(2 * m * n * k / TENSOR)


def test_an_epilogue_adds_its_own_inputs_and_leaves_the_tile_counts(fused) -> None:
    m = n = k = 4096
    chain = fused("gemm + add + relu", tokens=None, width=None, m=m, n=n, k=k)
    assert chain.traffic_bytes == 2 * (m * k + k * n + 2 * m * n)  # A, B, residual; one output
    tiles = 4096 // 128
    read, write = chain.kernels[0].placement.estimate.blocked["dram"]
    assert read == 2 * (m * k * tiles + k * n * tiles + m * n)
    assert write == 2 * m * n
    forecast = fused("gemm + relu", tokens=None, width=None, m=m, n=n, k=k, settings=Settings(forecast=True))
    assert forecast.kernels[0].placement.limits.judged["waves"]["tiles"] == tiles * tiles


def test_a_product_in_the_middle_takes_the_shape_that_comes(fused) -> None:
    chain = fused("rmsnorm | gemm(n=1024) + silu", tokens=512, width=256)
    assert chain.work_flop == 5 * 512 * 256 + 2 * 512 * 256 * 1024 + 5 * 512 * 1024


def test_own_parameters_tell_two_products_apart(fused) -> None:
    chain = fused("gemm(n=512) + relu | gemm(k=512, n=128)", tokens=None, width=None, m=64, k=128)
    assert chain.work_flop == 2 * 64 * 128 * 512 + 64 * 512 + 2 * 64 * 512 * 128


def test_a_batch_of_products_leaves_batch_times_m_rows(fused) -> None:
    chain = fused("gemm + relu", tokens=None, width=None, batch=8, m=16, n=32, k=64)
    assert chain.kernels[0].kernel.writes[0].bytes == 2 * 8 * 16 * 32


def test_a_prologue_says_that_each_column_of_tiles_repeats_it(fused) -> None:
    notes = " ".join(fused("rmsnorm + gemm", n=8192).notes)
    assert "rmsnorm in front of gemm is done again by every column of its tiles" in notes


def test_what_crosses_a_link_says_that_only_dram_is_counted(fused) -> None:
    m = n = 4096
    chain = fused("gemm | all_reduce", tokens=None, width=None, m=m, n=n, elements=m * n, ranks=8)
    # Each of eight ranks sends 2·7/8 of the buffer: read once and written once.
    assert chain.kernels[1].traffic_bytes == 2 * 2 * m * n * 2 * 7 / 8
    assert any("all_reduce also crosses a link" in note for note in chain.notes)


# ------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("chain", "parameters", "words"),
    [
        (
            "gemm | gelu | gemm", {"tokens": None, "width": None, "m": 64, "n": 32, "k": 16},
            ["64 × 32 = 2048", "64 × 16 = 1024", "gemm#2 (place 15"],
        ),
        ("gemm + gelu", {"width": None, "m": 64, "n": 32, "k": 16}, ["tokens = 65536", "64 × 32"]),
        ("x -> rmsnorm + gemm(x)", {"n": 16}, ["'x' is 65536 × 8192 = 536870912", "131072 elements", "one tensor"]),
    ],
)  # fmt: skip
def test_sizes_that_do_not_match_are_refused_with_both_shapes(fused, chain, parameters, words) -> None:
    with pytest.raises(RefusedError) as caught:
        fused(chain, **parameters)
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_an_unknown_operator_is_named_with_its_place(fused) -> None:
    for kind in (UnavailableError, ParameterError):
        with pytest.raises(kind, match=r"rmsnrom \(place 7 of the chain\).*did you mean 'rmsnorm'"):
            fused("add + rmsnrom")


def test_an_unknown_parameter_offers_the_nearest(fused) -> None:
    with pytest.raises(ParameterError, match="'tokns'; did you mean 'tokens'"):
        fused("add + silu", tokns=3)


def test_a_wrong_value_is_said_with_the_place(fused) -> None:
    with pytest.raises(ParameterError, match=r"silu \(place 7 of the chain\): .*'many'"):
        fused("add + silu(tokens=many)")


def test_more_names_than_inputs_are_refused(fused) -> None:
    with pytest.raises(ParameterError, match=r"names 2 further inputs, but it has 1 \(residual\).*'b'"):
        fused("add(a, b) + silu")
    with pytest.raises(ParameterError, match=r"it has 0 \(none\)"):
        fused("silu(a)")


def test_several_kernels_in_one_operator_are_refused(fused) -> None:
    with pytest.raises(RefusedError, match="several kernels itself"):
        fused("gemm | relu", tokens=None, width=None, direction="both")


def test_a_machine_without_the_pipe_is_refused_with_the_kernel(fused) -> None:
    with pytest.raises(RefusedError, match=r"the kernel gemm cannot be placed.*fp4"):
        fused("gemm + relu", tokens=None, width=None, dtypes="fp4")


def test_arrays_are_refused(fused) -> None:
    import numpy as np

    with pytest.raises(ParameterError, match="tokens is an array"):
        fused("add + silu", tokens=np.array([1.0, 2.0]))


# ------------------------------------------------------------------------------------------ on chip


def test_live_state_is_tensors_alive_times_threads_times_four(fused) -> None:
    state = fused("add + rmsnorm + scale").kernels[0].live_state
    assert (state.tensors, state.threads, state.bytes) == (3, 256, 3 * 256 * 4)  # x, residual and their sum
    assert not state.spills
    wide = fused("add + scale").with_block(threads=128, elements_per_thread=8).kernels[0].live_state
    assert wide.bytes == 3 * 128 * 8 * 4


def test_a_named_tensor_stays_alive_until_its_last_use(fused) -> None:
    state = fused("x -> scale + relu + add(x)").kernels[0].live_state
    assert state.tensors == 3  # x waits while relu takes one and makes one
    assert fused("scale + relu + cast").kernels[0].live_state.tensors == 2


def test_a_row_reduction_is_allowed_and_holds_whole_rows(fused) -> None:
    chain = fused("add + rmsnorm")
    assert chain.kernels[0].live_state.row_bytes == WIDTH * 4
    assert any("row reduction (rmsnorm)" in note and "32 KiB" in note for note in chain.notes)
    kept = fused("x -> layernorm + gelu + add(x)").kernels[0].live_state
    assert kept.row_bytes == WIDTH * 4  # x is the row itself
    both = fused("x -> scale + layernorm + add(x)").kernels[0].live_state
    assert both.row_bytes == 2 * WIDTH * 4
    assert not any("row reduction" in note for note in fused("add | rmsnorm").notes)


def test_what_does_not_fit_on_chip_is_warned_of(fused) -> None:
    fits = fused("add + rmsnorm", width=16384)  # 64 KiB a row: just what 256 threads hold
    assert not any("Spill" in note for note in fits.notes)
    spills = fused("add + rmsnorm", width=32768)
    assert any("Spill warning" in note and "128 KiB" in note and "64 KiB" in note for note in spills.notes)
    cannot = fused("add + rmsnorm", width=131072)  # 512 KiB against 256 + 228
    assert any("484 KiB of registers and shared memory" in note for note in cannot.notes)
    assert fused("add + rmsnorm", width=131072).kernels[0].live_state.exceeds_chip


def test_a_product_with_a_reduction_behind_it_needs_more_than_its_tile(fused) -> None:
    notes = " ".join(fused("gemm + rmsnorm", tokens=None, width=None).notes)
    assert "A block of gemm has 128 of the 4096 columns" in notes


def test_without_figures_for_the_chip_the_state_is_not_held_against_it(fused) -> None:
    chain = fused("add + silu", profile=H100)
    assert any("does not say how much registers" in note for note in chain.notes)


# ------------------------------------------------------------------------------------------ training


def test_training_stashes_or_recomputes_what_the_backward_pass_needs(fused) -> None:
    choice = fused("add + rmsnorm + silu").training
    assert choice.needed == ("add.y", "rmsnorm.y")
    assert choice.stash.traffic_bytes == 2 * 2 * 2 * N
    assert choice.stash.time_s == pytest.approx(8 * N / HBM)
    assert choice.recompute.work_flop == (1 + 5) * N
    assert choice.recompute.traffic_bytes == 2 * 2 * N  # both terms of the sum; the gain is read anyway
    assert choice.cheaper == "recompute"


def test_a_product_is_cheaper_to_stash_than_to_run_again(fused) -> None:
    m, n, k = 65536, 8192, 8192
    choice = fused("gemm + gelu", tokens=None, width=None, m=m, n=n, k=k).training
    assert choice.needed == ("gemm.C",)
    assert choice.recompute.traffic_bytes == 0  # A and B are read for the gradients anyway
    assert choice.recompute.time_s == pytest.approx(2 * m * n * k / TENSOR)
    assert choice.stash.time_s == pytest.approx(2 * 2 * m * n / HBM)
    assert choice.cheaper == "stash"


def test_what_is_written_or_needs_nothing_costs_training_nothing(fused) -> None:
    assert fused("add! + rmsnorm").training is None
    assert fused("add + scale + dropout").training is None
    assert fused("add | rmsnorm").training is None


# ------------------------------------------------------------------------------------------ document


def test_the_document_has_the_keys_of_the_command_line(fused) -> None:
    found = fusion_document(fused("add + rmsnorm | silu"))
    for key in ("kernels", "work_flop", "traffic_bytes", "time_s", "speedup_vs_split", "notes"):
        assert key in found
    first = found["kernels"][0]
    assert first["operators"] == ["add", "rmsnorm"] and first["kept_on_chip"] == ["add.y"]
    assert {"work_flop", "traffic_bytes", "intensity", "time_s", "bound"} <= first.keys()
    assert found["split"]["traffic_bytes"] == 7 * 2 * N + ROW


def test_a_chain_can_be_placed_as_a_composite_of_its_kernels(fused) -> None:
    from rooflinestudio.core.placement import place_estimate

    chain = fused("add + rmsnorm | silu + mul")
    placed = place_estimate(chain.estimate, MACHINE, Settings(boundary="dram"))
    assert placed.traffic_bytes == chain.traffic_bytes
    assert placed.time_s == pytest.approx(chain.time_s)
    assert [part.label for part in placed.parts] == ["add + rmsnorm", "silu + mul"]


@given(
    names=st.lists(
        st.sampled_from(["add", "mul", "silu", "rmsnorm", "scale", "gelu"]), min_size=1, max_size=7
    ),
    data=st.data(),
)
def test_fusing_more_never_moves_more_and_never_changes_the_work(registry, names, data) -> None:
    cuts = data.draw(st.lists(st.sampled_from("+|"), min_size=len(names) - 1, max_size=len(names) - 1))
    text = names[0] + "".join(f" {cut} {name}" for cut, name in zip(cuts, names[1:], strict=True))
    chain = fuse(text, {"tokens": 128, "width": 64}, BF16, MACHINE, registry)
    whole, apart = recut(chain, chain.spec.fused()), recut(chain, chain.spec.split())
    assert whole.traffic_bytes <= chain.traffic_bytes <= apart.traffic_bytes
    assert whole.work_flop == chain.work_flop == apart.work_flop
    # Each joint that fuses saves one write and one read of the tensor in it.
    assert apart.traffic_bytes - chain.traffic_bytes == cuts.count("+") * 2 * 2 * 128 * 64
    assert chain.split_time_s == pytest.approx(apart.time_s)
