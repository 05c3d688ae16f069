from __future__ import annotations

from dataclasses import replace

import pytest

from rooflinestudio.core.errors import RefusedError
from rooflinestudio.core.placing import PendingError, place
from rooflinestudio.core.study import Entry, PluginRef, Study
from tests.support import FP32_PEAK, HBM, Copy, Source, machine


def study_of(*entries: Entry) -> Study:
    return Study(entries=entries).with_profile(machine())


def test_a_row_carries_the_figures_of_its_entry() -> None:
    placed = place(study_of(Entry("a", "copy", parameters={"elements": 1e9})), {}, Source())
    (row,) = placed.rows
    assert row.state == "placed" and row.placement is not None
    # one read and one write of 2 bytes over 2 TB/s
    assert row.placement.time_s == pytest.approx(4e9 / HBM)
    assert row.placement.bound == "memory"


def test_every_entry_stands_on_every_machine_of_the_view_or_on_its_own() -> None:
    study = study_of(Entry("a", "copy"), Entry("b", "copy", machines=("acme-two",))).with_profile(
        machine("acme-two")
    )
    placed = place(study, {}, Source())
    assert [row.key for row in placed.rows] == [("a", "acme-one"), ("a", "acme-two"), ("b", "acme-two")]
    assert [one.id for one in placed.machines] == ["acme-one", "acme-two"]


def test_the_four_states_stand_side_by_side_with_their_reasons() -> None:
    class Slow(Copy):
        id = "slow"

        def estimate(self, parameters, dtypes):
            raise PendingError("still being worked out")

    class Refuses(Copy):
        id = "refuses"

        def estimate(self, parameters, dtypes):
            raise RefusedError("plugin acme 0.3 answered NaN for traffic")

    gone = Entry("d", "acme.nothing", plugin=PluginRef("acme", "0.3"))
    study = study_of(Entry("a", "copy"), Entry("b", "slow"), Entry("c", "refuses"), gone)
    placed = place(study, {}, Source(Copy(), Slow(), Refuses()))
    assert [row.state for row in placed.rows] == ["placed", "pending", "refused", "unavailable"]
    assert "acme 0.3 answered NaN" in placed.rows[2].reason
    assert "acme.nothing" in placed.rows[3].reason and "acme 0.3" in placed.rows[3].reason
    assert [row.placement is None for row in placed.rows] == [False, True, True, True]


@pytest.mark.parametrize(
    ("entry", "word"),
    [
        (Entry("a", "copy", parameters={"elemnts": 3}), "did you mean 'elements'"),
        (Entry("a", "copy", parameters={"tiles": 0}), "between 1 and"),
        (Entry("a", "copy", parameters={"elements": 0}), "nothing to place"),
        (Entry("a", "copy", dtypes={"all": "bf61"}), "did you mean 'bf16'"),
        (Entry("a", "copy", boundary="l3"), "l2, dram, nvlink"),
        (Entry("a", "copy", machines=("acme-none",)), "acme-none"),
    ],
)
def test_bad_input_is_a_refused_row_that_says_what_and_how_to_mend_it(entry: Entry, word: str) -> None:
    (row,) = place(study_of(entry), {}, Source()).rows
    assert row.state == "refused"
    assert word in row.reason


def test_an_edit_of_one_entry_places_only_that_one() -> None:
    source = Source()
    study = study_of(*(Entry(f"e{number}", "copy") for number in range(50)))
    first = place(study, {}, source)
    asked = source.asked
    edited = study.replacing(replace(study.entry("e7"), parameters={"elements": 5.0}))
    second = place(edited, {}, source, previous=first)
    assert source.asked == asked + 1
    assert [a is b for a, b in zip(first.rows, second.rows, strict=True)] == [n != 7 for n in range(50)]


def test_an_edit_that_places_nothing_keeps_the_rows_themselves() -> None:
    study = study_of(Entry("a", "copy"))
    first = place(study, {}, Source())
    assert place(replace(study, notes="hello"), {}, Source(), previous=first).rows is first.rows


def test_a_changed_view_places_everything_that_follows_it() -> None:
    source = Source()
    study = study_of(
        Entry("a", "copy"), Entry("b", "copy", policy="tiled", boundary="dram", overlap=1.0, absorption=0.85)
    )
    first = place(study, {}, source)
    second = place(replace(study, view=replace(study.view, policy="compulsory")), {}, source, previous=first)
    assert second.rows[0] is not first.rows[0]
    assert second.rows[1] is first.rows[1]


def test_a_pending_row_is_asked_again() -> None:
    class Later(Copy):
        ready = False

        def estimate(self, parameters, dtypes):
            if not self.ready:
                raise PendingError("wait")
            return super().estimate(parameters, dtypes)

    operator = Later()
    source, study = Source(operator), study_of(Entry("a", "copy"))
    first = place(study, {}, source)
    operator.ready = True
    assert [place(study, {}, source, previous=first).rows[0].state, first.rows[0].state] == [
        "placed",
        "pending",
    ]


def test_the_studys_copy_of_a_profile_wins_over_the_one_at_hand() -> None:
    study = study_of(Entry("a", "copy"))
    placed = place(study, {"acme-one": machine(hbm=1.0)}, Source())
    assert placed.rows[0].placement is not None
    assert placed.rows[0].placement.time_s == pytest.approx(4e9 / HBM)


def test_a_row_knows_itself_under_all_three_policies() -> None:
    (row,) = place(study_of(Entry("a", "copy", parameters={"elements": 1e9, "tiles": 11})), {}, Source()).rows
    traffic = {policy: one.traffic_bytes for policy, one in row.policies.items()}
    # 2 GB read once and 2 GB written; tiled reads them 11 times; modelled keeps 15 % of the ten re-reads
    assert traffic == {
        "compulsory": pytest.approx(4e9), "tiled": pytest.approx(24e9), "modelled": pytest.approx(4e9 + 0.15 * 20e9),
    }  # fmt: skip
    assert row.policies["modelled"] is row.placement


def test_a_row_can_be_looked_at_elsewhere() -> None:
    (row,) = place(study_of(Entry("a", "copy", parameters={"flop": 1000})), {}, Source()).rows
    assert row.varied(boundary="nvlink").bound == "compute"
    assert row.varied(boundary="nvlink").time_s == pytest.approx(1e9 * 1000 / FP32_PEAK)


def test_a_row_without_placement_has_no_policies_and_cannot_be_varied() -> None:
    (row,) = place(study_of(Entry("a", "nothing")), {}, Source()).rows
    assert row.policies == {}
    with pytest.raises(ValueError, match="no placement"):
        row.varied(policy="tiled")


def test_a_kernel_that_crosses_nothing_of_the_machine_is_refused_under_all() -> None:
    class Elsewhere(Copy):
        def estimate(self, parameters, dtypes):
            return replace(super().estimate(parameters, dtypes), crosses=frozenset(("ici",)))

    (row,) = place(study_of(Entry("a", "copy", boundary="all")), {}, Source(Elsewhere())).rows
    assert row.state == "refused" and "crosses no boundary" in row.reason
