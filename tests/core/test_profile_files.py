from __future__ import annotations

import datetime
import re
from dataclasses import fields, replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.errors import ProfileError
from rooflinestudio.core.hardware import BOUNDARY_ORDER, Boundary, Figure, HardwareProfile
from rooflinestudio.core.profile_files import (
    load_profile,
    profile_from_document,
    profile_to_document,
    shipped_profiles,
)
from tests.core.profile_text import PROFILE_TEXT, changed


def faults_in(text, name="one.yaml"):
    with pytest.raises(ProfileError) as refused:
        load_profile(text, name=name)
    assert all(fault in str(refused.value) for fault in refused.value.faults)
    assert refused.value.faults
    return refused.value.faults


def line_of(start, text):
    (number,) = (at for at, line in enumerate(text.split("\n"), start=1) if line.startswith(start))
    return number


# ------------------------------------------------------------------------------------------- reading


def test_a_profile_is_read_in_base_units():
    profile = load_profile(PROFILE_TEXT)

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
    assert list(load_profile(PROFILE_TEXT).boundaries) == ["register", "dram", "network"]


def test_figures_keep_their_provenance():
    figure = load_profile(PROFILE_TEXT).ceiling("bf16-tensor").figure

    assert figure == Figure(
        800e12,
        "published",
        "dense",
        "Acme One data sheet; Measuring Acme One",
        "2026-11-29",
        "Half of the sparse figure.",
    )


def test_sources_are_shown_by_their_titles_and_free_text_as_it_stands():
    profile = load_profile(PROFILE_TEXT)

    assert profile.sms.source == "Acme One data sheet"
    assert profile.ceiling("fp32").figure.source == "SMs × lanes × 2 × clock"
    assert profile.sources["sheet"] == "Acme One data sheet (https://acme.example/one_(rev3).pdf)"
    assert profile.sources["paper"] == "Measuring Acme One"


def test_a_profile_is_read_from_a_file(tmp_path):
    path = tmp_path / "one.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + PROFILE_TEXT.replace("\n", "\r\n").encode())

    assert load_profile(path) == load_profile(str(path)) == load_profile(PROFILE_TEXT)


def test_dates_and_empty_keys_of_other_yaml_readers_are_understood():
    document = yaml.safe_load(PROFILE_TEXT.replace("notes:\n- Made up for tests.\n", "notes:\n"))
    assert document["ceilings"]["bf16-tensor"]["date"] == datetime.date(2026, 11, 29)

    profile = profile_from_document(document, file="a study")

    assert profile.ceiling("bf16-tensor").figure.date == "2026-11-29"
    assert replace(profile, notes=("Made up for tests.",)) == load_profile(PROFILE_TEXT)


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
    reference, missing = line_of("reference_ceiling", text), line_of("  int8-tensor", text)
    said = "\n".join(faults)
    for words in (
        f"one.yaml, line {reference}: reference_ceiling is 'bf16-tenser', but there is no such ceiling. Did you mean",
        f"one.yaml, line {missing}: ceilings.int8-tensor.provenance is missing. Say where the figure comes from: pub",
        "'400 Gb/s' is ambiguous: b is read as bits and as bytes. Write '400 Gbit/s' (= 50 GB/s) or '400 GB/s'.",
        f"line {line_of('    bandwith', text)}: boundaries.dram.bandwith is an unknown key. Did you mean 'bandwidth'?",
        "'-300 TB/s', but must be above zero and finite",
    ):
        assert words in said


BROKEN = {
    "unknown top-level key": ("year: 2026", "yaer: 2026", ["yaer is an unknown key. Did you mean 'year'?"]),
    "unknown key without a near one": (
        "sms: {value: 100,", "sms: {zzz: 1, value: 100,",
        ["sms.zzz", "Choose one of value"],
    ),
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
    "pipe by AMD's name": (
        "  int8-tensor:", "  fp16-mfma:",
        ["ceilings.fp16-mfma names no pipe", "Write 'fp16-tensor'."],
    ),
    "source that is not there": (
        "source: sheet}\n    capacity", "source: shet}\n    capacity",
        ["cites 'shet'", "'sheet'?"],
    ),
    "source that nothing resembles": (
        "source: sheet}\n    capacity", "source: xyz}\n    capacity",
        ["cites 'xyz', which is not among the sources. Add it there, or write {text: xyz}."],
    ),
    "source that is a number": (
        "source: sheet}\n    capacity", "source: 7}\n    capacity",
        ["source is 7, but must be a key"],
    ),
    "date the other way round": ("date: 2026-11-29", "date: 29.11.2026", ["is '29.11.2026', but a date is written"]),
    "impossible date": ("date: 2026-11-29", "date: 2026-13-29", ["but a date is written 2026-11-29"]),
    "address that is none": ("https://acme.example/one_(rev3).pdf", "acme.example", ["no web address. Write https://"]),
    "id with capitals": ("id: acme-one", "id: Acme One", ["is 'Acme One', but has lower-case letters"]),
    "id missing": ("id: acme-one\n", "", ["id is missing."]),
    "year in words": ("year: 2026", "year: soon", ["year is 'soon', but must be a whole number."]),
    "year far away": ("year: 2026", "year: 20260", ["year is 20260"]),
    "name that is a number": (
        "short_name: One", "short_name: 4090",
        ["short_name is 4090, but must be a text; put it into"],
    ),
    "no ceilings": ("ceilings:\n", "ceilings: {}\nx:\n", ["ceilings is empty. Give at least one"]),
    "boundaries as a list": ("boundaries:\n", "boundaries: []\nx:\n", ["boundaries is a list, but must be a mapping"]),
    "flag that is a word": (
        "approximate: true", "approximate: maybe",
        ["approximate is 'maybe', but must be true or false."],
    ),
    "notes that are no list": ("notes:\n- Made up for tests.", "notes: x", ["notes is 'x', but must be a list."]),
    "key given twice": (
        "vendor: Acme", "vendor: Acme\nvendor: Other",
        ["line 6: vendor is given twice, first on line 5."],
    ),
    "nested key given twice": (
        "    label: HBM3\n", "    label: HBM3\n    label: HBM4\n",
        ["boundaries.dram.label is given twice, first on line"],
    ),
    "alias": ("label: HBM3", "label: *x", ["boundaries.dram.label is an alias (*x)"]),
    "tag": ("label: HBM3", "label: !!python/name:os.system x", ["has the tag '!!python/name:os.system'"]),
    "another format": (
        "profile/1", "profile/2",
        ["format is 'rooflinestudio-profile/2'", "another version of the studio"],
    ),
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
    document = profile_to_document(load_profile(PROFILE_TEXT))
    document["boundaries"]["dram"]["bandwidth"]["value"] = "2 Tb/s"

    with pytest.raises(ProfileError) as refused:
        profile_from_document(document, file="my.study, profile acme-one")

    assert refused.value.faults[0].startswith(
        "my.study, profile acme-one: boundaries.dram.bandwidth.value cannot be read"
    )


WRECKS = {
    "nothing": "\n",
    "only a comment": "# a profile\n",
    "a sentence": "This is no profile.\n\n",
    "a list": "- a\n- b\n",
    "half a file": PROFILE_TEXT[: len(PROFILE_TEXT) // 2] + "  {",
    "a tab": PROFILE_TEXT.replace("  bf16-tensor:", "\tbf16-tensor:"),
    "control characters": "format: \x00\x01\n",
    "deep flow": "a: " + "[" * 50_000 + "\n",
    "deep blocks": "- " * 20_000 + "x\n",
    "a list as key": "? [a, b]\n: c\n",
    "an alias as key": "a: &x 1\n*x : 2\n",
    "many values": "a: [" + "1," * 60_000 + "]\n",
    "too long": "a: " + "x" * 2_000_001 + "\n",
    "billion laughs": "a: &a [x]\n"
    + "".join(f"{b}: &{b} [*{a},*{a}]\n" for a, b in zip("abcdef", "bcdefg", strict=True)),
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
    lines = PROFILE_TEXT.split("\n")
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
anything = st.recursive(
    simple,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)


@given(st.data())
def test_any_data_in_place_of_a_value_is_read_or_refused(data):
    document = profile_to_document(load_profile(PROFILE_TEXT))
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


# --------------------------------------------------------------------------------------------- guide

GUIDE = Path(__file__).parents[2] / "docs" / "profiles.md"


def test_the_example_of_the_guide_is_a_sound_profile():
    example, *_excerpts = re.findall(r"```yaml\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)

    profile = load_profile(example)

    assert profile.ridge() == pytest.approx(200e12 / 410e9)
    assert profile.boundary("network").bytes_per_s == 50e9
    assert profile.launch_overhead.source == "our own launch benchmark"


def test_the_guide_names_every_key_boundary_and_profile():
    text = GUIDE.read_text(encoding="utf-8")
    names = {field.name for field in fields(HardwareProfile)} | {field.name for field in fields(Figure)}
    names |= (
        {field.name for field in fields(Boundary)}
        | set(BOUNDARY_ORDER)
        | {entry.id for entry in shipped_profiles()}
    )

    assert not {name for name in names if f"`{name}`" not in text and f"`{name}:" not in text}
