from __future__ import annotations

import datetime
import json
from types import MappingProxyType

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from rooflinestudio.core.hardware import (
    BOUNDARY_ORDER,
    Achievable,
    Boundary,
    ComputeCeiling,
    Figure,
    HardwareProfile,
)
from rooflinestudio.core.profile_files import (
    dump_profile,
    load_profile,
    profile_from_document,
    profile_to_document,
)
from tests.core.profile_text import PROFILE_TEXT


def test_a_profile_reads_back_the_same_from_its_text():
    profile = load_profile(PROFILE_TEXT)
    again = load_profile(dump_profile(profile))

    assert again == profile
    assert again.content_hash == profile.content_hash
    assert dump_profile(again) == dump_profile(profile)


def test_the_text_is_one_that_a_person_would_like_to_read():
    text = dump_profile(load_profile(PROFILE_TEXT))

    assert text.startswith("format: rooflinestudio-profile/1\nid: acme-one\nname: Acme One 80 GB\n")
    assert "\n\nceilings:\n  bf16-tensor:\n    value: 800 TFLOP/s\n    provenance: published\n" in text
    assert "    source: [sheet, paper]\n    date: 2026-11-29\n" in text
    assert "value: 1.6 POP/s" in text
    assert "value: 228 KiB" in text
    assert "launch_overhead:\n  value: 3 µs\n" in text
    assert (
        "  sheet:\n    title: Acme One data sheet\n    address: https://acme.example/one_(rev3).pdf\n" in text
    )
    assert "&id" not in text


def test_other_readers_of_yaml_and_json_understand_what_is_written():
    profile = load_profile(PROFILE_TEXT)
    through_json = json.loads(json.dumps(profile_to_document(profile)))

    assert profile_from_document(yaml.safe_load(dump_profile(profile)), file="x") == profile
    assert profile_from_document(through_json, file="x") == profile


words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
values = st.floats(min_value=1e-300, max_value=1e300)
dates = st.dates(datetime.date(1990, 1, 1)).map(lambda date: date.isoformat()) | st.sampled_from(
    ["", "2026", "2026-11"]
)
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
slopes = st.sampled_from(["streaming", "strided", "gather"])


@st.composite
def achievables(draw):
    """Draw shares in order, some of them left out."""
    shares = sorted(draw(st.lists(st.floats(1e-6, 1.0), min_size=3, max_size=3)))
    low, typical, high = (
        draw(st.none() | st.builds(Figure, st.just(share), provenances, words | st.just("")))
        for share in shares
    )
    return Achievable(typical, low, high)


@st.composite
def boundaries(draw):
    ids = draw(st.lists(st.sampled_from(BOUNDARY_ORDER), min_size=1, unique=True, max_size=5))
    return {
        id_: Boundary(
            id_, draw(words), draw(figures), draw(maybe), draw(maybe), draw(st.booleans()), draw(st.booleans()),
            MappingProxyType(draw(st.dictionaries(slopes, figures, max_size=2))), draw(st.none() | achievables()),
        )
        for id_ in sorted(ids, key=BOUNDARY_ORDER.index)
    }  # fmt: skip


@st.composite
def profiles(draw):
    pipes = st.sampled_from(
        ["bf16-tensor", "fp32", "int8-tensor", "fp32-no-fma", "special", "fp16-tensor-fp16acc"]
    )
    ceilings = draw(st.dictionaries(pipes, figures, min_size=1))
    return HardwareProfile(
        id="acme-one", name=draw(words), short_name=draw(words), vendor=draw(words), architecture=draw(words),
        year=draw(st.integers(1950, 2100)), kind=draw(st.sampled_from(["gpu", "cpu"])),
        ceilings={
            id_: ComputeCeiling(id_, figure, draw(st.none() | achievables())) for id_, figure in ceilings.items()
        },
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


@settings(max_examples=60)
@given(profiles())
def test_every_profile_reads_back_the_same_to_the_last_bit(profile):
    from_text = load_profile(dump_profile(profile), name="x")
    from_document = profile_from_document(profile_to_document(profile), file="x")

    assert from_text == from_document == profile
    assert from_text.content_hash == from_document.content_hash == profile.content_hash
