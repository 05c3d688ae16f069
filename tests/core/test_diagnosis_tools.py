"""Which tool a diagnosis sends to, and what it says of counters that a file has."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rooflinestudio.core.diagnosis.counters import COUNTERS
from rooflinestudio.core.diagnosis.tools import tool_for
from rooflinestudio.core.measurement import MeasurementFile
from rooflinestudio.core.measurement_overlay import Overlay, overlay_from_document, overlay_to_document
from tests.core.diagnosing import asked
from tests.core.test_diagnosis_questions import H100, OPEN, answer, measured

MI300 = replace(H100, id="amd-mi300x", name="AMD MI300X", vendor="AMD")
EPYC = replace(H100, id="amd-epyc", name="AMD EPYC", vendor="AMD", kind="cpu")
TPU = replace(H100, id="google-tpu", name="TPU", vendor="Google", kind="accelerator")


def overlay(kernel, form: str, counters: tuple[str, ...] = ()) -> Overlay:
    return Overlay.from_file(MeasurementFile("a.csv", form, (), (kernel,), "0" * 64, counters))


def asked_of(form: str, profile, counters: tuple[str, ...] = ()):
    """What question 2 says of a kernel whose traffic nobody counted."""
    kernel = measured(work={"fp32": 669e6})
    return answer("saturation", kernel, profile, overlay=overlay(kernel, form, counters))


@pytest.mark.parametrize(
    ("form", "profile", "collect", "command"),
    [
        ("ncu-csv-long", H100, "dram__bytes_read.sum",
         "ncu --kernel-name saxpy --metrics dram__bytes_read.sum,dram__bytes_write.sum -o report APP"),
        ("nvprof-metrics", H100, "dram_read_transactions",
         "nvprof --csv --kernels saxpy --metrics dram_read_transactions,dram_write_transactions --log-file report.csv "
         "APP"),
        ("rocprof-counters", MI300, "TCC_EA_RDREQ", "rocprof-compute profile -n report -k saxpy -- APP"),
        ("likwid", EPYC, "Memory data volume [GBytes]", "likwid-perfctr -C CORES -g MEM_SP -m -O APP > report.csv"),
        ("advisor-survey", EPYC, "self_dram_gb",
         "advisor --collect=roofline --enable-cache-simulation --project-dir=report -- APP && advisor --report survey "
         "--format=csv --show-all-columns --project-dir=report --report-output=report.csv"),
        # These count nothing themselves: the profiler of the machine does.
        ("pytorch-trace", H100, "dram__bytes_read.sum",
         "ncu --kernel-name saxpy --metrics dram__bytes_read.sum,dram__bytes_write.sum -o report APP"),
        ("pytorch-trace", MI300, "TCC_EA_RDREQ", "rocprof-compute profile -n report -k saxpy -- APP"),
        ("points-csv", EPYC, "Memory data volume [GBytes]", "likwid-perfctr -C CORES -g MEM_SP -m -O APP > report.csv"),
    ],
)  # fmt: skip
def test_the_command_is_that_of_the_tool_that_wrote_the_file(form, profile, collect, command):
    found = asked_of(form, profile)
    assert found.outcome == OPEN
    assert found.collect[0] == collect
    assert found.command == command


def test_a_machine_without_a_known_profiler_gets_no_command():
    found = asked_of("points-csv", TPU)
    assert (found.command, found.collect) == ("", ())
    assert "No profiler of this machine is read." in found.sentence


def test_what_a_tool_never_counts_is_said():
    kernel = measured(work={"fp32": 669e6}, dram=33.5e6)
    found = answer("parallelism", kernel, MI300, overlay=overlay(kernel, "rocprof-counters"))
    assert "rocprof-compute counts no warps active per SM" in found.sentence


def test_counters_that_the_file_has_are_not_asked_for():
    half = asked_of("ncu-csv-long", H100, ("gpu__time_duration.sum", "dram__bytes_read.sum"))
    assert half.collect == ("dram__bytes_write.sum",)
    assert "Of what is needed it has dram__bytes_read.sum alone." in half.sentence
    assert "dram__bytes_read.sum,dram__bytes_write.sum" in half.command  # the new file needs both
    whole = asked_of("ncu-csv-long", H100, ("dram__bytes_write.sum", "dram__bytes_read.sum"))
    assert "no value for this kernel that can be used" in whole.sentence
    assert whole.collect == ("dram__bytes_read.sum", "dram__bytes_write.sum")


def test_every_tool_knows_only_figures_that_a_diagnosis_asks_for():
    for form in ("ncu", "nvprof", "rocprof", "likwid", "advisor"):
        assert tool_for(form, H100).counters.keys() <= COUNTERS.keys()


def test_a_study_keeps_the_names_of_the_counters():
    counters = ("dram__bytes_read.sum", "Runtime (RDTSC) [s]")
    kept = overlay(measured(), "ncu-csv-long", counters)
    assert kept.counters == counters
    assert overlay_from_document(overlay_to_document(kept)).counters == counters
    assert kept.renamed("b").counters == counters
    assert "counters" not in overlay(measured(), "ncu-csv-long").meta()


def test_counters_go_with_the_rows_of_a_large_overlay(tmp_path):
    kept = overlay(measured(), "ncu-csv-long", ("a__b.sum", "c__d.avg"))
    kept.write_rows(tmp_path / "rows.csv.gz")
    assert Overlay.read_rows(tmp_path / "rows.csv.gz").counters == ("a__b.sum", "c__d.avg")


@pytest.mark.parametrize(
    ("cc", "name"), [("9.0", "dram__bytes_read.sum"), ("12.0", "dram__bytes_op_read.sum")]
)
def test_the_command_names_the_counters_that_the_chip_has(cc, name) -> None:
    command = asked(measured(work={"fp32": 2e9}, compute_capability=cc)).command
    assert command is not None and name in command
