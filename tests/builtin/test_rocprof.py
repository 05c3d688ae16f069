"""Tables of rocprof-compute against figures worked out by hand."""

from __future__ import annotations

import pytest

from plugins_builtin.rocprof import RocprofCsv
from rooflinestudio.core.measurement import MeasurementCancelled, MeasurementError
from tests.builtin.other_tools import FIXTURES, written

HEADER = "Dispatch_ID,Kernel_Name,"


def one(folder, **cells):
    text = f"{HEADER}{','.join(cells)}\n0,k,{','.join(map(str, cells.values()))}\n"
    (kernel,) = RocprofCsv().read(written(folder, text)).measurements
    return kernel


def test_counters_of_a_dispatch_become_a_point():
    relax, product = RocprofCsv().read(FIXTURES / "counters.csv").measurements

    assert relax.kernel == "relax(float*, int) [clone .kd]"
    assert relax.time_s == 1e-5  # time stamps beyond 2^53 keep their nanoseconds
    assert relax.work["fp32"] == 64 * (10 + 20 + 5 + 2 * 100)
    assert relax.figures["work.fp32"].quality == "upper"  # all 64 lanes counted
    assert relax.dram_bytes == 32 * 4 + 64 * 6 + 64 * 6 + 32 * 2
    assert relax.traffic["dram"].read_bytes == 512
    assert relax.figures["dram_bytes"].quality == "exact"
    assert relax.l1_bytes == 50 * 64
    assert relax.l2_bytes == 64 * 20
    assert relax.shared_bytes == 128 * 20
    assert (relax.grid, relax.block, relax.device) == ((32, 1, 1), (256, 1, 1), "GPU 1")
    assert relax.plotted
    assert product.work == {"fp32": 0.0, "bf16-tensor": 512 * 2000}
    assert product.pipe == "bf16-tensor"
    assert product.figures["work.bf16-tensor"].quality == "exact"
    assert product.l1_bytes is None  # an empty cell is no zero


def test_a_kernel_without_arithmetic_says_that_w_is_0(tmp_path):
    kernel = one(
        tmp_path,
        SQ_INSTS_VALU_ADD_F64=0,
        SQ_INSTS_VALU_MUL_F64=0,
        SQ_INSTS_VALU_TRANS_F64=0,
        SQ_INSTS_VALU_FMA_F64=0,
        TCC_EA_RDREQ_sum=10,
        Start_Timestamp=5,
        End_Timestamp=15,
    )

    assert kernel.work_flop == 0
    assert kernel.reason == "W = 0 on fp64: no place on a FLOP roofline"
    assert kernel.figures["dram_bytes"].quality == "lower"  # writes were not collected


def test_counters_that_were_not_collected_are_not_zero(tmp_path):
    lacking = one(tmp_path, SQ_INSTS_VALU_FMA_F16=7, TCC_EA_RDREQ_sum=1, TCC_EA_WRREQ_sum=1)
    contradicting = one(tmp_path, TCC_EA_RDREQ_32B_sum=5, TCC_EA_RDREQ_sum=1, TCC_EA_WRREQ_sum=1)

    assert lacking.work["fp16"] == 64 * 14
    assert lacking.figures["work.fp16"].quality == "estimated"  # neither bound: lanes and missing kinds
    assert lacking.figures["dram_bytes"].quality == "estimated"
    assert "no time stamps" in lacking.reason
    assert contradicting.dram_bytes is None
    assert "TCC_EA_RDREQ" in contradicting.reason


def test_channels_are_summed_where_there_is_no_sum(tmp_path):
    cells = {f"TCC_EA_{name}[{channel}]": 3 for name in ("RDREQ", "WRREQ") for channel in (0, 1)}
    cells |= {f"TCC_EA_{name}[{channel}]": 0 for name in ("RDREQ_32B", "WRREQ_64B") for channel in (0, 1)}

    assert one(tmp_path, **cells).dram_bytes == 6 * 64 + 6 * 32


def test_cdna_3_reads_128_bytes_at_once(tmp_path):
    kernel = one(
        tmp_path,
        TCC_EA0_RDREQ_sum=10,
        TCC_EA0_RDREQ_32B_sum=2,
        TCC_BUBBLE_sum=3,
        TCC_EA0_WRREQ_sum=4,
        TCC_EA0_WRREQ_64B_sum=4,
        TCP_TOTAL_CACHE_ACCESSES_sum=2,
    )

    assert kernel.dram_bytes == 2 * 32 + 3 * 128 + 5 * 64 + 4 * 64
    assert kernel.l1_bytes == 256


def test_ceilings_are_kept_with_their_ranges_and_said_in_words():
    file = RocprofCsv().read(FIXTURES / "roofline.csv")
    first, second = file.machines
    rates = {one.id: one for one in first.ceilings}
    slopes = {one.id: one for one in first.boundaries}

    assert first.device == "device 0"
    assert slopes["dram"].best == 1.0005e12
    assert (slopes["dram"].low, slopes["dram"].high) == (999e9, 1002e9)
    assert (rates["int8-tensor"].low, rates["int8-tensor"].high) == (
        299e12,
        301e12,
    )  # under its misspelt head
    assert rates["bf16-tensor"].best == 160e12
    assert rates["fp32"].best == 20e12
    assert "int8-tensor" not in {one.id for one in second.ceilings}
    assert not file.measurements
    assert "dram 1.00050 TB/s" in file.warnings[0]
    assert "pmc_perf.csv" in file.warnings[-1]
    assert RocprofCsv().read(FIXTURES / "counters.csv").machines == ()


def test_tables_without_rows_and_other_files_are_answered(tmp_path):
    empty = RocprofCsv().read(written(tmp_path, f"{HEADER}SQ_WAVES\n"))
    bare = RocprofCsv().read(written(tmp_path, "device,HBMBw\n"))

    assert "no dispatch" in empty.warnings[-1]
    assert "--roof-only" in bare.warnings[-1]
    with pytest.raises(MeasurementError, match="names the columns"):
        RocprofCsv().read(written(tmp_path, "a,b\n1,2\n"))
    with pytest.raises(MeasurementError, match="is empty"):
        RocprofCsv().read(written(tmp_path, ""))
    with pytest.raises(MeasurementCancelled):
        RocprofCsv().read(FIXTURES / "counters.csv", lambda share: False)


def test_no_matrix_work_is_a_finding_where_all_formats_were_counted(tmp_path):
    matrix = {f"SQ_INSTS_VALU_MFMA_MOPS_{form}": 0 for form in ("F64", "F32", "F16", "BF16", "I8")}

    counted = one(tmp_path, SQ_INSTS_VALU_FMA_F32=7, **matrix)
    partly = one(tmp_path, SQ_INSTS_VALU_FMA_F32=7, SQ_INSTS_VALU_MFMA_MOPS_F16=0)

    assert {pipe for pipe, flop in counted.work.items() if flop == 0} == {
        "fp64-tensor", "fp32-tensor", "fp16-tensor", "bf16-tensor", "int8-tensor",
    }  # fmt: skip
    assert counted.pipe == "fp32"
    assert not any("tensor" in pipe for pipe in partly.work)


def test_ceilings_bear_the_words_of_the_file(tmp_path):
    head = "device,HBMBw,HBMBwLow,hbmBwHigh,MFMAF64Flops,MFMAF64FlopsLow,MFMAF64FlopsHigh"
    (machine,) = (
        RocprofCsv().read(written(tmp_path, f"{head}\n0,1400,1390,1410,41000,40000,42000\n")).machines
    )

    assert [one.origin for one in (*machine.ceilings, *machine.boundaries)] == ["MFMAF64Flops", "HBMBw"]
    assert machine.boundaries[0].high == 1410e9
