"""Traces of the PyTorch profiler: times, and work that is a model from shapes, against figures worked out by hand."""

from __future__ import annotations

import gzip
import json

import pytest

from plugins_builtin._torch_trace.shapes import modelled, pipe_of
from plugins_builtin.pytorch_trace import PytorchTrace
from rooflinestudio.core.measurement import MeasurementCancelled, MeasurementError
from tests.builtin.other_tools import FIXTURES, written

TRACE = FIXTURES / "trace.json"


def operator(name, dims, dtype="float", concrete=()):
    return modelled(
        name, {"Input Dims": dims, "Input type": [dtype] * len(dims), "Concrete Inputs": list(concrete)}
    )


def kernel_event(**arguments):
    return {"ph": "X", "cat": "kernel", "name": "k", "dur": 4, "args": arguments}


def read_events(folder, events, **others):
    return PytorchTrace().read(written(folder, json.dumps({**others, "traceEvents": events}), "t.json"))


def test_a_product_is_placed_by_its_shapes_and_named_a_model():
    gemm = PytorchTrace().read(TRACE).measurements[0]

    assert gemm.kernel == "void ns::gemm<float, int>(int, int)"
    assert gemm.time_s == 8e-6
    assert gemm.work == {"fp16-tensor": 2 * 32 * 64 * 128}
    assert gemm.dram_bytes == 2 * (32 * 128 + 128 * 64 + 32 * 64 + 64)
    assert gemm.achieved_flop_per_s == pytest.approx(524_288 / 8e-6)
    assert gemm.figures["work.fp16-tensor"].recipe.startswith("model, not measured: aten::addmm")
    assert gemm.figures["work.fp16-tensor"].quality == "estimated"
    assert gemm.figures["dram_bytes"].quality == "lower"
    assert gemm.figures["time_s"].quality == "rounded"
    assert "upper bound" in gemm.notes[0]
    assert (gemm.grid, gemm.block) == ((4, 2, 1), (128, 1, 1))
    assert (gemm.device, gemm.compute_capability) == ("NVIDIA Example", "9.0")
    assert gemm.plotted


def test_other_kernels_say_why_they_have_no_work():
    _, gelu, longest, reduction = PytorchTrace().read(TRACE).measurements

    assert gelu.work == {}
    assert gelu.traffic == {}
    assert "aten::gelu is no matrix product" in gelu.reason  # joined through the correlation
    assert longest.work == {"tf32-tensor": 2 * 2 * 16 * 4 * 8}
    assert "the longest of 2 kernels" in longest.figures["work.tf32-tensor"].recipe
    assert reduction.work == {}
    assert "its work stands with the longest" in reduction.reason


def test_the_file_says_the_time_of_all_kernels_and_what_was_left_out():
    file = PytorchTrace().read(TRACE)

    assert file.format == "pytorch-trace"
    assert "4 kernels of 14.5 µs together. W and Q of 2 are a model" in file.warnings[0]
    assert "1 copy or fill" in file.warnings[1]


@pytest.mark.parametrize(
    ("name", "dims", "concrete", "flop", "elements"),
    [
        ("aten::mm", [[3, 5], [5, 7]], (), 2 * 3 * 7 * 5, 15 + 35 + 21),
        ("aten::baddbmm", [[2, 3, 7], [2, 3, 5], [2, 5, 7]], (), 2 * 2 * 3 * 7 * 5, 42 + 30 + 70 + 42),
        # 3x3 over 8x8 with padding 1: 64 places
        ("aten::cudnn_convolution", [[2, 4, 8, 8], [6, 4, 3, 3], [], [], [], []],
         ("", "", "[1, 1]", "[1, 1]", "[1, 1]", "1"), 2 * 2 * 6 * 64 * 36, 512 + 216 + 768),
        # depthwise, stride 2, no padding: (8 - 3) // 2 + 1 = 3 places each way
        ("aten::miopen_convolution", [[1, 4, 8, 8], [4, 1, 3, 3], [], [], [], [], []],
         ("", "", "", "[0, 0]", "[2, 2]", "[1, 1]", "4"), 2 * 4 * 9 * 9, 256 + 36 + 36),
        ("aten::convolution", [[1, 3, 16], [8, 3, 5], [8], [], [], [], [], [], []],
         ("", "", "", "[1]", "[2]", "[1]", "False", "[0]", "1"), 2 * 8 * 16 * 15, 48 + 120 + 128),
    ],
)  # fmt: skip
def test_work_and_least_traffic_of_shapes(name, dims, concrete, flop, elements):
    found = operator(name, dims, concrete=concrete)

    assert found.flop == flop
    assert found.least_bytes == 4 * elements


@pytest.mark.parametrize(
    ("name", "dims", "dtype", "concrete"),
    [
        ("aten::mm", [[3, 5], [6, 7]], "float", ()),  # 5 is not 6
        ("aten::mm", [[3, 5]], "float", ()),
        ("aten::mm", [[3, 0], [0, 7]], "float", ()),
        ("aten::mm", [[3, "5"], [5, 7]], "float", ()),
        ("aten::mm", [[3, True], [1, 7]], "float", ()),
        ("aten::mm", [[3, 5], [5, 7]], "complex", ()),
        ("aten::bmm", [[2, 3, 5], [3, 5, 7]], "float", ()),
        ("aten::gelu", [[3, 5], [5, 7]], "float", ()),
        ("aten::cudnn_convolution", [[1, 3, 8, 8], [4, 3, 3, 3]], "float", ()),
        ("aten::convolution", [[1, 3, 16], [8, 3, 5], [8], [], [], [], [], [], []], "float",
         ("", "", "", "[1]", "[2]", "[1]", "True", "[0]", "1")),  # transposed
        ("aten::cudnn_convolution", [[1, 3, 2, 2], [4, 3, 3, 3], [], [], [], []], "float",
         ("", "", "[0]", "[1]", "[1]", "1")),  # the kernel is larger than the image
    ],
)  # fmt: skip
def test_shapes_that_do_not_belong_together_give_no_model(name, dims, dtype, concrete):
    assert operator(name, dims, dtype, concrete) is None


def test_the_pipe_follows_format_device_and_name():
    assert pipe_of("c10::bfloat16", "cutlass_gemm", amd=False) == "bf16-tensor"
    assert pipe_of("c10::bfloat16", "gemvx_kernel", amd=False) == "fp32"
    assert pipe_of("float", "ampere_sgemm_128x64", amd=False) == "fp32"
    assert pipe_of("float", "cutlass_tensorop_s1688gemm", amd=False) == "tf32-tensor"
    assert pipe_of("float", "Cijk_Ailk", amd=True) == "fp32-tensor"
    assert pipe_of("double", "cutlass_d884gemm", amd=False) == "fp64-tensor"
    assert pipe_of("c10::float8_e4m3fn", "k", amd=False) == "fp8-tensor"


def test_rocm_writes_work_items_where_cuda_writes_blocks(tmp_path):
    event = kernel_event(grid=[1024, 6, 1], block=[256, 4, 1], device=2)
    properties = [{"id": 0, "name": "AMD Example", "computeMajor": 9, "computeMinor": 4}]
    (kernel,) = read_events(
        tmp_path, [event], hip_runtime_version=1, deviceProperties=properties
    ).measurements

    assert kernel.grid == (4, 2, 1)
    assert (kernel.device, kernel.compute_capability) == ("AMD Example", None)


def test_a_packed_trace_and_one_without_an_object_around_are_read(tmp_path):
    plain = PytorchTrace().read(TRACE)
    packed = written(tmp_path, gzip.compress(TRACE.read_bytes()), "t.json.gz")
    bare = written(tmp_path, json.dumps([kernel_event()]), "t.json")

    assert PytorchTrace().recognises(packed.read_bytes()[:65536], "x")
    assert PytorchTrace().read(packed).measurements == plain.measurements
    assert PytorchTrace().recognises(bare.read_bytes(), "x")
    assert PytorchTrace().read(bare).measurements[0].time_s == 4e-6


def test_of_a_trace_that_is_cut_off_the_beginning_is_kept(tmp_path):
    content = TRACE.read_bytes()
    file = PytorchTrace().read(written(tmp_path, content[: content.index(b"gelu_kernel")]))

    assert len(file.measurements) == 1
    assert "cut off" in file.warnings[0] or "Unterminated" in file.warnings[0]


def test_a_value_of_many_megabytes_is_passed_over(tmp_path):
    events = [{"cat": "x", "args": {"call": [']}\\"' * 500_000]}}, kernel_event()]
    file = read_events(tmp_path, events, before="z" * 3_000_000)

    assert len(file.measurements) == 1
    assert "2 values too large" in file.warnings[-1]


def test_a_trace_without_kernels_or_shapes_says_what_to_do(tmp_path):
    empty = read_events(
        tmp_path, [{"cat": "cpu_op", "ph": "X", "name": "aten::mm", "args": {"External id": 1}}]
    )
    bare = read_events(
        tmp_path,
        [
            kernel_event(**{"External id": 1}),
            {"cat": "cpu_op", "name": "aten::mm", "args": {"External id": 1}},
        ],
    )

    assert "ProfilerActivity.CUDA" in empty.warnings[0]
    assert "record_shapes=True" in bare.measurements[0].reason
    assert "record_shapes=True" in bare.warnings[1]


@pytest.mark.parametrize(
    "content",
    [
        '{"a": 1}',
        "[" * 100_000,
        '{"traceEvents": 3}',
        "no JSON",
        '{"traceEvents"',
        "",
        "\x1f\x8b\x08\x00broken",
    ],
)
def test_what_is_no_trace_is_a_clear_error(content, tmp_path):
    path = written(tmp_path, content.encode("latin-1"), "t.json")

    with pytest.raises(MeasurementError, match=r"t\.json"):
        PytorchTrace().read(path)


def test_a_small_archive_cannot_fill_the_memory(tmp_path):
    path = written(tmp_path, gzip.compress(b'{"traceEvents": [' + b" " * 40_000_000 + b"]}"), "t.json.gz")

    with pytest.raises(MeasurementError, match="200 times"):
        PytorchTrace().read(path)


def test_reading_can_be_cancelled():
    with pytest.raises(MeasurementCancelled):
        PytorchTrace().read(TRACE, lambda share: False)
