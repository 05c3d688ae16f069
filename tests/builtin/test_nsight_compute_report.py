"""Binary reports that are whole: what stands in them, and that it gives the figures that a table of the run gives."""

from __future__ import annotations

import hashlib
import pickle
from dataclasses import replace

import pytest

from plugins_builtin.nsight_compute_report import NsightComputeReport
from rooflinestudio.core.measurement import MeasurementCancelled, MeasurementError, to_json
from rooflinestudio.plugins.host import PluginHost
from rooflinestudio.plugins.reading import read_measurements
from tests.builtin.nsight_reports import (
    DRAM,
    MAGIC,
    TIME,
    Kernel,
    Single,
    Small,
    one,
    read_bytes,
    report,
    vector,
)
from tests.builtin.nsight_tables import IDENTITY, csv_text, read_text

NAN = float("nan")
PEAK = "device__attribute_global_memory_bus_width"


# -------------------------------------------------------------------------------------------- recognised


def test_a_report_is_known_by_its_content_whatever_it_is_called(tmp_path):
    path = tmp_path / "holiday.jpeg"
    path.write_bytes(report(Kernel(TIME)))

    file = read_measurements(path, [NsightComputeReport()])

    assert file.format == "ncu-report"
    assert [launch.time_s for launch in file.measurements] == [0.001]
    assert not NsightComputeReport().recognises(b"NVRAM dump", "report.ncu-rep")
    assert not NsightComputeReport().recognises(b"", "report.ncu-rep")


def test_the_studio_finds_the_reader_by_itself(tmp_path):
    studio = PluginHost.discover()
    studio.load_builtins()
    path = tmp_path / "old.nsight-cuprof-report"
    path.write_bytes(report(Kernel(TIME)))

    file = read_measurements(path, studio.registry.readers)

    assert len(file.measurements) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"\x89PNG\r\n\x1a\n\0\0", "PNG picture"),
        (b'"ID","Kernel Name"\n', "text"),
        (b"\0\1\2\3", "binary file"),
        (b"PK\x03\x04\0\0", "ZIP archive"),
    ],
)
def test_a_file_with_the_ending_of_a_report_that_is_none_is_named(content, said, tmp_path):
    with pytest.raises(MeasurementError, match=said) as caught:
        read_bytes(content, tmp_path)

    assert "report.ncu-rep" in str(caught.value)


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    for path in (tmp_path / "gone.ncu-rep", tmp_path):
        with pytest.raises(MeasurementError, match="cannot be read"):
            NsightComputeReport().read(path)


# ----------------------------------------------------------------------------------------------- figures


def test_a_launch_has_its_name_size_device_and_figures(tmp_path):
    launch = one(
        Kernel(
            {**TIME, **DRAM, **vector("f", 1e6, 2e6, 3e6), "smsp__cycles_elapsed.avg.per_second": 1.4e9},
            grid=(64, 2, 1),
            block=(128, 1, 1),
        ),
        tmp_path,
    )

    assert launch.kernel == "kernel(float *)"
    assert (launch.grid, launch.block) == ((64, 2, 1), (128, 1, 1))
    assert (launch.device, launch.compute_capability) == ("Test GPU 80", "8.0")
    assert launch.time_s == 0.001  # stored in ns
    assert launch.clock_hz == 1.4e9
    assert launch.work == {"fp32": 1e6 + 2e6 + 2 * 3e6}
    assert launch.traffic["dram"] == (3e6, 1e6, 4e6)
    assert launch.intensity_dram == 9e6 / 4e6
    assert {figure.quality for figure in launch.figures.values()} == {"exact"}
    assert launch.figures["dram_bytes"].recipe == "dram__bytes_read.sum + dram__bytes_write.sum"
    assert launch.reason is None


def test_a_report_and_the_raw_page_of_the_same_run_give_the_same_measurement(tmp_path):
    metrics: dict[str, float] = {
        **TIME,
        **DRAM,
        **vector("f", 655_360, 0, 131_072),
        **vector("d", 0, 0, 4_096),
        "smsp__cycles_elapsed.avg.per_second": 1_407_312_357.0,
        "lts__t_sectors_srcunit_tex.sum": 1_073_758_208,
        "l1tex__lsu_writeback_active_mem_lg.sum": 60_454,
        "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum": 601_516_340,
        "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed": 83.5,
        "dram__bytes.avg": 12.0,  # an average over the channels is no amount
        "sm__throughput.avg.pct_of_peak_sustained_elapsed": 55.0,
    }
    units = {"gpu__time_duration.sum": "ns", "smsp__cycles_elapsed.avg.per_second": "hz"}
    identity = (0, 1, "app", "127.0.0.1", "kernel(float *)", 1, 7, "(256, 1, 1)", "(64, 1, 1)", 0, "8.0")
    device = "device__attribute_display_name"
    names = [*metrics, device]
    row_of_units = ["%" if "pct" in name else units.get(name, "") for name in names]
    table = csv_text([
        (*IDENTITY, *names),
        (*[""] * len(IDENTITY), *row_of_units),
        (*identity, *[f"{value:.6f}".removesuffix(".000000") for value in metrics.values()], "Test GPU 80"),
    ])  # fmt: skip

    (printed,) = read_text(table, tmp_path).measurements
    stored = one(Kernel({name: float(value) for name, value in metrics.items()}), tmp_path)

    # A report also knows its device: how many SMs it has, and what follows from that.
    more = stored.figures.keys() - printed.figures.keys()
    assert more and all("sm" in name for name in more), more
    known = {name: one for name, one in stored.figures.items() if name not in more}
    assert replace(stored, figures=known) == printed


def test_rates_times_clock_times_time_give_the_whole_number_back(tmp_path):
    executed, cycles, clock = 13_107_200, 541_819.25, 766_003_921.0859375
    time_ns = cycles / clock * 1e9
    launch = one(
        Kernel({
            "gpu__time_duration.sum": time_ns,
            "smsp__cycles_elapsed.avg.per_second": clock,
            **{
                f"smsp__sass_thread_inst_executed_op_f{name}_pred_on.sum.per_cycle_elapsed": value
                for name, value in (("add", 0.0), ("mul", 0.0), ("fma", executed / cycles))
            },
        }),
        tmp_path,
    )  # fmt: skip

    assert launch.work["fp32"] == pytest.approx(2 * executed, rel=1e-12)
    assert launch.figures["work.fp32"].quality == "exact"


def test_each_type_of_number_is_read_unrounded(tmp_path):
    metrics = {
        "gpu__time_duration.sum": Small(3_232),
        "dram__bytes_read.sum": (1 << 53) + 2,
        "dram__bytes_write.sum": Single(0.5),
        "smsp__cycles_elapsed.avg.per_second": Single(1.5e9),
    }

    launch = one(Kernel(metrics), tmp_path)

    assert launch.time_s == 3.232e-6
    assert launch.traffic["dram"] == (2.0**53 + 2, 0.5, 2.0**53 + 2.5)
    assert launch.clock_hz == 1.5e9


def test_the_percentage_of_the_peak_gives_an_estimate_and_no_amount(tmp_path):
    metrics = {
        **TIME,
        "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed": 50.0,
        "dram__cycles_elapsed.avg.per_second": 1e9,
        PEAK: 256,
    }

    launch = one(Kernel(metrics), tmp_path)

    assert launch.dram_bytes == pytest.approx(0.5 * 64 * 1e9 * 0.001)
    assert launch.figures["dram_bytes"].quality == "estimated"
    assert "no FLOP counters" in (launch.reason or "")


def test_stamps_of_the_host_are_no_duration(tmp_path):
    launch = one(Kernel(DRAM), tmp_path)

    assert launch.time_s is None
    assert "no time: add gpu__time_duration.sum" in (launch.reason or "")


def test_names_of_2019_are_understood(tmp_path):
    metrics = {
        "gpu__time_duration": 2_000.0,
        "dram__read_bytes": 64_000_000.0,
        "dram__write_bytes": 1_000_000.0,
    }

    launch = one(Kernel(metrics), tmp_path)

    assert launch.time_s == 2e-6
    assert launch.dram_bytes == 65e6


def test_a_metric_without_a_value_of_its_own_is_missing_and_not_zero(tmp_path):
    launch = one(Kernel({**TIME, "dram__bytes_read.sum": None, "dram__bytes_write.sum": None}), tmp_path)

    assert launch.dram_bytes is None
    assert "no memory traffic collected" in (launch.reason or "")


def test_impossible_values_are_left_out_and_named(tmp_path):
    file = read_bytes(
        report(Kernel({**TIME, "dram__bytes_read.sum": -3.0, "dram__bytes_write.sum": 1e99})), tmp_path
    )

    (launch,) = file.measurements
    assert (launch.time_s, launch.dram_bytes) == (0.001, None)
    assert [text for text in file.warnings if "dram__bytes_read.sum = -3.0 (launch 0)" in text]


# ------------------------------------------------------------------------------------- progress and digest


def test_progress_rises_to_the_end_and_false_cancels(tmp_path):
    path = tmp_path / "report.ncu-rep"
    path.write_bytes(report(*[Kernel({**TIME, **DRAM})] * 400))
    shares: list[float] = []

    def note(share: float) -> bool:
        shares.append(share)
        return True

    file = NsightComputeReport().read(path, note)

    assert len(file.measurements) == 400
    assert shares == sorted(shares)
    assert len(shares) > 8
    assert 0 <= shares[0] < 0.5 < shares[-1] <= 1
    for stop in (0.1, 0.3, 0.6):
        with pytest.raises(MeasurementCancelled):
            NsightComputeReport().read(path, lambda share, stop=stop: share < stop)


def test_the_digest_is_that_of_the_content_and_all_of_it_can_be_sent(tmp_path):
    content = report(Kernel({**TIME, **DRAM}))

    file = read_bytes(content, tmp_path)

    assert file.digest == hashlib.sha256(content).hexdigest()
    assert pickle.loads(pickle.dumps(file)) == file
    assert pickle.loads(pickle.dumps(NsightComputeReport())) == NsightComputeReport()
    assert to_json(file)["launches"][0]["dram_bytes"] == 4e6
    assert content.startswith(MAGIC)
