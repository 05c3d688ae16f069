from __future__ import annotations

from importlib.resources import files

import pytest

from rooflinestudio.core.errors import StudyFileError
from rooflinestudio.core.examples import (
    KINDS,
    example_groups,
    example_ids,
    find_example,
    load_example,
    machines_of,
    matching,
    with_machines,
)
from rooflinestudio.core.grid.spec import grid_spec
from rooflinestudio.core.probe import probe_choice
from rooflinestudio.core.profile_index import shipped_profiles
from rooflinestudio.core.serving.panel import serving_panel
from rooflinestudio.core.study_files import load_study, save_study
from rooflinestudio.core.sweep.panel import sweep_spec
from tests.examples.shown import H100, shown
from tests.ui.shell_helpers import registry

FIGURES = [f"figure-{number:02}" for number in range(1, 19)]
FRONTS = {"compare", "grid", "fusion", "budget", "sweep", "serving", "measured"}


def listed():
    return [one for group in example_groups() for one in group.examples]


def test_each_figure_table_and_lab_has_one():
    wanted = {*FIGURES, *(f"table-{n}" for n in range(1, 5)), *(f"lab-{n}" for n in range(1, 5))}
    wanted |= {*(f"intensity-step-{n}" for n in range(1, 7)), "intensity-table-1", "intensity-table-2"}

    assert wanted <= set(example_ids())
    assert len(set(example_ids())) == len(example_ids())


def test_the_index_names_every_file_and_nothing_else():
    there = {one.name for one in files("example_studies").iterdir() if one.name.endswith(".yaml")}

    assert there == {"index.yaml", *(f"{id_}.yaml" for id_ in example_ids())}


@pytest.mark.parametrize("one", listed(), ids=lambda one: one.id)
def test_words_are_short_and_whole(one):
    assert one.shows in KINDS and one.refers and len(one.title) <= 30  # what a card has room for
    assert one.line.endswith(".") and len(one.line) <= 110 and one.line[0] == one.line[0].upper()


@pytest.mark.parametrize("id_", example_ids())
def test_it_opens_without_a_refused_row(id_):
    refused = [(row.entry.id, row.machine, row.reason) for row in shown(id_).placed.rows if not row.placement]

    assert refused == [] and shown(id_).placed.rows


@pytest.mark.parametrize("id_", example_ids())
def test_it_says_what_it_shows_and_shows_it(id_):
    study, example = shown(id_).study, find_example(id_)
    front = study.panels.get("front", {}).get("tab")

    assert len(study.notes) > 80
    assert front == (None if example.shows == "canvas" else example.shows)
    assert front is None or front in FRONTS


@pytest.mark.parametrize("id_", example_ids())
def test_panels_name_what_the_study_has(id_):
    study = shown(id_).study
    ids = {one.id for one in study.entries}
    panels = study.panels
    named = {*panels.get("sweep", {}).get("entries", ())}
    named |= {panels[one]["entry"] for one in ("grid", "budget", "serving") if "entry" in panels.get(one, {})}
    chain = panels.get("fusion", {}).get("chain")

    assert named <= ids
    assert chain is None or chain in {one.id for one in study.chains}
    assert {one.variant_of for one in study.entries} - {None} <= ids
    assert study.unknown == {} and all(not one.unknown for one in (*study.entries, study.view))


@pytest.mark.parametrize("id_", example_ids())
def test_a_sweep_runs_over_its_whole_range(id_):
    panel = shown(id_).study.panels.get("sweep")
    for entry in panel["entries"] if panel else ():
        result = shown(id_).swept(entry, panel["low"], panel["high"])
        assert result.refusals == 0


@pytest.mark.parametrize("id_", example_ids())
def test_every_panel_takes_its_settings_as_written(id_):
    one = shown(id_)
    panels = one.study.panels
    if "sweep" in panels:
        wanted, read = panels["sweep"], sweep_spec(one.placed, registry())
        assert (list(read.entries), "=".join(read.names)) == (wanted["entries"], wanted["parameter"])
        assert (read.low, read.high, read.is_log) == (wanted["low"], wanted["high"], wanted["scale"] == "log")
        assert read.figure == wanted["figure"]
    if "grid" in panels:
        wanted, read = panels["grid"], grid_spec(one.placed, registry())
        assert (read.entry, read.shown) == (wanted["entry"], wanted["shown"])
        assert (list(read.boundaries), list(read.dtypes)) == (wanted["boundaries"], wanted["dtypes"])
        assert list(read.machines) == wanted.get("machines", [H100])
    if "probe" in panels:
        assert vars_of(probe_choice(panels["probe"]), panels["probe"]) == panels["probe"]
    if "serving" in panels:
        assert vars_of(serving_panel(one.study), panels["serving"]) == panels["serving"]


def vars_of(read, wanted):
    return {name: getattr(read, name) for name in wanted}


def test_machines_are_those_that_ship():
    there = {one.id for one in shipped_profiles()}

    assert all(set(machines_of(load_example(id_))) <= there for id_ in example_ids())


def test_a_saved_example_holds_its_machines(tmp_path):
    study = shown("table-1").study
    save_study(study, tmp_path / "mine.study")
    again = load_study(tmp_path / "mine.study")

    assert (again.entries, again.view, again.panels, again.notes) == (
        study.entries,
        study.view,
        study.panels,
        study.notes,
    )
    assert set(again.profiles) == set(machines_of(study)) and len(again.profiles) == 7


def test_only_named_machines_are_copied():
    profiles = [one.load() for one in shipped_profiles()]

    assert list(with_machines(load_example("figure-01"), profiles).profiles) == [H100]


def test_a_wrong_id_offers_the_nearest():
    with pytest.raises(StudyFileError, match=r"No example is called 'figur-7'. Did you mean 'figure-0?"):
        load_example("figur-7")
    assert find_example(" Figure-07 ").id == "figure-07"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("figure 7", "figure-07"),
        ("ADAM", "figure-15"),
        ("worked example", "intensity-step-6"),
        ("staircase", "intensity-staircase"),
        ("fusion bench", "lab-3"),
    ],
)
def test_search_finds_by_any_word(text, found):
    ids = [one.id for group in matching(text) for one in group.examples]

    assert 0 < len(ids) < len(example_ids())
    assert found in ids


def test_search_for_nothing_lists_all_and_for_nonsense_none():
    assert matching("") == example_groups()
    assert matching("zzz") == ()
