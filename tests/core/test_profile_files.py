from __future__ import annotations

import datetime
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.errors import ProfileError
from rooflinestudio.core.hardware import BOUNDARY_ORDER, Boundary, ComputeCeiling, Figure, HardwareProfile
from rooflinestudio.core.profile_files import (
    dump_profile,
    find_profile,
    load_profile,
    profile_from_document,
    profile_index,
    profile_to_document,
    shipped_profiles,
)

GOOD = """\
format: rooflinestudio-profile/1
id: acme-one
name: Acme One 80 GB
short_name: One
vendor: Acme
architecture: A1
year: 2026
reference_ceiling: bf16-tensor

sms: {value: 100, provenance: published, source: sheet}
clocks:
  boost: {value: 1.5 GHz, provenance: published, source: [sheet, paper]}
launch_overhead: {value: 3 µs, provenance: assumed}
shared_bytes_per_sm: {value: 228 KiB, provenance: published}
matrix_tile: {tile_m: 128, tile_n: 256}

ceilings:
  bf16-tensor:
    value: 800 TFLOP/s
    provenance: published
    condition: dense
    source: [sheet, paper]
    date: 2026-11-29
    note: Half of the sparse figure.
  int8-tensor: {value: 1600 TOP/s, provenance: published, date: 2026}
  fp32: {value: 60e12, provenance: derived, source: SMs × lanes × 2 × clock}

boundaries:
  network: {label: Ethernet, bandwidth: {value: 400 Gbit/s, provenance: published}}
  dram:
    label: HBM3
    bandwidth: {value: 2 TB/s, provenance: published, source: sheet}
    capacity: {value: 80 GB, provenance: published}
    latency: {value: 600 ns, provenance: measured, date: 2026-10}
    slopes:
      gather: {value: 250 GB/s, provenance: assumed}
  register:
    label: registers
    bandwidth: {value: 300 TB/s, provenance: assumed}
    approximate: true
    feeds_matrix: false

sources:
  sheet: {title: Acme One data sheet, address: https://acme.example/one_(rev3).pdf}
  paper: Measuring Acme One
notes:
- Made up for tests.
"""


def faults_in(text, name="one.yaml"):
    with pytest.raises(ProfileError) as refused:
        load_profile(text, name=name)
    assert all(fault in str(refused.value) for fault in refused.value.faults)
    assert refused.value.faults
    return refused.value.faults


def changed(old, new):
    assert GOOD.count(old) == 1, f"{GOOD.count(old)} places hold {old!r}"
    return GOOD.replace(old, new)


# ------------------------------------------------------------------------------------------- reading


def test_a_profile_is_read_in_base_units():
    profile = load_profile(GOOD)

    assert (profile.id, profile.name, profile.short_name) == ("acme-one", "Acme One 80 GB", "One")
    assert (profile.vendor, profile.architecture, profile.year, profile.kind) == ("Acme", "A1", 2026, "gpu")
    assert profile.ceiling("bf16-tensor").flop_per_s == 800e12
    assert profile.ceiling("int8-tensor").flop_per_s == 1600e12
    assert profile.ceiling("fp32").flop_per_s == 60e12
    assert profile.ridge() == 400
    assert profile.boundary("network").bytes_per_s == 50e9
    assert profile.sms.value == 100
    assert profile.clocks["boost"].value == 1.5e9
    assert profile.launch_overhead.value == 3e-6
    assert profile.shared_bytes_per_sm.value == 228 * 1024
    assert profile.registers_per_sm is None
    assert profile.matrix_tile == {"tile_m": 128, "tile_n": 256}
    dram = profile.boundary("dram")
    assert (dram.label, dram.capacity.value, dram.latency.value) == ("HBM3", 80e9, 600e-9)
    assert dram.slopes["gather"].value == 250e9
    register = profile.boundary("register")
    assert (register.approximate, register.feeds_matrix) == (True, False)
    assert (dram.approximate, dram.feeds_matrix) == (False, True)
    assert profile.notes == ("Made up for tests.",)


def test_boundaries_come_from_the_innermost_outward_however_they_are_written():
    assert list(load_profile(GOOD).boundaries) == ["register", "dram", "network"]


def test_figures_keep_their_provenance():
    figure = load_profile(GOOD).ceiling("bf16-tensor").figure

    assert figure == Figure(
        800e12, "published", "dense", "Acme One data sheet; Measuring Acme One", "2026-11-29", "Half of the sparse figure."
    )


def test_sources_are_shown_by_their_titles_and_free_text_as_it_stands():
    profile = load_profile(GOOD)

    assert profile.sms.source == "Acme One data sheet"
    assert profile.ceiling("fp32").figure.source == "SMs × lanes × 2 × clock"
    assert profile.sources["sheet"] == "Acme One data sheet (https://acme.example/one_(rev3).pdf)"
    assert profile.sources["paper"] == "Measuring Acme One"


def test_a_profile_is_read_from_a_file(tmp_path):
    path = tmp_path / "one.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())

    assert load_profile(path) == load_profile(str(path)) == load_profile(GOOD)


def test_dates_and_empty_keys_of_other_yaml_readers_are_understood():
    document = yaml.safe_load(GOOD.replace("notes:\n- Made up for tests.\n", "notes:\n"))
    assert document["ceilings"]["bf16-tensor"]["date"] == datetime.date(2026, 11, 29)

    profile = profile_from_document(document, file="a study")

    assert profile.ceiling("bf16-tensor").figure.date == "2026-11-29"
    assert replace(profile, notes=("Made up for tests.",)) == load_profile(GOOD)


# -------------------------------------------------------------------------------------------- faults


def test_a_profile_with_five_faults_names_all_five():
    text = (
        changed("    bandwidth: {value: 2 TB/s", "    bandwith: {value: 2 TB/s")
        .replace("{value: 400 Gbit/s,", "{value: 400 Gb/s,")
        .replace("{value: 1600 TOP/s, provenance: published,", "{value: 1600 TOP/s,")
        .replace("{value: 300 TB/s,", "{value: -300 TB/s,")
        .replace("reference_ceiling: bf16-tensor", "reference_ceiling: bf16-tenser")
    )

    faults = faults_in(text)

    assert [fault.split(": ")[1].split(" ")[0] for fault in faults] == [
        "reference_ceiling",
        "ceilings.int8-tensor.provenance",
        "boundaries.network.bandwidth.value",
        "boundaries.dram.bandwidth",  # the misspelt key leaves the right one missing
        "boundaries.dram.bandwith",
        "boundaries.register.bandwidth.value",
    ]
    said = "\n".join(faults)
    for words in (
        "one.yaml, line 8: reference_ceiling is 'bf16-tenser', but there is no such ceiling. Did you mean 'bf16-tensor'?",
        "line 26: ceilings.int8-tensor.provenance is missing. Say where the figure comes from: published, derived,",
        "'400 Gb/s' is ambiguous: b is read as bits and as bytes. Write '400 Gbit/s' (= 50 GB/s) or '400 GB/s'.",
        "line 33: boundaries.dram.bandwith is an unknown key. Did you mean 'bandwidth'?",
        "'-300 TB/s', but must be above zero and finite",
    ):
        assert words in said


BROKEN = {
    "unknown top-level key": ("year: 2026", "yaer: 2026", ["yaer is an unknown key. Did you mean 'year'?"]),
    "unknown key without a near one": ("sms: {value: 100,", "sms: {zzz: 1, value: 100,", ["sms.zzz", "Choose one of value"]),
    "wrong unit": ("value: 80 GB", "value: 80 GHz", ["boundaries.dram.capacity.value", "cannot read the unit 'GHz'"]),
    "number without a number": ("value: 80 GB", "value: lots", ["'lots' does not start with a number"]),
    "boolean for a number": ("value: 60e12", "value: true", ["ceilings.fp32.value is true, but must be a number"]),
    "list for a number": ("value: 60e12", "value: [1]", ["ceilings.fp32.value is a list"]),
    "zero": ("value: 80 GB", "value: 0 GB", ["is zero. Leave the figure out where nothing is known."]),
    "infinity": ("value: 60e12", "value: .inf", ["must be above zero and finite"]),
    "not a number": ("value: 60e12", "value: .nan", ["must be above zero and finite"]),
    "half a multiprocessor": ("value: 100,", "value: 12.5,", ["sms.value is 12.5, but a count is a whole number"]),
    "missing value": ("value: 100,", "", ["sms.value is missing. Write it with its unit, such as '132'."]),
    "empty value": ("value: 100,", "value: ,", ["sms.value is missing."]),
    "provenance made up": ("provenance: derived", "provenance: guessed", ["is 'guessed'. Choose one of published,"]),
    "provenance misspelt": ("provenance: derived", "provenance: derivd", ["Did you mean 'derived'?"]),
    "figure without provenance": (
        "sms: {value: 100, provenance: published, source: sheet}", "sms: 100",
        ["sms is 100, without provenance. Write '{value: 100, provenance: …}'."],
    ),
    "unknown boundary": ("  dram:", "  hbm:", ["boundaries.hbm is not known here", "dram"]),
    "misspelt boundary": ("  network:", "  netwrk:", ["boundaries.netwrk", "Did you mean 'network'?"]),
    "unknown slope": ("      gather:", "      gathr:", ["slopes.gathr", "Did you mean 'gather'?"]),
    "unknown tile": ("{tile_m: 128,", "{tile_k: 128,", ["matrix_tile.tile_k is not known here."]),
    "tile of nothing": ("{tile_m: 128,", "{tile_m: 0,", ["matrix_tile.tile_m is 0"]),
    "unknown pipe": ("  int8-tensor:", "  int7-tensor:", ["ceilings.int7-tensor names no pipe", "int8-tensor"]),
    "pipe by AMD's name": ("  int8-tensor:", "  fp16-mfma:", ["ceilings.fp16-mfma names no pipe", "Write 'fp16-tensor'."]),
    "source that is not there": ("source: sheet}\n    capacity", "source: shet}\n    capacity", ["cites 'shet'", "'sheet'?"]),
    "source that nothing resembles": (
        "source: sheet}\n    capacity", "source: xyz}\n    capacity",
        ["cites 'xyz', which is not among the sources. Add it there, or write {text: xyz}."],
    ),
    "source that is a number": ("source: sheet}\n    capacity", "source: 7}\n    capacity", ["source is 7, but must be a key"]),
    "date the other way round": ("date: 2026-11-29", "date: 29.11.2026", ["is '29.11.2026', but a date is written"]),
    "impossible date": ("date: 2026-11-29", "date: 2026-13-29", ["but a date is written 2026-11-29"]),
    "address that is none": ("https://acme.example/one_(rev3).pdf", "acme.example", ["no web address. Write https://"]),
    "id with capitals": ("id: acme-one", "id: Acme One", ["is 'Acme One', but has lower-case letters"]),
    "id missing": ("id: acme-one\n", "", ["id is missing."]),
    "year in words": ("year: 2026", "year: soon", ["year is 'soon', but must be a whole number."]),
    "year far away": ("year: 2026", "year: 20260", ["year is 20260"]),
    "name that is a number": ("short_name: One", "short_name: 4090", ["short_name is 4090, but must be a text; put it into"]),
    "no ceilings": ("ceilings:\n", "ceilings: {}\nx:\n", ["ceilings is empty. Give at least one"]),
    "boundaries as a list": ("boundaries:\n", "boundaries: []\nx:\n", ["boundaries is a list, but must be a mapping"]),
    "flag that is a word": ("approximate: true", "approximate: maybe", ["approximate is 'maybe', but must be true or false."]),
    "notes that are no list": ("notes:\n- Made up for tests.", "notes: x", ["notes is 'x', but must be a list."]),
    "key given twice": ("vendor: Acme", "vendor: Acme\nvendor: Other", ["line 6: vendor is given twice, first on line 5."]),
    "nested key given twice": (
        "    label: HBM3\n", "    label: HBM3\n    label: HBM4\n", ["boundaries.dram.label is given twice, first on line"],
    ),
    "alias": ("label: HBM3", "label: *x", ["boundaries.dram.label is an alias (*x)"]),
    "tag": ("label: HBM3", "label: !!python/name:os.system x", ["has the tag '!!python/name:os.system'"]),
    "another format": ("profile/1", "profile/2", ["format is 'rooflinestudio-profile/2'", "another version of the studio"]),
    "a study": ("format: rooflinestudio-profile/1", "format: rooflinestudio-study/1", ["Is it a hardware profile?"]),
    "second document": ("\nsms:", "---\nsms:", ["line 9: the document holds a second document"]),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "words"), BROKEN.values(), ids=BROKEN.keys())
def test_a_fault_is_named_with_place_value_and_mend(old, new, words):
    said = "\n".join(faults_in(changed(old, new)))

    assert said.startswith("one.yaml, line ")
    for word in words:
        assert word in said


def test_a_single_fault_is_the_whole_message():
    with pytest.raises(ProfileError) as refused:
        load_profile(changed("value: 80 GB", "value: 80 Gb"), name="one.yaml")

    assert str(refused.value) == refused.value.faults[0]
    assert len(refused.value.faults) == 1


def test_another_format_is_not_held_against_this_one():
    assert len(faults_in("format: rooflinestudio-profile/9\nmachine: x\n")) == 1


def test_an_alias_is_told_once():
    assert len(faults_in(changed("label: HBM3", "label: *x"))) == 1


def test_of_a_key_given_twice_the_first_counts():
    faults = faults_in(changed("    label: HBM3\n", "    label: HBM3\n    label: [1, 2]\n"))

    assert len(faults) == 1


def test_faults_of_a_document_say_where_it_stands():
    document = profile_to_document(load_profile(GOOD))
    document["boundaries"]["dram"]["bandwidth"]["value"] = "2 Tb/s"

    with pytest.raises(ProfileError) as refused:
        profile_from_document(document, file="my.study, profile acme-one")

    assert refused.value.faults[0].startswith("my.study, profile acme-one: boundaries.dram.bandwidth.value cannot be read")


WRECKS = {
    "nothing": "\n",
    "only a comment": "# a profile\n",
    "a sentence": "This is no profile.\n\n",
    "a list": "- a\n- b\n",
    "half a file": GOOD[: len(GOOD) // 2] + "  {",
    "a tab": GOOD.replace("  bf16-tensor:", "\tbf16-tensor:"),
    "control characters": "format: \x00\x01\n",
    "deep flow": "a: " + "[" * 50_000 + "\n",
    "deep blocks": "- " * 20_000 + "x\n",
    "a list as key": "? [a, b]\n: c\n",
    "an alias as key": "a: &x 1\n*x : 2\n",
    "many values": "a: [" + "1," * 60_000 + "]\n",
    "too long": "a: " + "x" * 2_000_001 + "\n",
    "billion laughs": "a: &a [x]\n" + "".join(f"{b}: &{b} [*{a},*{a}]\n" for a, b in zip("abcdef", "bcdefg", strict=True)),
    "a merge key": changed("vendor: Acme", "<<: {vendor: Acme}"),
}


@pytest.mark.parametrize("text", WRECKS.values(), ids=WRECKS.keys())
def test_hostile_and_broken_files_are_refused_in_words(text):
    for fault in faults_in(text):
        assert fault.startswith("one.yaml")
        assert len(fault) < 600


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(ProfileError, match=r"missing\.yaml cannot be read: No such file"):
        load_profile(tmp_path / "missing.yaml")
    with pytest.raises(ProfileError, match="cannot be read"):
        load_profile(tmp_path)


def test_a_binary_file_is_refused_with_the_line(tmp_path):
    path = tmp_path / "photo.yaml"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")

    with pytest.raises(ProfileError, match=r"photo\.yaml, line 1: byte 0x89 is no UTF-8 text"):
        load_profile(path)


def test_a_huge_file_is_not_read_whole(tmp_path):
    path = tmp_path / "huge.yaml"
    with path.open("wb") as file:
        file.truncate(10**10)  # sparse

    with pytest.raises(ProfileError, match="larger than"):
        load_profile(path)


@given(st.data())
def test_whatever_happens_to_a_file_the_answer_is_a_profile_or_its_faults(data):
    lines = GOOD.split("\n")
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(lines) - 1))
        change = data.draw(st.sampled_from(["drop", "double", "indent", "cut", "noise"]))
        noise = data.draw(st.text(max_size=12)) if change == "noise" else ""
        lines[at : at + 1] = {
            "drop": [], "double": [lines[at]] * 2, "indent": ["  " + lines[at]], "cut": [lines[at][:-3]],
            "noise": [lines[at] + noise],
        }[change]  # fmt: skip
        if not lines:
            lines = [""]
    try:
        profile = load_profile("\n".join(lines) + "\n", name="one.yaml")
    except ProfileError as refused:
        assert refused.faults
    else:
        assert isinstance(profile, HardwareProfile)


simple = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
anything = st.recursive(simple, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3))


@given(st.data())
def test_any_data_in_place_of_a_value_is_read_or_refused(data):
    document = profile_to_document(load_profile(GOOD))
    place = document
    while True:
        key = data.draw(st.sampled_from(sorted(place)))
        if not isinstance(place[key], dict) or data.draw(st.booleans()):
            break
        place = place[key]
    place[key] = data.draw(anything)
    try:
        assert isinstance(profile_from_document(document, file="x"), HardwareProfile)
    except ProfileError as refused:
        assert all(fault.startswith("x: ") for fault in refused.faults)


# ------------------------------------------------------------------------------------------- writing


def test_a_profile_reads_back_the_same_from_its_text():
    profile = load_profile(GOOD)
    again = load_profile(dump_profile(profile))

    assert again == profile
    assert again.content_hash == profile.content_hash
    assert dump_profile(again) == dump_profile(profile)


def test_the_text_is_one_that_a_person_would_like_to_read():
    text = dump_profile(load_profile(GOOD))

    assert text.startswith("format: rooflinestudio-profile/1\nid: acme-one\nname: Acme One 80 GB\n")
    assert "\n\nceilings:\n  bf16-tensor:\n    value: 800 TFLOP/s\n    provenance: published\n" in text
    assert "    source: [sheet, paper]\n    date: 2026-11-29\n" in text
    assert "value: 1.6 POP/s" in text
    assert "value: 228 KiB" in text
    assert "launch_overhead:\n  value: 3 µs\n" in text
    assert "  sheet:\n    title: Acme One data sheet\n    address: https://acme.example/one_(rev3).pdf\n" in text
    assert "&id" not in text


def test_other_readers_of_yaml_and_json_understand_what_is_written():
    profile = load_profile(GOOD)
    through_json = json.loads(json.dumps(profile_to_document(profile)))

    assert profile_from_document(yaml.safe_load(dump_profile(profile)), file="x") == profile
    assert profile_from_document(through_json, file="x") == profile


words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
values = st.floats(min_value=1e-300, max_value=1e300)
dates = st.dates(datetime.date(1990, 1, 1)).map(lambda date: date.isoformat()) | st.sampled_from(["", "2026", "2026-11"])
provenances = st.sampled_from(["published", "derived", "measured", "assumed"])
TITLES = ["Data sheet", "White paper; second edition", "fp32", "Table 1", "sheet"]
sources = st.one_of(
    st.just(""),
    words,
    st.sampled_from(["sheet", "paper", "nowhere", "; ", "Table 1; ", "White paper"]),
    st.lists(st.sampled_from([*TITLES, "SMs × 2", "kept"]), min_size=1, max_size=4).map("; ".join),
)
figures = st.builds(Figure, values, provenances, words | st.just(""), sources, dates, words | st.just(""))
counts = st.builds(Figure, st.integers(1, 10**9).map(float), provenances)
maybe = st.none() | figures


@st.composite
def boundaries(draw):
    ids = draw(st.lists(st.sampled_from(BOUNDARY_ORDER), min_size=1, unique=True, max_size=5))
    return {
        id_: Boundary(
            id_, draw(words), draw(figures), draw(maybe), draw(maybe), draw(st.booleans()), draw(st.booleans()),
            MappingProxyType(draw(st.dictionaries(st.sampled_from(["streaming", "strided", "gather"]), figures, max_size=2))),
        )
        for id_ in sorted(ids, key=BOUNDARY_ORDER.index)
    }  # fmt: skip


@st.composite
def profiles(draw):
    pipes = st.sampled_from(["bf16-tensor", "fp32", "int8-tensor", "fp32-no-fma", "special", "fp16-tensor-fp16acc"])
    ceilings = draw(st.dictionaries(pipes, figures, min_size=1))
    return HardwareProfile(
        id="acme-one", name=draw(words), short_name=draw(words), vendor=draw(words), architecture=draw(words),
        year=draw(st.integers(1950, 2100)), kind=draw(st.sampled_from(["gpu", "cpu"])),
        ceilings={id_: ComputeCeiling(id_, figure) for id_, figure in ceilings.items()},
        boundaries=draw(boundaries()), reference_ceiling=next(iter(ceilings)),
        sms=draw(st.none() | counts), registers_per_sm=draw(st.none() | counts), launch_overhead=draw(maybe),
        shared_bytes_per_sm=draw(maybe), matrix_tile=draw(st.dictionaries(st.just("tile_n"), st.integers(1, 512))),
        clocks=draw(st.dictionaries(words, figures, max_size=2)),
        sources=draw(st.dictionaries(
            st.sampled_from(["sheet", "paper", "a", "b c"]) | words,
            st.sampled_from(TITLES) | words | st.just("Data sheet (https://acme.example/x)"), max_size=4,
        )),
        notes=tuple(draw(st.lists(words, max_size=2))),
    )  # fmt: skip


@given(profiles())
def test_every_profile_reads_back_the_same_to_the_last_bit(profile):
    from_text = load_profile(dump_profile(profile), name="x")
    from_document = profile_from_document(profile_to_document(profile), file="x")

    assert from_text == from_document == profile
    assert from_text.content_hash == from_document.content_hash == profile.content_hash


# --------------------------------------------------------------------------------------------- index


def write(folder, name, text):
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


def test_the_index_lists_shipped_profiles_and_those_of_the_user(tmp_path):
    write(tmp_path, "one.yaml", GOOD)

    index = profile_index(tmp_path)

    assert {entry.id for entry in index} == {"acme-one"} | {entry.id for entry in shipped_profiles()}
    (own,) = (entry for entry in index if not entry.shipped)
    assert (own.id, own.name, own.short_name, own.vendor, own.year) == ("acme-one", "Acme One 80 GB", "One", "Acme", 2026)
    assert own.label == "Acme One 80 GB"
    assert own.path == str(tmp_path / "one.yaml")
    assert index.problems == ()
    assert own.load() == load_profile(GOOD)
    assert own.load() is own.load()


def test_a_folder_that_is_not_there_holds_nothing(tmp_path):
    assert profile_index(tmp_path / "none", shipped=False) == ()


UNUSUAL = {
    "quoted": GOOD.replace("vendor: Acme", "vendor: 'Acme'"),
    "other order": GOOD.replace("id: acme-one\n", "") + "id: acme-one\n",
    "flow style": yaml.safe_dump(yaml.safe_load(GOOD), default_flow_style=True, width=10_000),
    "comments": "# mine\n\n" + GOOD.replace("vendor: Acme", "vendor: Acme # GmbH"),
    "CRLF and BOM": "\ufeff" + GOOD.replace("\n", "\r\n"),
}


@pytest.mark.parametrize("text", UNUSUAL.values(), ids=UNUSUAL.keys())
def test_the_index_agrees_with_the_file_however_it_is_written(tmp_path, text):
    write(tmp_path, "one.yml", text)

    (entry,) = profile_index(tmp_path, shipped=False)

    assert (entry.id, entry.name, entry.short_name, entry.vendor, entry.year) == (
        "acme-one", "Acme One 80 GB", "One", "Acme", 2026,
    )  # fmt: skip


def test_a_file_that_is_no_profile_is_a_problem_and_costs_only_itself(tmp_path):
    write(tmp_path, "a.yaml", "This is no profile.")
    write(tmp_path, "b.yaml", GOOD)
    write(tmp_path, "notes.txt", "no")
    write(tmp_path, ".hidden.yaml", "no")
    (tmp_path / "folder.yaml").mkdir()

    index = profile_index(tmp_path, shipped=False)

    assert [entry.id for entry in index] == ["acme-one"]
    assert len(index.problems) == 1
    assert "a.yaml" in index.problems[0]


def test_a_file_with_a_fault_further_down_is_told_when_it_is_used(tmp_path):
    write(tmp_path, "one.yaml", changed("value: 80 GB", "value: 80 Gb"))

    (entry,) = profile_index(tmp_path, shipped=False)

    with pytest.raises(ProfileError, match=r"one\.yaml, line \d+: boundaries\.dram\.capacity"):
        entry.load()


def test_a_users_copy_of_a_shipped_profile_is_reported_and_used_only_when_asked_for(tmp_path):
    write(tmp_path, "mine.yaml", GOOD.replace("acme-one", "nvidia-h100-sxm5"))

    shipped = find_profile(profile_index(tmp_path), "nvidia-h100-sxm5")
    mine = find_profile(profile_index(tmp_path, user_wins=True), "nvidia-h100-sxm5")

    assert (shipped.shipped, shipped.name) == (True, "H100 SXM5 80 GB")
    assert (mine.shipped, mine.name) == (False, "Acme One 80 GB")
    for index, used in ((profile_index(tmp_path), "the shipped profile is used"), (profile_index(tmp_path, user_wins=True), "mine.yaml is used")):
        assert len(index) == len(shipped_profiles())
        assert len(index.problems) == 1
        assert "'nvidia-h100-sxm5'" in index.problems[0]
        assert used in index.problems[0]


def test_of_two_own_files_with_one_id_the_first_counts(tmp_path):
    write(tmp_path, "a.yaml", GOOD)
    write(tmp_path, "b.yaml", GOOD.replace("Acme One 80 GB", "Another"))

    index = profile_index(tmp_path, shipped=False, user_wins=True)

    assert [entry.name for entry in index] == ["Acme One 80 GB"]
    assert str(tmp_path / "b.yaml") in index.problems[0]
    assert f"{tmp_path / 'a.yaml'} is used" in index.problems[0]


def test_looking_at_the_index_loads_nothing_heavy():
    code = (
        "import sys; from rooflinestudio.core.profile_files import find_profile, shipped_profiles;"
        "entry = find_profile(shipped_profiles(), 'h100');"
        "assert not {'yaml', 'pydantic', 'numpy', 'PySide6', 'pluggy'} & set(sys.modules), sorted(sys.modules);"
        "print(entry.load().short_name)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=60, check=False
    )

    assert done.stdout == "H100 SXM5\n", done.stderr


# ------------------------------------------------------------------------------------------- finding


class Named:
    def __init__(self, id_, name="", label=""):
        self.id, self.name, self.label = id_, name, label


MACHINES = [
    Named("nvidia-h100-sxm5", "H100 SXM5 80 GB"),
    Named("nvidia-h100-pcie", "H100 PCIe 80 GB"),
    Named("nvidia-b200", "B200 SXM"),
    Named("nvidia-gb200", "GB200"),
    Named("nvidia-l40", "L40"),
    Named("nvidia-l40s", "L40S"),
    Named("amd-mi300x", "Instinct MI300X"),
    Named("acme-npu-1", label="Neural Pump"),
]


@pytest.mark.parametrize(
    ("text", "id_"),
    [
        ("nvidia-h100-sxm5", "nvidia-h100-sxm5"),
        ("NVIDIA-H100-SXM5", "nvidia-h100-sxm5"),
        ("h100 sxm5", "nvidia-h100-sxm5"),
        ("sxm5", "nvidia-h100-sxm5"),
        ("pcie", "nvidia-h100-pcie"),
        ("b200", "nvidia-b200"),  # although gb200 has it too
        ("gb2", "nvidia-gb200"),
        ("l40", "nvidia-l40"),
        ("l40s", "nvidia-l40s"),
        ("mi300", "amd-mi300x"),
        ("amd", "amd-mi300x"),
        ("instinct", "amd-mi300x"),
        ("H100_PCIe", "nvidia-h100-pcie"),
        ("neural", "acme-npu-1"),
        ("B200 SXM", "nvidia-b200"),
    ],
)
def test_an_id_or_any_part_that_only_one_has_names_a_profile(text, id_):
    assert find_profile(MACHINES, text).id == id_


def test_a_part_that_several_have_is_refused_with_all_of_them():
    with pytest.raises(ProfileError, match="'h100' fits several machines: nvidia-h100-sxm5, nvidia-h100-pcie"):
        find_profile(MACHINES, "h100")
    with pytest.raises(ProfileError, match="fits several machines"):
        find_profile(MACHINES, "nvidia")


def test_what_none_has_is_refused_with_the_nearest():
    with pytest.raises(ProfileError, match="No machine is called 'nvidia-h100-sxm4'. Did you mean 'nvidia-h100-sxm5'"):
        find_profile(MACHINES, "nvidia-h100-sxm4")
    with pytest.raises(ProfileError, match="Known: nvidia-h100-sxm5, .*acme-npu-1"):
        find_profile(MACHINES, "qqqqq")


@pytest.mark.parametrize("text", ["", "  ", "-"])
def test_an_empty_name_is_refused(text):
    with pytest.raises(ProfileError, match="No machine is named by"):
        find_profile(MACHINES, text)


def test_profiles_themselves_can_be_found_too():
    assert find_profile([load_profile(GOOD)], "acme one").name == "Acme One 80 GB"


def test_without_any_profile_none_is_found():
    with pytest.raises(ProfileError, match="none"):
        find_profile([], "h100")
