"""Whatever is edited, in whatever order: the profile can be saved and reads back the same."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from rooflinestudio.core.profile_edit.changes import changes_between
from rooflinestudio.core.profile_edit.choices import (
    added,
    boundary_choices,
    ceiling_choices,
    removed,
    renamed_boundary,
)
from rooflinestudio.core.profile_edit.copies import duplicate, renamed
from rooflinestudio.core.profile_edit.draft import (
    Draft,
    doubt,
    draft_of,
    set_provenance,
    set_words,
    type_figure,
    use_anyway,
    use_in_row,
    with_mode,
    with_profile,
)
from rooflinestudio.core.profile_edit.facts import facts_of, ridge_words, summary_words
from rooflinestudio.core.profile_edit.findings import explained, finding_notes
from rooflinestudio.core.profile_edit.folder import checked
from rooflinestudio.core.profile_edit.notes import doubt_notes, refusal_notes
from rooflinestudio.core.profile_edit.places import FigurePlace, places_of, rate_at
from rooflinestudio.core.profile_edit.rows import boundary_rows, ceiling_rows, machine_rows
from rooflinestudio.core.profile_files import dump_profile, load_profile
from tests.core.profiles import H100

TODAY = "2026-11-30"
TEXTS = (
    "", " ", "1 TB/s", "900 TFLOP/s", "3 TOP/s", "400 Gb/s", "80 GB", "64 KiB", "600 ns", "2 GHz", "700 W", "132",
    "-1", "1e300", "3,35 TB/s", "0.000001 B/s", "nonsense", "1 979 TFLOP/s", "∞",
)  # fmt: skip
SAID = ("stream", "data sheet; appendix", "https://a.example/x", "2025-03", "#: -", "imported from a.csv")
WORDS = st.text(max_size=30) | st.sampled_from(SAID)


@st.composite
def edits(draw) -> Draft:
    """Apply a few edits, each of any kind."""
    draft = draft_of(duplicate(H100, "Rack 7", ()))
    for _ in range(draw(st.integers(1, 12))):
        draft = draw(one_edit(draft))
    return draft


@st.composite
def one_edit(draw, draft) -> Draft:
    place = draw(st.sampled_from(places_of(draft.profile)))
    side = draw(st.sampled_from(["stated", "measured"])) if place.is_rate else "stated"
    kind = draw(st.integers(0, 9))
    if kind <= 2:
        return type_figure(draft, place, side, draw(st.sampled_from(TEXTS)), today=TODAY)
    if kind == 3:
        field = draw(st.sampled_from(["source", "condition", "date", "note"]))
        return set_words(draft, place, side, field, draw(WORDS))
    if kind == 4:
        return set_provenance(
            draft, place, draw(st.sampled_from(["published", "derived", "assumed", "measured"]))
        )
    if kind == 5:
        return with_mode(draft, draw(st.sampled_from(["stated", "measured", "rows"])))
    if kind == 6:
        return removed(draft, place)
    if kind == 7 and place.is_rate:
        wanted = use_in_row(draft, place, draw(st.sampled_from(["stated", "measured"])))
        return use_anyway(wanted, place) if draw(st.booleans()) else wanted
    if kind == 8:
        return with_profile(draft, renamed_boundary(renamed(draft.profile, draw(WORDS)), "dram", draw(WORDS)))
    return draw(one_row(draft))


@st.composite
def one_row(draw, draft) -> Draft:
    group = draw(st.sampled_from(["ceilings", "boundaries"]))
    choices = ceiling_choices(draft.profile) if group == "ceilings" else boundary_choices(draft.profile)
    if not choices:
        return draft
    id_ = draw(st.sampled_from([one for one, _ in choices]))
    made = added(draft, FigurePlace(group, id_), draw(st.sampled_from(TEXTS)), today=TODAY)
    return made if isinstance(made, Draft) else draft


@settings(max_examples=120)
@given(edits())
def test_any_edits_leave_a_profile_that_can_be_saved(draft):
    assert checked(draft.profile) == draft.profile
    assert load_profile(dump_profile(draft.profile)) == draft.profile


@settings(max_examples=60)
@given(edits())
def test_what_is_doubtful_and_not_allowed_is_never_used(draft):
    for place in places_of(draft.profile):
        one = rate_at(draft.profile, place) if place.is_rate else None
        if one is not None and doubt(one) is not None and one.in_use == "measured":
            assert place in draft.allowed


@settings(max_examples=60)
@given(edits())
def test_everything_can_be_shown_of_any_draft(draft):
    profile = draft.profile
    rows = (*ceiling_rows(draft), *boundary_rows(draft), *machine_rows(draft))

    assert len(rows) == len(places_of(profile))
    assert all(facts_of(profile, row.place, row.uses) is not None for row in rows)
    assert ridge_words(profile, next(iter(profile.boundaries))).startswith("ridge ")
    assert len(refusal_notes(draft)) == len(draft.refused)
    list(doubt_notes(draft))
    summary_words(profile)
    assert (changes_between(profile, profile), bool(changes_between(H100, profile))) == ((), True)
    for note in finding_notes(draft, ()):
        explained(draft, note.subject.id, "so it is")
