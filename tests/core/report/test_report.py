"""What a report says of a study: figures, provenance, verdicts, pairs, and what is missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rooflinestudio.core.measurement import MeasurementFile
from rooflinestudio.core.measurement_overlay import Overlay
from rooflinestudio.core.report.measured import MOST_PAIRS
from rooflinestudio.core.report.unpaired import MOST_KERNELS
from rooflinestudio.core.study import Chain, Entry
from rooflinestudio.core.wording import CANNOT_SEE
from tests.core.diagnosing import measured
from tests.core.profiles import H100
from tests.core.report.paper import (
    NAME,
    all_texts,
    entry,
    held_kernel,
    kernels,
    measured_peak,
    report,
    rows,
    study,
    table,
    with_kernels,
)
from tests.support import machine
from tests.ui.shell_helpers import registry

THIN = "\u202f"


def facts(made, section):
    (found,) = made.section(section).blocks
    return dict(found.items)


def test_it_says_of_what_when_and_with_what_it_was_made():
    made, _ = report(study(entry()))
    assert (made.title, made.made.split(" ")[0]) == ("Mine & <yours>", "2026-05-04")
    assert made.made_with.startswith("Roofline Studio ")
    assert facts(made, "study") == {
        "Machines": "acme-one 80 GB",
        "Traffic counted at": "HBM, compulsory",
        "Model": "pure bound",
        "Placed": "1 entry",
    }


def test_a_placement_has_the_figures_that_follow_from_the_machine():
    made, _ = report(study(entry()))
    (row,) = rows(made, "placements")
    # 4 GB at 2 TB/s are 2 ms; 10 GFLOP in 2 ms are 5 TFLOP/s, a tenth of 50.
    assert row == {
        "Entry": "Copy",
        "Machine": NAME,
        "Set up, or what differs": f"copy elements = 1{THIN}000{THIN}000{THIN}000, flop = 10, bf16",
        "Q at": "HBM",
        "W": "10.00 GFLOP",
        "Q": "4.000 GB",
        "I, FLOP/byte": "2.50",
        "Attainable": "5.00 TFLOP/s",
        "Time": "2.000 ms",
        "Of peak": "10%",
        "Bound": "memory at HBM",
    }
    verdict = facts(made, "verdicts")[f"Copy on {NAME}"]
    # The ridge of fp32 is 50 / 2 = 25 FLOP/byte.
    assert verdict.startswith("Memory-bound at HBM, compulsory: 10.0× short of the ridge.")
    assert verdict.endswith("Judged against published roofs.")


def test_what_is_counted_otherwise_says_so_in_its_row():
    made, _ = report(
        study(entry(), entry("two", policy="tiled", label="Blocked"), entry("three", boundary="l2"))
    )
    assert [row["Q at"] for row in rows(made, "placements")] == ["HBM", "HBM, tiled", "L2"]


def test_a_variant_tells_what_differs_and_its_ratios():
    large = entry("copy-2", parameters={"elements": 2e9}, variant_of="copy-1", label="Copy: large")
    made, _ = report(study(entry(), large))
    assert rows(made, "placements")[1]["Set up, or what differs"] == (
        f"as Copy, but elements 2{THIN}000{THIN}000{THIN}000"
    )
    (row,) = rows(made, "variants")
    assert (row["Held against"], row["Time"], row["Q"], row["I"], row["W"]) == (
        f"Copy on {NAME}",
        "2.00× slower",
        "2.00× more",
        "1.00×",
        "2.00× more",
    )


def test_rows_without_figures_stand_apart_with_their_reasons():
    made, _ = report(
        study(entry(), Entry("x", "acme.gone", label="Gone"), entry("c", ceiling="nope", label="Off"))
    )
    assert len(rows(made, "placements")) == 1
    gone, off = rows(made, "refused")
    assert (gone["Entry"], gone["State"]) == ("Gone", "unavailable") and "acme.gone" in gone["Reason"]
    assert off["State"] == "refused" and "no ceiling 'nope'" in off["Reason"]
    assert facts(made, "study")["Placed"] == "3 entries, 2 rows without figures"


def test_a_machine_that_is_nowhere_to_be_found_is_a_row_with_its_reason():
    made, _ = report(replace(study(entry(machines=("gone-1",))), profiles={}))
    (row,) = rows(made, "refused")
    assert row["Machine"] == "gone-1" and "no profile of that id" in row["Reason"]


def test_the_figures_of_a_machine_that_were_used_have_their_provenance_and_source():
    made, _ = report(study(entry()))
    found = {row["Figure"]: row for row in rows(made, f"machine-{NAME}")}
    # fp32 is what the copy runs on, bf16 the roof that is drawn; L2, NVLink, fp8 and special were not used.
    assert list(found) == ["bf16 tensor", "fp32", "HBM bandwidth", "HBM capacity"]
    assert found["HBM bandwidth"]["In use"] == "2.000 TB/s"
    assert (found["fp32"]["Provenance"], found["fp32"]["Also known"]) == ("published", "–")
    assert found["fp32"]["Sources"] == "1" and facts(made, "sources") == {"1": "made up for tests"}
    assert table(made, f"machine-{NAME}").note.startswith("4 more ceilings and boundaries")
    assert ("Ridge of bf16 tensor", "500 at HBM (FLOP/byte)") in made.section(f"machine-{NAME}").blocks[
        0
    ].items


def test_a_measured_ceiling_in_use_stands_beside_the_published_one():
    made, _ = report(study(entry(), profiles=(measured_peak(machine(NAME)),)))
    row = next(one for one in rows(made, f"machine-{NAME}") if one["Figure"] == "bf16 tensor")
    assert (row["In use"], row["Provenance"]) == ("800.0 TFLOP/s", "measured, high confidence")
    assert row["Also known"] == "1.000 PFLOP/s published, not in use (measured is 80.0% of published)"
    assert (row["Condition and notes"], row["Date"]) == ("best of seven", "2026-02-03")
    told = facts(made, "sources")
    assert [told[number] for number in row["Sources"].split(", ")] == ["own benchmark", "made up for tests"]


def test_a_forecast_also_rests_on_latency_launches_and_multiprocessors():
    made, _ = report(study(entry(), forecast=True))
    found = {row["Figure"]: row["In use"] for row in rows(made, f"machine-{NAME}")}
    assert (found["HBM latency"], found["launch overhead"]) == ("500.0 ns", "3.000 µs")
    assert found["multiprocessors"] == "100" and facts(made, "study")["Model"] == "forecast"


def test_several_machines_are_held_against_the_first():
    made, _ = report(study(entry(), profiles=(machine(NAME), machine("acme-two", peak=500e12, hbm=4e12))))
    found = {row["Figure"]: row["acme-two"] for row in rows(made, "machines-apart")}
    assert found == {
        "bf16 tensor": "500 TFLOP/s (÷2.00)",
        "HBM bandwidth": "4.00 TB/s (×2.00)",
        "ridge at HBM": "125 FLOP/byte (÷4.00)",
    }
    assert [row["Time"] for row in rows(made, "placements")] == ["2.000 ms", "1.000 ms"]


def test_a_composite_is_taken_apart_by_time():
    made, _ = report(study(Entry("layer-1", "layer", label="Layer")))
    section = f"parts-layer-1-{NAME}"
    told = made.section(section).blocks[0].text
    # 1 ms for the norm and 3 · 1 ms for the products; 3 TFLOP in 4 ms of 1 PFLOP/s.
    assert told == "4.000 ms in all, 75% of bf16-tensor (MFU). Time by bound: 75% compute, 25% memory."
    norm, product, both = rows(made, section)
    assert (norm["Time"], norm["Share"], norm["Bound"]) == ("1.000 ms", "25%", "memory at HBM")
    assert (product["Runs"], product["W"], product["Share"]) == ("3", "3.000 TFLOP", "75%")
    assert (both["Kernel"], both["Q"], both["Time"]) == ("Together", "2.600 GB", "4.000 ms")


def test_a_chain_is_told_as_drawn_beside_split_and_fused():
    # Tensors of 65 536 · 8 192 in bf16 have 1.074 GB: 3 + 2 + 2 of them split, 3 + 2 as drawn, 3 fused.
    chain = Entry("c", "chain:chain-1", parameters={"tokens": 65536, "width": 8192}, label="Norms")
    made = study(chain, profiles=(H100,)).with_chain(Chain("chain-1", ("add", "rmsnorm", "silu"), (1,)))
    found, _ = report(made, given=registry())
    section = f"chain-c-{H100.id}"
    stages = rows(found, section)
    assert [row["Kernels"] for row in stages] == ["3", "2", "1"]
    assert [row["Q"] for row in stages] == ["7.516 GB", "5.369 GB", "3.221 GB"]
    assert [row["Speed-up over split"] for row in stages] == ["1.00×", "1.40×", "2.33×"]
    assert [row["Kernel as drawn"] for row in rows(found, section, 1)] == ["add + rmsnorm", "silu"]
    assert not found.has("parts")  # a chain is no budget


def test_a_pair_has_the_ratios_of_time_of_traffic_and_of_headroom():
    made, _ = report(with_kernels(study(entry()), held_kernel(), pairs=[(0, "copy-1")]))
    (row,) = rows(made, "pairs")
    # At 2 FLOP/byte 4 TFLOP/s are attainable, and 3.333 were achieved.
    assert row == {
        "Kernel": "copy, launch 0",
        "Held against": f"Copy on {NAME}",
        "Time": "3.000 ms",
        "Time to predicted": "1.50× slower than the bound",
        "Q": "5.000 GB",
        "Q to predicted": "1.25×",
        "Headroom": "1.20×",
        "Headroom to predicted": "1.20×",
        "W": "10.00 GFLOP",
    }
    (told,) = facts(made, "diagnosis").values()
    assert told.startswith("Memory-bound at HBM, measured: 1.20× to the roof where it stands, 1.50× slower")
    assert "W from fp32 counted." in told and told.endswith("Machine: acme-one 80 GB.")
    assert not made.has("unpaired")


def test_work_that_no_counter_saw_says_from_which_operator_it_is():
    made, _ = report(with_kernels(study(entry()), held_kernel(work={}), pairs=[(0, "copy-1")]))
    (row,) = rows(made, "pairs")
    assert row["W"] == "10.00 GFLOP*"
    (told,) = facts(made, "diagnosis").values()
    assert "W from copy elements = 1e+09, flop = 10" in told and "no arithmetic was counted" in told


def test_a_kernel_whose_entry_is_not_placed_keeps_its_own_figures():
    gone = Entry("x", "acme.gone", label="Gone")
    made, _ = report(with_kernels(study(gone), held_kernel(), pairs=[(0, "x")]))
    (row,) = rows(made, "pairs")
    assert (row["Held against"], row["Time"], row["Q"], row["Q to predicted"]) == (
        "Gone",
        "3.000 ms",
        "5.000 GB",
        "–",
    )
    assert "Gone is not placed." in next(iter(facts(made, "diagnosis").values()))


def test_a_kernel_is_held_against_the_machine_that_its_file_names():
    two = replace(machine("acme-z9000"), name="Acme Z9000")
    made, _ = report(
        with_kernels(
            study(entry(), profiles=(machine(NAME), two)),
            held_kernel(device="Acme Z9000"),
            pairs=[(0, "copy-1")],
        )
    )
    assert rows(made, "pairs")[0]["Held against"] == "Copy on acme-z9000"


def test_the_others_are_told_by_name_the_longest_first_and_hidden_ones_are_counted():
    found = [
        held_kernel(0),
        measured(launch=1, kernel="short", time=1e-3, dram=1e9),
        measured(launch=2, kernel="twice", time=2e-3, dram=1e9),
        measured(launch=3, kernel="twice", time=2e-3, dram=1e9),
        measured(launch=4, kernel="hidden", time=9e-3),
    ]
    made = with_kernels(study(entry()), *found, pairs=[(0, "copy-1")])
    made = made.with_panel("measured", {"hidden": {made.overlays[0].digest: "4"}})
    told, _ = report(made)
    assert [(row["Kernel"], row["Launches"], row["Σ time"]) for row in rows(told, "unpaired")] == [
        ("twice", "2", "4.000 ms"),
        ("short", "1", "1.000 ms"),
    ]
    assert table(told, "unpaired").note == "Left out: 1 kernel that the study hides."


def test_of_a_thousand_kernels_only_those_that_matter_are_listed_and_the_rest_is_counted():
    # Kernel n takes n + 1 µs: 976 to 1 000 µs are listed, 1 + … + 975 µs = 475.8 ms are not.
    found = [measured(launch=n, kernel=f"k{n}", time=(n + 1) * 1e-6, dram=1e6) for n in range(1000)]
    made, _ = report(with_kernels(study(entry()), *found))
    listed = rows(made, "unpaired")
    assert len(listed) == MOST_KERNELS == 25
    assert (listed[0]["Kernel"], listed[-1]["Kernel"]) == ("k999", "k975")
    assert table(made, "unpaired").note == "975 kernels more with 475.8 ms in all."
    assert rows(made, "measured")[0]["Kernels"] == f"1{THIN}000"


def test_of_very_many_pairs_the_longest_are_told():
    found = [held_kernel(n, time=(n + 1) * 1e-3) for n in range(MOST_PAIRS + 7)]
    pairs = [(n, "copy-1") for n in range(MOST_PAIRS + 7)]
    made, _ = report(with_kernels(study(entry()), *found, pairs=pairs))
    assert len(rows(made, "pairs")) == MOST_PAIRS
    assert rows(made, "pairs")[0]["Kernel"] == f"copy, launch {MOST_PAIRS + 6}"
    assert table(made, "pairs").note.endswith("Left out: 7 pairs more, of shorter kernels.")


def test_two_files_are_held_against_each_other_the_largest_change_first():
    before = [measured(launch=0, kernel="a", time=4e-3), measured(launch=1, kernel="b", time=1e-3)]
    after = [measured(launch=0, kernel="a", time=2e-3), measured(launch=1, kernel="new", time=0.5e-3)]
    files = (
        kernels(*before, name="old.csv"),
        Overlay.from_file(MeasurementFile("new.csv", "x", (), tuple(after), "e" * 64)),
    )
    made, _ = report(replace(study(entry()), overlays=files))
    told = made.section("before-after").blocks[0].text
    # 5 ms before, 2.5 ms after.
    assert told.startswith(
        "Before: old.csv. After: new.csv. 1 matched · 1 new · 1 gone. Σt 5.00 ms to 2.50 ms: 2.00×"
    )
    listed = [(row["Kernel"], row["Change"], row["Time"], row["Saved"]) for row in rows(made, "before-after")]
    assert listed == [
        ("a", "matched", "2.00× faster", "2.00 ms"),
        ("b", "gone", "–", "1.00 ms"),
        ("new", "new", "–", "\u2212500 µs"),
    ]
    assert not report(with_kernels(study(entry()), held_kernel()))[0].has("before-after")


def test_a_remark_stands_once_with_all_that_it_is_about():
    made, _ = report(
        study(entry(policy="tiled"), entry("two", policy="tiled", label="Other"), entry("c", label="C"))
    )
    notes = {text: whom for whom, text in made.section("remarks-notes").blocks[0].items}
    assert notes["A model, not a bound: it rests on a tile."] == "Copy, Other"
    assert CANNOT_SEE not in notes
    (unseen,) = made.section("unseen").blocks
    assert unseen.text == CANNOT_SEE


def test_the_notes_of_the_user_are_in_it_as_written():
    made, _ = report(replace(study(entry()), notes="First.\n\n  second  \n"))
    (own,) = made.section("notes").blocks
    assert (own.text, own.role) == ("First.\n\n  second", "own")


def test_an_empty_study_still_gives_a_report():
    made, _ = report(replace(study(), profiles={}, view=replace(study().view, machines=())))
    assert [one.id for one in made.sections] == ["study", "placements", "unseen", "machines"]
    assert "Nothing is placed." in list(all_texts(made)) and "No machine is in view." in list(all_texts(made))


def test_ids_of_sections_are_unique_and_an_unknown_one_is_named():
    made, _ = report(with_kernels(study(entry(), Entry("l", "layer")), held_kernel(), pairs=[(0, "copy-1")]))
    ids = [one.id for one in made.all_sections()]
    assert len(set(ids)) == len(ids)
    with pytest.raises(KeyError, match="no section 'nothing'"):
        made.section("nothing")
