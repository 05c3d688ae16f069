"""mixbench, clpeak, OpenCL-Benchmark and gpu-benches against figures worked out by hand."""

from __future__ import annotations

import pytest

from plugins_builtin._benchmarks.plateaus import plateaus
from rooflinestudio.core.ceilings.proposal import propose
from tests.builtin.benchmark_files import FIXTURES, READER, best, machines, read_text
from tests.core.profiles import machine as a_machine

HEADS = (
    "Experiment ID, Single Precision ops,,,,              Double precision ops,,,,              "
    "Integer operations,,, \n"
    "Compute iters, Flops/byte, ex.time,  GFLOPS, GB/sec, Flops/byte, ex.time,  GFLOPS, GB/sec, Iops/byte, ex.time,"
    "   GIOPS, GB/sec\n"
)

# mixbench ------------------------------------------------------------------------------------------------------------


def test_best_rows_of_mixbench_are_ceilings_and_the_slope_of_memory():
    (machine,) = machines("mixbench.txt")

    assert (machine.device, machine.tool) == ("Example GPU 70", "mixbench-cuda v9.99")
    assert machine.compute_capability == "7.5"
    assert best(machine.ceilings) == [("fp32", 5.5e12), ("fp64", 450e9), ("fp16", 11e12), ("int32", 5e12)]
    assert best(machine.boundaries) == [("dram", 400e9)] * 4
    assert machine.ceilings[0].condition == "64 iterations, buffer of 256MB, read-only"
    assert machine.ceilings[0].origin == "Single Precision ops, GFLOPS"
    assert machine.boundaries[3].origin == "Integer operations, GB/sec"


def test_what_mixbench_states_is_no_measurement_and_above_it_is_said():
    (machine,) = machines("mixbench.txt")

    assert dict(machine.clocks) == {}  # 1500 MHz is what the driver states
    assert any("1500 MHz" in note for note in machine.notes)
    assert any("5000.00 GFlops and 440.00 GB/sec" in note for note in machine.notes)
    assert any("110% of what the tool calculates" in note for note in machine.notes)  # 5.5 of 5.0


def test_a_rate_above_the_published_one_is_asked_about_and_never_clamped():
    part = a_machine("part-70", ceilings={"fp32": 5e12, "fp64": 500e9}, boundaries={"dram": 440e9})
    (machine,) = machines("mixbench.txt")
    rows = {row.reading.id: row for row in propose(machine, part).rows}

    assert rows["fp32"].value == 5.5e12
    assert rows["fp32"].ratio == pytest.approx(1.1)
    assert rows["fp32"].doubt is not None
    assert not rows["fp32"].taken
    assert rows["fp64"].taken  # 450 of 500
    assert rows["fp64"].doubt is None


def test_rows_of_mixbench_are_points():
    points = READER.read(FIXTURES / "mixbench.txt").measurements

    assert len(points) == 16
    point = next(one for one in points if one.kernel == "fp32, 8 iterations")
    assert point.achieved_flop_per_s == 1.68e12
    assert point.bytes_per_s("dram") == 395e9
    assert point.intensity_dram == pytest.approx(1680 / 395)  # 4.25 in the table, before rounding
    assert point.time_s == 2e-3
    assert point.device == "Example GPU 70"
    assert all(one.plotted for one in points)


def test_mixbench_without_half_precision_and_with_what_is_not_supported(tmp_path):
    cells = (
        "0",
        "0.250",
        "2.00",
        "100.00",
        "400.00",
        "0.125",
        "0.00",
        "inf",
        "inf",
        "0.250",
        "nan",
        "-90.00",
        "410.00",
    )
    file = read_text(tmp_path, HEADS + ",   ".join(cells) + "\n")
    (machine,) = file.machines

    assert best(machine.ceilings) == [("fp32", 100e9)]
    assert best(machine.boundaries) == [("dram", 400e9), ("dram", 410e9)]
    assert machine.device == ""
    assert "Double precision ops: not supported by this device, or not measured." in machine.notes
    assert [one.kernel for one in file.measurements] == ["fp32, 0 iterations"]


def test_older_form_of_mixbench_and_a_row_that_is_cut_off(tmp_path):
    text = (
        "mixbench (compute & memory balancing GPU microbenchmark)\n- Device specifications -\nDevice:   Old GPU\n"
        "Operations ratio,  Single Precision ops,,,   Double precision ops,,,     Integer operations,, \n"
        "  compute/memory,    Time,  GFLOPS, GB/sec,    Time,  GFLOPS, GB/sec,    Time,   GIOPS, GB/sec\n"
        "       0/32,       250.00,    0.00, 135.00,  470.00,    0.00, 144.00,  253.00,    0.00, 135.00\n"
        "      31/ 1,        53.00, 1250.00,  20.00,  390.00,  167.00,   5.50,  100.00,  650.00,  10.00\n"
        "      32/ 0,        53.00, 9999.00,   0.00,  4"
    )
    file = read_text(tmp_path, text)
    (machine,) = file.machines

    assert (machine.device, machine.tool) == ("Old GPU", "mixbench")
    assert best(machine.ceilings) == [("fp32", 1.25e12), ("fp64", 167e9), ("int32", 650e9)]
    assert [one.best for one in machine.boundaries] == [135e9, 144e9, 135e9]
    assert machine.ceilings[0].condition == "compute to memory 31/1"


def test_two_devices_in_one_log_of_mixbench(tmp_path):
    text = (FIXTURES / "mixbench.txt").read_text(encoding="utf-8")
    first, second = read_text(
        tmp_path, text + text.replace("GPU 70", "GPU 71").replace("5500.00", "5600.00")
    ).machines

    assert (first.device, second.device) == ("Example GPU 70", "Example GPU 71")
    assert (first.ceilings[0].best, second.ceilings[0].best) == (5.5e12, 5.6e12)


# clpeak --------------------------------------------------------------------------------------------------------------


def test_best_width_of_each_section_of_clpeak():
    gpu, cpu = machines("clpeak.txt")

    assert (gpu.device, gpu.tool) == ("Example GPU 70", "clpeak (Example OpenCL)")
    assert best(gpu.ceilings) == [
        ("fp32", 5.2e12), ("fp16", 10.4e12), ("fp64", 160e9), ("int32", 2.6e12), ("int8", 4e12),
    ]  # fmt: skip
    assert gpu.ceilings[0].origin == "Single-precision compute, float2"
    assert (cpu.device, best(cpu.ceilings), best(cpu.boundaries)) == (
        "Example CPU", [("fp32", 800e9)], [("dram", 40e9)],
    )  # fmt: skip


def test_transfers_of_clpeak_are_the_bus_and_mapped_memory_is_not():
    gpu, _ = machines("clpeak.txt")

    assert best(gpu.boundaries) == [("dram", 400e9), ("pcie", 11.5e9), ("pcie", 12.5e9)]
    assert [one.condition.partition(",")[0] for one in gpu.boundaries[1:]] == [
        "host to device",
        "device to host",
    ]
    assert any("4.50 µs" in note for note in gpu.notes)
    assert any("Fast 24bit" in note for note in gpu.notes)  # not a roof of the machine


def test_second_version_of_clpeak_has_backends_and_units():
    (machine,) = machines("clpeak_backends.txt")

    assert (machine.device, machine.tool) == ("Example GPU 90", "clpeak (CUDA)")
    assert best(machine.ceilings) == [
        ("fp16-tensor", 40.5e12), ("fp8-tensor", 81e12), ("int8-tensor", 82e12), ("fp32", 20e12),
    ]  # fmt: skip
    assert best(machine.boundaries) == [("dram", 410e9)]


def test_rates_of_clpeak_that_are_cut_off_are_not_taken(tmp_path):
    text = "Platform: P\n  Device: D\n    Global memory bandwidth (GBPS)\n      float   : 30.00\n      float2  : 4000"

    assert best(read_text(tmp_path, text).machines[0].boundaries) == [("dram", 30e9)]


# OpenCL-Benchmark ----------------------------------------------------------------------------------------------------


def test_box_of_opencl_benchmark():
    (machine,) = machines("opencl_benchmark.txt")

    assert machine.device == "Example GPU 70"
    assert best(machine.ceilings) == [("fp64", 190e9), ("fp32", 5.9e12), ("int32", 5.8e12), ("int8", 4.5e12)]
    # Accesses out of line and both directions at once are no slopes.
    assert best(machine.boundaries) == [("dram", 410e9), ("dram", 420e9), ("pcie", 12e9), ("pcie", 13e9)]


# gpu-benches ---------------------------------------------------------------------------------------------------------


def test_streams_at_their_best_occupancy():
    (machine,) = machines("gpu_stream.txt")

    rates = {one.origin: (one.best, one.condition) for one in machine.boundaries}
    assert {name: rate for name, (rate, _) in rates.items()} == {
        "init": 820e9, "read": 890e9, "scale": 800e9, "triad": 840e9, "3pt": 790e9, "5pt": 780e9,
    }  # fmt: skip
    assert rates["read"][1] == "best occupancy (100%), median of its runs"


def test_an_older_table_of_streams(tmp_path):
    text = (
        "    blocks     threads     %occ  |               init       sum1  sch_triad\n"
        "        1          128     0.08  |  GB/s:        37.4        3.0       10.2\n"
        "     1280       163840    100.0  |  GB/s:       834.1      878.9       84"
    )
    assert best(read_text(tmp_path, text).machines[0].boundaries)[:2] == [
        ("dram", 834.1e9),
        ("dram", 878.9e9),
    ]


def test_plateaus_of_the_caches():
    (each,) = machines("gpu_cache.txt")
    (shared,) = machines("gpu_l2_cache.txt")

    assert best(each.boundaries) == [("l1", 20e12), ("l2", 5.1e12)]
    assert each.boundaries[0].median == 20e12
    assert "1 KiB to 128 KiB" in each.boundaries[0].condition
    # 5.6 TB/s at 2 MiB still falls: the level inside serves a part of it.
    assert best(shared.boundaries) == [("l2", 5.05e12), ("dram", 1.02e12)]
    assert (shared.boundaries[1].median, shared.boundaries[1].low) == (1e12, 990e9)
    assert shared.boundaries[1].condition == "plateau, data sets of 128 MiB to 1024 MiB"


def rows(*pairs):
    head = "     data set   exec time     spread       Eff. bw\n"
    return head + "".join(
        f"       512 kB {size} kB         4ms       1.0%   {rate}.0 GB/s\n" for size, rate in pairs
    )


def test_a_plateau_between_is_left_out_with_a_word(tmp_path):
    pairs = [
        (size, rate)
        for rate, start in ((5000, 1024), (2000, 16384), (500, 262144))
        for size in (start, 2 * start, 4 * start)
    ]
    (machine,) = read_text(tmp_path, rows(*pairs)).machines

    assert best(machine.boundaries) == [("l2", 5e12), ("dram", 500e9)]
    assert machine.notes == (
        "Left out: 2.000 TB/s at data sets of 16 MiB to 64 MiB; it is not certain which level that is.",
    )


def test_a_curve_without_plateaus_is_answered(tmp_path):
    file = read_text(tmp_path, rows((1024, 5000), (2048, 3000), (4096, 1500)))

    assert file.machines == ()
    assert file.warnings[0].startswith("No plateau")


def test_one_flat_curve_up_to_large_sizes_is_not_certain(tmp_path):
    file = read_text(tmp_path, rows(*((1024 * 2**at, 900) for at in range(12))))

    assert file.machines == ()
    assert "not certain" in file.warnings[0]


def test_plateaus_need_three_sizes_over_a_factor_of_two():
    assert plateaus([]) == []
    assert plateaus([(1, 5), (2, 5)]) == []
    assert plateaus([(10, 5), (11, 5), (12, 5)]) == []
    (one,) = plateaus([(4, 5.0), (1, 5.1), (2, 4.9)])
    assert one == (1, 4, 5.1, 5.0, 4.9, 3)


def test_roofline_of_gpu_benches_tells_format_clock_and_devices():
    file = READER.read(FIXTURES / "gpu_roofline.txt")
    first, second = file.machines

    assert (first.device, second.device) == ("device 0", "device 1")
    assert best(first.ceilings) == [("fp64", 6.6e12)]  # 0.125 FLOP/byte at 0 iterations: numbers of 8 bytes
    assert best(first.boundaries) == [("dram", 900e9)]
    assert dict(first.clocks) == {"sm": 1.4e9}  # while the best rate was measured
    assert len(file.measurements) == 5
    assert file.measurements[2].intensity_dram == pytest.approx(6500 / 800)


def test_single_precision_of_the_roofline_is_told_by_its_intensity(tmp_path):
    text = (
        "0 1000 blocks     0 its      0.250 Fl/B       3700 GB/s       925 GF/s   1980 Mhz   572 W   57°C\n"
        "0 1000 blocks     8 its      2.250 Fl/B       3600 GB/s      8100 GF/s   1980 Mhz   572 W   57°C\n"
        "0 1000 blocks    16 its      9.999 Fl/B       3500 GB/s     99999 GF/s   1980 Mhz   572 W   57°C\n"
    )
    (machine,) = read_text(tmp_path, text).machines

    assert best(machine.ceilings) == [("fp32", 8.1e12)]  # the last row fits no format
    assert best(machine.boundaries) == [("dram", 3.7e12)]


def each(*pairs):
    head = "     data set   exec time     spread        Eff. bw       DRAM read\n"
    return head + "".join(f"  {size} kB   10ms   0.1%   {rate}.0 GB/s   0 GB/s\n" for size, rate in pairs)


def test_a_curve_that_rises_to_its_first_plateau_shows_the_inner_cache(tmp_path):
    inner = ((4, 5500), (8, 11000), (32, 13000), (64, 13600), (128, 13300))
    (machine,) = read_text(tmp_path, each(*inner, (256, 2300), (512, 2400), (1024, 2500))).machines

    assert best(machine.boundaries) == [("l1", 13.6e12), ("l2", 2.5e12)]


def test_a_curve_that_falls_to_its_first_plateau_does_not_show_the_inner_cache(tmp_path):
    falling = each((8, 13000), (16, 9000), (32, 5000), (64, 5000), (128, 5000))
    file = read_text(tmp_path, falling)

    assert file.machines == ()
    assert "not certain" in file.warnings[0]
