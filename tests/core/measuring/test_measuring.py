"""Measuring the machine: what is planned, how bytes are counted, what becomes of the runs."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from statistics import median

import pytest

from rooflinestudio.core.measurement import MeasurementCancelled, MeasurementError
from rooflinestudio.core.measuring import running
from rooflinestudio.core.measuring.host import Cache, Host, this_host
from rooflinestudio.core.measuring.result import Circumstances, boundary_of_size, machine_of, profile_of
from rooflinestudio.core.measuring.running import Outcome, Runs, run_plan
from rooflinestudio.core.measuring.trials import Trial, plan
from rooflinestudio.core.profile_files import dump_profile, load_profile

KI, MI, GI = 2**10, 2**20, 2**30
HOST = Host(
    "lab-3", "Acme Ten", 4,
    {"l1": Cache(32 * KI, 4), "l2": Cache(MI, 4), "l3": Cache(16 * MI, 1)},
    64 * GI, "Linux 6",
)  # fmt: skip
AROUND = Circumstances("2026-11-30", 2.5e9, 0.1)


def runs(kind, size, *seconds, threads=1, dtype="float64"):
    trial = Trial(kind, threads, size, dtype)
    return trial.key, Runs(trial, seconds)


# The plan -----------------------------------------------------------------------------------------------------------


def test_working_sets_double_from_256_kib_to_sixteen_times_the_last_cache():
    trials = plan(HOST)
    sizes = sorted({one.size for one in trials if one.kind == "add"})
    assert sizes[0] == 256 * KI
    assert sizes[-1] == 256 * MI  # 16 x 16 MiB
    assert all(b == 2 * a for a, b in pairwise(sizes))
    assert {one.threads for one in trials} == {1, 4}
    assert {one.dtype for one in trials if one.kind == "gemm"} == {"float32", "float64"}
    assert len({one.key for one in trials}) == len(trials)


def test_a_small_memory_and_one_core_make_a_smaller_plan():
    trials = plan(Host("x", "y", 1, HOST.caches, 512 * MI))
    assert max(one.size for one in trials if one.kind == "copy") == 64 * MI  # an eighth of the memory
    assert {one.threads for one in trials} == {1}


def test_bytes_are_counted_with_the_line_that_is_read_before_it_is_written():
    # Two arrays of 500 B: 500 read, 500 read before they are written, 500 written back.
    assert Trial("copy", 1, 1000).amount == 1500
    # Three arrays of 300 B: two read, one read before it is written, one written back.
    assert Trial("add", 1, 900).amount == 1200
    assert Trial("gemm", 1, 100).amount == 2e6  # 2 n^3


# Where a working set is served from -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "threads", "place"),
    [
        (16 * KI, 1, "l1"),
        (256 * KI, 1, "l2"),
        (768 * KI, 1, "l2"),
        (MI, 1, None),  # fills the cache to the last line
        (2 * MI, 1, "l3"),
        (12 * MI, 1, "l3"),
        (16 * MI, 1, None),
        (64 * MI, 1, None),  # a quarter of it may still be in the cache
        (128 * MI, 1, "dram"),
        (2 * MI, 4, "l2"),  # four caches of 1 MiB
        (4 * MI, 4, None),
        (8 * MI, 4, "l3"),
        (128 * MI, 4, "dram"),
    ],
)
def test_a_working_set_belongs_to_the_cache_that_holds_it(size, threads, place):
    assert boundary_of_size(size, HOST, threads) == place


@pytest.mark.parametrize(("size", "place"), [(256 * KI, "l2"), (8 * MI, None), (128 * MI, "dram")])
def test_without_word_of_caches_only_the_ends_are_told(size, place):
    assert boundary_of_size(size, Host("x", "y", 2), 1) == place


# What becomes of the runs ---------------------------------------------------------------------------------------------


def outcome():
    return Outcome(
        dict((
            runs("copy", 256 * KI, 4e-6, 5e-6, 8e-6),
            runs("add", 256 * KI, 2e-6, 4e-6, 5e-6),
            runs("copy", 128 * MI, 10e-3, 20e-3, 40e-3),
            runs("gemm", 1000, 0.02, 0.03, 0.05, dtype="float32"),
            runs("gemm", 1000, 0.04, 0.04, 0.04, dtype="float64"),
            runs("gemm", 1000, 1.0, threads=4, dtype="float32"),
        )),
        3,
        1.0,
    )  # fmt: skip


def test_a_rate_is_the_best_run_of_the_best_kernel_with_its_own_median():
    machine = machine_of(outcome(), HOST, 1, AROUND)
    fp32, fp64 = machine.ceilings
    # 2e9 FLOP in 20 ms are 100 GFLOP/s, in 30 ms (the middle run) 66.7, in 50 ms 40.
    assert (fp32.id, fp32.best, fp32.median, fp32.low) == (
        "fp32", pytest.approx(100e9), pytest.approx(2e9 / 0.03), pytest.approx(40e9),
    )  # fmt: skip
    assert (fp64.id, fp64.best, fp64.samples) == ("fp64", pytest.approx(50e9), 3)
    l2, dram = machine.boundaries
    # add moves 4/3 of 256 KiB in 2 us: 174.8 GB/s; the best copy 3/2 of it in 4 us: 98.3 GB/s.
    assert (l2.id, l2.origin, l2.best) == ("l2", "add", pytest.approx(4 / 3 * 262144 / 2e-6))
    # 3/2 of 128 MiB in 10 ms: 20.1 GB/s.
    assert (dram.id, dram.best) == ("dram", pytest.approx(1.5 * 134217728 / 10e-3))


def test_all_cores_reach_what_one_thread_reaches_and_it_says_so():
    made = outcome()
    for key, one in (
        runs("copy", 128 * MI, 20e-3, 30e-3, threads=4),
        runs("copy", 2 * MI, 1e-6, 2e-6, threads=4),
    ):
        made.runs[key] = one
    machine = machine_of(made, HOST, 4, AROUND)

    # Four threads took a second for the product, one of them 20 ms; 128 MiB took them 20 ms, one of them 10.
    (fp32,), (l2, dram) = machine.ceilings, machine.boundaries
    assert (fp32.best, dram.best) == (pytest.approx(100e9), pytest.approx(1.5 * 134217728 / 10e-3))
    assert ", 1 thread," in fp32.condition and ", 1 thread," in dram.condition
    assert l2.best == pytest.approx(1.5 * 2097152 / 1e-6)
    assert ", 4 threads," in l2.condition
    alone = machine_of(made, HOST, 1, AROUND)
    assert alone.boundaries[0].best < l2.best  # but never the other way round


def test_the_profile_says_how_it_was_measured_and_reads_back():
    profile = profile_of(machine_of(outcome(), HOST, 1, AROUND), HOST, 1)
    assert profile.id == "measured-lab-3-1-thread"
    assert profile.kind == "cpu"
    fp32 = profile.ceilings["fp32"].figure
    assert (fp32.value, fp32.provenance, fp32.date) == (100e9, "measured", "2026-11-30")
    assert fp32.source == "rooflinestudio measure on lab-3"
    assert "product of 1000" in fp32.condition
    assert "2.50 GHz" in fp32.condition
    # The runs lie between 40 and 100 GFLOP/s, 90% of the median of 66.7 apart.
    assert "median 66.7 GFLOP/s, runs within 90%" in fp32.note
    l2, dram = profile.boundary("l2"), profile.boundary("dram")
    assert (l2.approximate, l2.capacity.value) == (True, MI)
    assert l2.bandwidth.note.endswith("a share of the time.")
    assert not dram.approximate
    assert any("write-allocate" in one for one in profile.notes)
    assert any("Runs lie far apart (fp32, l2, dram)" in one for one in profile.notes)
    assert profile.clocks["profiled"].value == 2.5e9
    assert load_profile(dump_profile(profile)) == profile


def test_without_a_large_working_set_or_a_product_there_is_no_roof():
    with pytest.raises(MeasurementError, match="4 thread"):
        machine_of(outcome(), HOST, 4, AROUND)


# Real runs ------------------------------------------------------------------------------------------------------------

SMALL = (Trial("copy", 1, 256 * KI), Trial("add", 2, 256 * KI), Trial("gemm", 1, 64, "float32"))


def test_a_small_plan_runs_in_processes_of_its_own():
    shares = []
    found = run_plan(SMALL, lambda share: not shares.append(share), rounds=2)
    assert found.rounds == 2
    assert set(found.runs) == {one.key for one in SMALL}
    for one in found.runs.values():
        assert len(one.seconds) == 2
        assert one.low <= one.median <= one.best
        assert one.median == pytest.approx(one.trial.amount / median(one.seconds))
        assert 1e6 < one.best < 1e14
    assert shares == sorted(shares)
    assert shares[0] == 0


def test_cancelling_ends_the_processes(monkeypatch):
    made = []
    start = running._Worker.__init__

    def remember(self, threads):
        start(self, threads)
        made.append(self._process)

    monkeypatch.setattr(running._Worker, "__init__", remember)
    with pytest.raises(MeasurementCancelled):
        run_plan(SMALL, lambda share: share < 0.4, rounds=1)
    assert len(made) == 2
    assert all(one.poll() is not None for one in made)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of a terminal go to its group")
def test_an_interrupt_in_the_terminal_ends_it_without_a_word_of_the_processes():
    lines = (
        "import os, signal, sys",
        "from rooflinestudio.core.measuring.running import run_plan",
        "from rooflinestudio.core.measuring.trials import Trial",
        "def told(share):",
        "    if share > 0: os.killpg(0, signal.SIGINT)",
        "    return True",
        "try: run_plan([Trial('copy', 1, 2**18), Trial('copy', 1, 2**22)], told)",
        "except KeyboardInterrupt: sys.exit(7)",
    )
    run = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        capture_output=True, text=True, timeout=60, start_new_session=True, check=False,
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (7, "")


def test_a_working_set_beyond_the_memory_is_left_out_with_a_word():
    huge = Trial("add", 1, 2**55)
    found = run_plan((SMALL[0], huge), rounds=1)
    assert set(found.runs) == {SMALL[0].key}
    assert huge.key in found.notes[0]


def test_a_worker_that_dies_is_told(monkeypatch):
    class Gone(running._Worker):
        def __init__(self, threads):
            super().__init__(threads)
            self._process.kill()
            self._process.wait()

    monkeypatch.setattr(running, "_Worker", Gone)
    with pytest.raises(MeasurementError, match="Nothing was written"):
        run_plan(SMALL[:1], rounds=1)


def test_this_host_says_what_it_is():
    host = this_host()
    assert host.cores >= 1
    assert host.processor
    assert list(host.caches) == [key for key in ("l1", "l2", "l3") if key in host.caches]
