"""Kernels of a study and of the user's folder over the operators of plugins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rooflinestudio.core.custom.kernels import (
    KernelFile,
    kernel_from_document,
    kernel_to_document,
    load_kernel,
)
from rooflinestudio.core.errors import RefusedError, UnavailableError
from rooflinestudio.core.operators import OperatorOrigin
from rooflinestudio.core.placing import evaluate, place
from rooflinestudio.core.resolution import resolve_dtypes, resolve_parameters
from rooflinestudio.core.settings import Settings
from rooflinestudio.core.study import Entry, PluginRef, Study, View
from rooflinestudio.core.study_files import load_study, save_study
from rooflinestudio.plugins import LayeredSource
from rooflinestudio.plugins.declarations import operator_faults
from rooflinestudio.plugins.registry import Registry
from tests.core.custom_kernel_texts import AXPY, MATMUL, TEXTS
from tests.core.profiles import TINY
from tests.plugins.operators import FOREIGN, OWN, Row

AXPY_KERNEL = load_kernel(AXPY)
BROKEN = {"format": "rooflinestudio-kernel/1", "id": "my.axpy", "label": "x", "work": {"vector": "open('x')"}}


class Gemm(Row):
    id = "gemm"


@pytest.fixture
def registry():
    return Registry([(Gemm(), OWN), (Row(), FOREIGN)])


def file(kernel, path):
    return KernelFile(path / f"{kernel.id}.yaml", kernel)


def documents(*kernels):
    return {one.id: kernel_to_document(one) for one in kernels}


def changed(**changes):
    return kernel_from_document({**kernel_to_document(AXPY_KERNEL), **changes})


def study_with(kernels, operator="my.axpy", **entry):
    return Study(
        entries=(Entry("one", operator, **entry),),
        profiles={TINY.id: TINY},
        kernels=kernels,
        view=View(machines=(TINY.id,), policy="compulsory"),
    )


@pytest.mark.parametrize("name", TEXTS)
def test_a_kernel_declares_itself_as_an_operator_must(name):
    assert list(operator_faults(load_kernel(TEXTS[name]))) == []


def test_kernels_stand_beside_the_operators_of_plugins(registry, tmp_path):
    source = LayeredSource(
        registry, study=documents(AXPY_KERNEL), user=(file(load_kernel(MATMUL), tmp_path),)
    )

    assert [one.id for one in source.operators] == ["acme.row", "gemm", "acme.matmul", "my.axpy"]
    assert source.origin("my.axpy") == OperatorOrigin("study", AXPY_KERNEL.version)
    assert source.origin("acme.matmul").plugin == "your kernels"
    assert source.origin("gemm") == OWN
    assert source.operator("gemm") is registry.operator("gemm")
    assert "my.axpy" in source
    assert "my.axpy" not in registry  # which is as it was
    assert source.problems == {}


def test_a_kernel_is_evaluated_as_any_operator(registry):
    source = LayeredSource(registry, study=documents(AXPY_KERNEL))

    placement = evaluate(source, "my.axpy", {"n": 1000}, {}, TINY, Settings())

    assert placement.time_s == 12_000 / 10  # 12 bytes an element at 10 B/s, and 2000 FLOP at 100 FLOP/s
    assert placement.work_flop == 2000
    assert source.details(placement) == {}


def test_operators_of_plugins_are_asked_as_before(registry):
    source = LayeredSource(registry, study=documents(AXPY_KERNEL))
    operator = source.operator("acme.row")

    estimate = source.estimate(operator, resolve_parameters(operator, {"n": 3}), resolve_dtypes(operator, {}))

    assert estimate.work == {"fp32": 24}


def test_the_study_goes_before_the_users_folder_and_says_that_they_differ(registry, tmp_path):
    mine = changed(label="Mine")

    source = LayeredSource(registry, study=documents(AXPY_KERNEL), user=(file(mine, tmp_path),))

    assert source.operator("my.axpy").label == "AXPY"
    assert source.differs("my.axpy")
    assert not LayeredSource(registry, study=documents(mine), user=(file(mine, tmp_path),)).differs("my.axpy")


def test_the_users_folder_gives_way_to_a_plugin_and_says_so(registry, tmp_path):
    source = LayeredSource(registry, user=(file(changed(id="acme.row"), tmp_path),))

    assert source.operator("acme.row") is registry.operator("acme.row")
    assert "acme-ops" in source.problems["acme.row.yaml"]
    assert len(source.operators) == 2


def test_a_study_means_its_own_kernel_even_where_a_plugin_has_one_of_that_id(registry):
    source = LayeredSource(registry, study=documents(changed(id="acme.row")))

    assert source.origin("acme.row").plugin == "study"
    assert [one.label for one in source.operators if one.id == "acme.row"] == ["AXPY"]


def test_a_kernel_cannot_hide_a_built_in(registry):
    document = {**kernel_to_document(AXPY_KERNEL), "id": "gemm"}

    source = LayeredSource(registry, study={"gemm": document})

    assert source.operator("gemm") is registry.operator("gemm")
    assert "without a point" in source.problems["gemm"]


# --------------------------------------------------------------------------------------------- what is broken


def test_a_broken_kernel_of_the_study_is_unavailable_with_the_reason(registry):
    placed = place(study_with({"my.axpy": BROKEN}), {}, LayeredSource(registry, study={"my.axpy": BROKEN}))

    (row,) = placed.rows
    assert row.state == "unavailable"
    assert "The kernel 'my.axpy' of this study" in row.reason
    assert "open" in row.reason


def test_a_broken_kernel_is_written_back_as_it_was(registry, tmp_path):
    document = {**BROKEN, "of tomorrow": [1, 2]}
    study = place(
        study_with({"my.axpy": document}), {}, LayeredSource(registry, study={"my.axpy": document})
    ).study

    save_study(study, tmp_path / "a.study")

    assert load_study(tmp_path / "a.study").kernels == {"my.axpy": document}


@pytest.mark.parametrize("document", [None, 3, "text", [], {"format": "rooflinestudio-kernel/9"}])
def test_nonsense_in_a_study_costs_only_its_own_entry(registry, document):
    source = LayeredSource(registry, study={"my.axpy": document, **documents(load_kernel(MATMUL))})

    with pytest.raises(UnavailableError, match=r"my\.axpy"):
        source.operator("my.axpy")
    assert source.operator("acme.matmul").label == "Matmul"
    assert "my.axpy" not in source
    assert list(source.problems) == ["my.axpy"]


def test_a_good_kernel_of_the_user_does_not_silently_replace_a_broken_one(registry, tmp_path):
    source = LayeredSource(registry, study={"my.axpy": BROKEN}, user=(file(AXPY_KERNEL, tmp_path),))

    with pytest.raises(UnavailableError):
        source.operator("my.axpy")


def test_a_kernel_under_another_name_than_its_own_is_not_used(registry):
    source = LayeredSource(registry, study={"my.other": kernel_to_document(AXPY_KERNEL)})

    with pytest.raises(UnavailableError, match=r"calls itself 'my\.axpy'"):
        source.operator("my.other")


def test_a_kernel_that_is_nowhere_says_where_it_was_looked_for(registry):
    placed = place(study_with({}, plugin=PluginRef("your kernels", "12ab34cd")), {}, LayeredSource(registry))

    assert placed.rows[0].state == "unavailable"
    assert "neither in this study nor in your folder" in placed.rows[0].reason
    assert placed.rows[0].reason.endswith("It was placed with your kernels 12ab34cd.")


def test_an_unknown_operator_is_told_as_ever(registry):
    with pytest.raises(UnavailableError, match="did you mean 'gemm'"):
        LayeredSource(registry).operator("gem")


def test_a_file_with_a_problem_is_listed(registry, tmp_path):
    source = LayeredSource(registry, user=(KernelFile(tmp_path / "x.yaml", None, "x.yaml is empty."),))

    assert source.problems == {"x.yaml": "x.yaml is empty."}


# -------------------------------------------------------------------------------------------------- the guard


def test_an_impossible_figure_is_refused_with_the_kernels_name(registry):
    kernel = changed(work={"vector": "n - 10"})
    placed = place(
        study_with(documents(kernel), parameters={"n": 3}),
        {},
        LayeredSource(registry, study=documents(kernel)),
    )

    (row,) = placed.rows
    assert row.state == "refused"
    assert "my.axpy: work on vector: 'n - 10' is -7" in row.reason


def test_what_slips_through_a_kernel_is_caught_by_the_guard_of_the_registry(registry, monkeypatch):
    source = LayeredSource(registry, study=documents(AXPY_KERNEL))
    kernel = source.operator("my.axpy")
    estimate = kernel.estimate(resolve_parameters(kernel, {}), resolve_dtypes(kernel, {}))
    monkeypatch.setattr(kernel, "estimate", lambda *_: replace(estimate, work={"fp32": float("nan")}))

    with pytest.raises(RefusedError, match=r"my.axpy of study \w{8} answered .*nan"):
        source.estimate(kernel, resolve_parameters(kernel, {}), resolve_dtypes(kernel, {}))


def test_a_sweep_through_the_source_is_one_call(registry):
    source = LayeredSource(registry, study=documents(AXPY_KERNEL))

    placement = evaluate(source, "my.axpy", {"n": np.array([1.0, 10.0])}, {}, TINY, Settings())

    assert placement.time_s.tolist() == [1.2, 12.0]


# -------------------------------------------------------------------------------------------------- what changes


def test_the_same_kernels_keep_the_source(registry):
    source = LayeredSource(registry, study=documents(AXPY_KERNEL))

    assert source.with_study(documents(AXPY_KERNEL)) is source


def test_an_edit_makes_a_new_source_and_leaves_the_old_one(registry, tmp_path):
    source = LayeredSource(registry, user=(file(load_kernel(MATMUL), tmp_path),))

    edited = source.with_study(documents(AXPY_KERNEL))

    assert "my.axpy" in edited
    assert "my.axpy" not in source
    assert "acme.matmul" in edited
    assert edited.document("my.axpy") == kernel_to_document(AXPY_KERNEL)
    assert edited.document("gemm") is None
    assert edited.with_user(()).kernel("acme.matmul") is None
    assert [one.id for one in edited.with_registry(Registry()).operators] == ["acme.matmul", "my.axpy"]


def test_machines_and_readers_are_those_of_the_registry(registry):
    source = LayeredSource(registry)

    assert (source.profiles, source.readers, source.rows) == (
        registry.profiles,
        registry.readers,
        registry.rows,
    )
    assert source.registry is registry
