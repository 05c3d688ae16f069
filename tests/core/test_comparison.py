from __future__ import annotations

import pytest

from rooflinestudio.core.comparison import comparison_rows
from rooflinestudio.core.placing import place
from rooflinestudio.core.study import Entry, Study
from tests.support import Source, machine


def rows_of(*entries: Entry, baseline: str | None = None):
    study = Study(entries=entries).with_profile(machine())
    return comparison_rows(place(study, {}, Source()), baseline)


def test_a_variant_is_held_against_the_entry_it_was_made_from() -> None:
    base = Entry("a", "copy", parameters={"elements": 1e9})
    variant = Entry("a2", "copy", parameters={"elements": 3e9}, variant_of="a")
    first, second = rows_of(base, variant)
    assert first.is_baseline and first.time_ratio == 1.0 and first.differs == "base: bf16"
    assert not second.is_baseline
    assert second.time_ratio == pytest.approx(3.0) and second.traffic_ratio == pytest.approx(3.0)
    assert second.intensity_ratio == pytest.approx(1.0)
    assert second.differs == "elements 3\u202f000\u202f000\u202f000"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"parameters": {"tiles": 256}}, "tiles 256"),
        ({"parameters": {"flop": 1.5}}, "flop 1.50"),
        ({"boundary": "l2"}, "at L2"),
        ({"policy": "tiled"}, "tiled"),
        ({"absorption": 0.5}, "absorption 0.5"),
        ({"overlap": 0.0}, "overlap 0"),
        ({"ceiling": "fp8-tensor"}, "ceiling fp8-tensor"),
        ({"dtypes": {"all": "fp8"}}, "fp8"),
        ({"dtypes": {"activation": "fp32"}}, "activation fp32"),
        ({"boundary": "all"}, "at all boundaries"),
        ({}, "nothing"),
    ],
)
def test_what_differs_is_said_in_words(changes, words) -> None:
    _, variant = rows_of(Entry("a", "copy"), Entry("b", "copy", variant_of="a", **changes))
    assert variant.differs == words


def test_other_machines_are_rows_against_the_first() -> None:
    study = (
        Study(entries=(Entry("a", "copy"),))
        .with_profile(machine())
        .with_profile(machine("acme-two", hbm=1e12))
    )
    _, other = comparison_rows(place(study, {}, Source()))
    assert other.differs == "on acme-two" and other.time_ratio == pytest.approx(2.0)


def test_one_baseline_lists_only_itself_and_its_variants() -> None:
    rows = rows_of(Entry("a", "copy"), Entry("b", "copy"), Entry("a2", "copy", variant_of="a"), baseline="a")
    assert [one.row.entry.id for one in rows] == ["a", "a2"]


def test_a_row_that_could_not_be_placed_has_no_ratios() -> None:
    _, gone = rows_of(Entry("a", "copy"), Entry("b", "nothing", variant_of="a"))
    assert (gone.time_ratio, gone.traffic_ratio, gone.intensity_ratio) == (None, None, None)


def test_a_kernel_without_work_has_no_intensity_ratio() -> None:
    _, variant = rows_of(Entry("a", "copy", parameters={"flop": 0}), Entry("b", "copy", variant_of="a"))
    assert variant.intensity_ratio is None and variant.time_ratio == pytest.approx(1.0)
