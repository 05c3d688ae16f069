"""Tensor-core work from counts by instruction, which only a binary report has."""

from __future__ import annotations

import pytest

from plugins_builtin._ncu_report.opcodes import OPCODE_METRICS, tensor_counts
from tests.builtin.nsight_reports import (
    DEVICE,
    DRAM,
    TIME,
    Kernel,
    block,
    head,
    metric,
    nested,
    one,
    read_bytes,
    vector,
)

NO_FP32 = vector("f", 0, 0, 0)


def _tensor(opcodes: dict[str, object], folder, **more: object):
    return one(Kernel({**TIME, **DRAM, **NO_FP32, **more}, opcodes), folder)


def test_a_tensor_kernel_whose_classical_counters_read_zero_has_its_work(tmp_path):
    launch = _tensor({"IADD3": 594_040_467.0, "HMMA.16816.F32": 536_870_912.0, "HFMA2": 40.0}, tmp_path)

    assert launch.work["fp16-tensor"] == 536_870_912 * 2 * 16 * 8 * 16 == 2 * 16384**2 * 4096
    assert launch.pipe == "fp16-tensor"
    assert launch.figures["work.fp16-tensor"].quality == "exact"
    recipe = launch.figures["work.fp16-tensor"].recipe
    assert recipe == "4096 × HMMA.16816.F32, of sass__inst_executed_per_opcode_with_modifier_all"
    assert launch.plotted


# Work of one execution by one warp: 2·m·n·k of the shape in the name; a warp group shares it among four warps.
@pytest.mark.parametrize(
    ("opcode", "pipe", "flop"),
    [
        ("HMMA.884.F32.F32.STEP2", "fp16", 512),
        ("HMMA.1688.F32", "fp16", 2048),
        ("HMMA.16816.F16", "fp16", 4096),
        ("HMMA.16816.F32.BF16", "bf16", 4096),
        ("HMMA.1684.F32.TF32", "tf32", 1024),
        ("HMMA.1688.F32.TF32", "tf32", 2048),
        ("IMMA.8816.S8.S8", "int8", 2048),
        ("IMMA.16816.S8.S8.SAT", "int8", 4096),
        ("IMMA.16832.U8.S8", "int8", 8192),
        ("IMMA.16864.S4.S4", "int4", 16384),
        ("BMMA.168256.AND.POPC", "int1", 65536),
        ("DMMA.884", "fp64", 512),
        ("QMMA.16832.F32.E4M3.E4M3", "fp8", 8192),
        ("QMMA.SF.16832.F32.E4M3.E4M3.E8", "fp8", 8192),
        ("OMMA.SF.16864.F32.E2M1.E2M1.UE4M3", "fp4", 16384),
        ("HGMMA.64x256x16.F32", "fp16", 131072),
        ("HGMMA.64x8x16.F32.BF16", "bf16", 4096),
        ("HGMMA.64x128x8.F32.TF32", "tf32", 32768),
        ("IGMMA.64x8x32.S8.S8", "int8", 8192),
        ("QGMMA.64x128x32.F32.E4M3.E4M3", "fp8", 131072),
    ],
)
def test_the_name_of_an_instruction_tells_its_work(opcode, pipe, flop, tmp_path):
    launch = _tensor({opcode: 1000.0}, tmp_path)

    assert {key: value for key, value in launch.work.items() if value} == {f"{pipe}-tensor": 1000.0 * flop}
    inferred = "GMMA" in opcode
    assert launch.figures[f"work.{pipe}-tensor"].quality == ("estimated" if inferred else "exact")


def test_sparse_instructions_stand_for_dense_ones_under_the_sparse_roof(tmp_path):
    launch = _tensor({"HMMA.SP.16832.F32": 10.0, "HMMA.16816.F32": 3.0}, tmp_path)

    assert launch.work["fp16-tensor-sparse"] == 10 * 2 * 16 * 8 * 32
    assert launch.figures["work.fp16-tensor-sparse"].quality == "upper"
    assert launch.work["fp16-tensor"] == 3 * 4096


def test_types_and_shapes_are_summed_by_type(tmp_path):
    launch = _tensor(
        {"HMMA.16816.F32": 1.0, "HMMA.1688.F32": 1.0, "HMMA.16816.F32.BF16": 1.0, "IMMA.16832.S8.S8": 2.0},
        tmp_path,
    )

    assert launch.work["fp16-tensor"] == 4096 + 2048
    assert launch.work["bf16-tensor"] == 4096
    assert launch.work["int8-tensor"] == 2 * 8192


def test_counters_of_operations_come_before_counts_of_instructions(tmp_path):
    counted = {"sm__ops_path_tensor_src_fp16_dst_fp32.sum": 5_000.0}

    launch = _tensor({"HMMA.16816.F32": 1000.0}, tmp_path, **counted)

    assert launch.work["fp16-tensor"] == 5_000.0


def test_a_peak_of_the_counters_or_a_missing_one_is_no_count(tmp_path):
    names = {
        "sm__ops_path_tensor_src_fp16_dst_fp32.sum.peak_sustained": 1e6,
        "sm__ops_path_tensor_src_bf16_dst_fp32.sum": float("nan"),
    }

    launch = _tensor({"HMMA.16816.F32": 1000.0}, tmp_path, **names)

    assert launch.work["fp16-tensor"] == 1000 * 4096


def test_counters_of_types_that_did_not_run_do_not_hide_the_one_that_did(tmp_path):
    counted = {"sm__ops_path_tensor_src_fp8.sum": 0.0, "sm__ops_path_tensor_src_fp16_dst_fp16.sum": 0.0}

    launch = _tensor({"HMMA.16816.F32": 1000.0}, tmp_path, **counted)

    assert launch.work["fp16-tensor"] == 1000 * 4096


def test_instructions_without_a_shape_are_named_and_not_converted(tmp_path):
    launch = _tensor({"UTCHMMA": 1000.0, "FADD": 3.0}, tmp_path)

    assert not any(launch.work.values())
    assert "tensor cores" in (launch.reason or "")
    assert "sm__ops_path_tensor_src" in (launch.reason or "")


def test_a_part_that_cannot_be_converted_makes_the_rest_a_lower_bound(tmp_path):
    launch = _tensor({"UTCQMMA": 7.0, "HMMA.16816.F32": 1000.0}, tmp_path)

    assert launch.work["fp16-tensor"] == 4_096_000
    assert launch.figures["work.fp16-tensor"].quality == "lower"
    assert any("UTCQMMA" in note for note in launch.notes)


def test_counts_without_modifiers_are_converted_on_volta_alone(tmp_path):
    metric = "sass__inst_executed_per_opcode"
    kernel = Kernel({**TIME, **DRAM, **NO_FP32}, {"HMMA": 1000.0}, metric)

    ampere = one(kernel, tmp_path)
    kernel.device = {**DEVICE, **dict.fromkeys(["device__attribute_compute_capability_major"], 7)}
    volta = one(kernel, tmp_path)

    assert not any(ampere.work.values())
    assert "tensor cores" in (ampere.reason or "")
    assert volta.work["fp16-tensor"] == 512_000


def test_the_counts_that_tell_most_are_taken(tmp_path):
    numbers = {metric: number for number, metric in enumerate((*OPCODE_METRICS, *TIME, *NO_FP32))}
    message = Kernel({**TIME, **NO_FP32}, device={}).message(numbers)
    names = ("HMMA.16816.F32.BF16", "HMMA.16816", "HMMA")
    counts = [nested(13, metric(number, 9.0, [(name, 9.0)])) for number, name in enumerate(names)]
    results = [message + counts[0] + counts[1] + counts[2], message + counts[2] + counts[1] + counts[0]]

    file = read_bytes(head() + block(results=results, names=list(numbers)), tmp_path)

    assert [launch.work["bf16-tensor"] for launch in file.measurements] == [9 * 4096.0] * 2


# Without the modifiers that name the type, the shape leaves several; fp16 and bf16 have one roof on chips with both.
@pytest.mark.parametrize(
    ("opcode", "pipe", "flop"),
    [
        ("HMMA.16816", "bf16-tensor", 4096),
        ("HMMA.1688", "tensor", 2048),
        ("HMMA.1684", "tf32-tensor", 1024),
        ("HMMA.884", "fp16-tensor", 512),
        ("HGMMA.64x64x16", "bf16-tensor", 32768),
        ("HGMMA.64x64x8", "tf32-tensor", 16384),
        ("IMMA.16832", "int8-tensor", 8192),
        ("HMMA.SP.16832", "bf16-tensor-sparse", 8192),
    ],
)
def test_names_without_types_are_as_vague_as_their_shape(opcode, pipe, flop, tmp_path):
    launch = one(Kernel({**TIME, **NO_FP32}, {opcode: 1000.0}, OPCODE_METRICS[1]), tmp_path)

    assert {key: value for key, value in launch.work.items() if value} == {pipe: 1000.0 * flop}


def test_vague_shapes_do_not_hide_each_other(tmp_path):
    opcodes = {"HMMA.16816": 10.0, "HMMA.1688": 10.0, "HMMA.1684": 10.0, "IMMA.16832": 10.0}

    launch = one(Kernel({**TIME, **NO_FP32}, opcodes, OPCODE_METRICS[1]), tmp_path)

    assert {key: value for key, value in launch.work.items() if value} == {
        "bf16-tensor": 40_960.0,
        "tensor": 20_480.0,
        "tf32-tensor": 10_240.0,
        "int8-tensor": 81_920.0,
    }


def test_packed_half_arithmetic_on_the_tensor_pipe_is_no_tensor_work(tmp_path):
    launch = _tensor(
        {"HFMA2.MMA": 2048.0, "IADD3": 10.0}, tmp_path, **{"sm__inst_executed_pipe_tensor.sum": 2048.0}
    )

    assert not any(launch.work.values())
    assert "W = 0 measured on fp32, tensor" in (launch.reason or "")


def test_an_integer_kernel_is_known_to_have_no_tensor_work(tmp_path):
    launch = _tensor({"IADD3": 10.0, "IMAD.MOV.U32": 3.0}, tmp_path)

    assert launch.work_flop == 0
    assert "tensor cores were not counted" not in (launch.reason or "")


def test_a_kernel_with_other_work_says_nothing_of_tensor_cores(tmp_path):
    launch = _tensor({"FADD": 10.0}, tmp_path, **vector("f", 320, 0, 0))

    assert launch.work == {"fp32": 320.0}


def test_a_busy_tensor_pipe_without_counts_is_pointed_out(tmp_path):
    busy = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"
    kernels = [Kernel({**TIME, **DRAM, **vector("f", 10, 0, 0), busy: value}) for value in (53.46, 0.8)]

    found = [one(kernel, tmp_path).notes for kernel in kernels]

    assert any("tensor pipe was busy" in note for note in found[0])
    assert not any("tensor pipe" in note for note in found[1])


@pytest.mark.parametrize(
    "opcode",
    ["FFMA", "HFMA2.MMA", "DFMA", "IMAD", "", ".", "MMA", "HMMA", "HMMA.16816.16816", "HMMA.99999", "HGMMA.64x9999x16",
     "UTCOMMA.2CTA", "HMMA." + "9" * 500],
)  # fmt: skip
def test_other_names_give_no_work(opcode):
    found, unknown = tensor_counts({opcode: 5.0}, OPCODE_METRICS[0])

    assert not found
    assert set(unknown) <= {opcode}
