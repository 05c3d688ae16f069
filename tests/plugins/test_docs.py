"""The page for authors and the examples at the hooks: complete, and they run."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path
from typing import get_args

import pytest

import rooflinestudio.plugins as api
from rooflinestudio.core.resolution import resolve_dtypes, resolve_parameters
from rooflinestudio.plugins import arithmetic, hookspecs, testing
from rooflinestudio.plugins.discovery import DISABLE_VARIABLE, installed_entries
from rooflinestudio.plugins.rows import PluginState
from tests.plugins.conftest import row_of

PAGE = (Path(__file__).parents[2] / "docs" / "plugins.md").read_text(encoding="utf-8")
HOOKS = [
    name
    for name, _ in inspect.getmembers(hookspecs, inspect.isfunction)
    if name.startswith("rooflinestudio_")
]


def block(language: str, words: str) -> str:
    """The code block of the page that holds some words."""
    (found,) = [one for one in re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL) if words in one]
    return found


def signature(name: str) -> str:
    return f"{name}{inspect.signature(getattr(hookspecs, name))}".replace("'", "")


# --------------------------------------------------------------------------------------- the page


def test_there_are_three_hooks_and_a_plugin_is_asked_for_all_of_them():
    assert len(HOOKS) == 3
    assert sorted(HOOKS) == sorted(hookspecs.hook_names())


@pytest.mark.parametrize("name", HOOKS)
def test_every_hook_has_a_heading_with_its_exact_signature(name):
    assert f"### `{signature(name)}`\n" in PAGE


@pytest.mark.parametrize("name", [*api.__all__, *testing.__all__])
def test_every_public_name_is_on_the_page(name):
    assert re.search(rf"`{name}\b", PAGE)


@pytest.mark.parametrize("name", sorted(set(arithmetic.__all__) - {"Num", "is_number"}))
def test_every_helper_of_arithmetic_is_on_the_page(name):
    assert f"`{name}`" in PAGE


@pytest.mark.parametrize("word", [*get_args(PluginState), DISABLE_VARIABLE])
def test_every_state_and_the_variable_are_on_the_page(word):
    assert word in PAGE


def test_the_page_names_no_hook_that_does_not_exist():
    assert set(re.findall(r"rooflinestudio_\w+", PAGE)) == set(HOOKS)


# ------------------------------------------------------------------------------------ the example


@pytest.fixture
def example(site):
    """The example as installed: its module beside metadata with the entry point of its pyproject.toml."""
    project = tomllib.loads(block("toml", "entry-points"))["project"]
    ((name, module),) = project["entry-points"]["rooflinestudio"].items()
    (site.folder / f"{module}.py").write_text(block("python", "class EmbeddingBag"), encoding="utf-8")
    site.modules.append(module)
    site.add(project["name"], "", version=project["version"], entry=name, point=module)
    return site


def test_the_example_loads_as_a_plugin(example):
    host = example.host()

    row = row_of(host, "acme-ops")
    assert (row.name, row.version, row.state, row.problems) == ("acme", "1.0.0", "loaded", ())
    operator = host.registry.operator("acme.embedding_bag")
    given = resolve_parameters(operator, {"samples": 10, "rows": 3, "width": 8})
    estimate = host.registry.estimate(operator, given, resolve_dtypes(operator, {}))
    assert estimate.work == {"fp32": 2 * 10 * 3 * 8}
    (formula,) = estimate.formulas()
    assert formula.values == "2·10·3·8"


def test_the_test_of_the_example_passes(example):
    scope: dict = {}
    exec(block("python", "assert_conformant"), scope)

    scope["test_embedding_bag_conforms"]()


def test_the_example_can_be_evaluated_as_the_page_says(example):
    command = re.search(r"rooflinestudio (eval .*)\n", PAGE)[1].split()
    done = subprocess.run(
        [sys.executable, "-m", "rooflinestudio", *command],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        cwd=Path(__file__).parents[2],
        env={**__import__("os").environ, "PYTHONPATH": str(example.folder), DISABLE_VARIABLE: "0"},
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_example_of_a_folder_of_machines_loads(site):
    module = site.add("acme-machines", block("python", "machines"))
    shipped = next(Path(__file__).parents[2].glob("hardware_profiles/nvidia-h100-sxm5.yaml"))
    (site.folder / "machines").mkdir()
    text = shipped.read_text(encoding="utf-8").replace("id: nvidia-h100-sxm5", "id: acme-h100", 1)
    (site.folder / "machines" / "acme-h100.yaml").write_text(text, encoding="utf-8")
    assert module

    host = site.host()

    assert row_of(host, "acme-machines").profiles == ("acme-h100",)
    assert host.registry.load_profile("acme-h100").id == "acme-h100"


# ------------------------------------------------------------------------- examples at the hooks


def example_of(name: str) -> str:
    doc = inspect.getdoc(getattr(hookspecs, name))
    return textwrap.dedent(doc.split(".. code-block:: python\n", 1)[1])


@pytest.mark.parametrize("name", HOOKS)
def test_the_example_at_a_hook_loads_and_answers_that_hook(site, name):
    site.add("acme-ops", example_of(name))

    row = row_of(site.host(), "acme-ops")

    assert (row.state, row.problems) == ("loaded", ())
    brought = {
        "rooflinestudio_operators": row.operators,
        "rooflinestudio_hardware_profiles": row.profiles,
        "rooflinestudio_measurement_readers": row.readers,
    }
    assert [hook for hook, ids in brought.items() if ids] == [name]


def test_the_operator_of_the_example_conforms(site):
    site.add("acme-ops", example_of("rooflinestudio_operators"))

    testing.assert_conformant(site.host().registry.operator("acme.axpby"))


def test_the_profile_of_the_example_is_complete(site):
    site.add("acme-ops", example_of("rooflinestudio_hardware_profiles"))

    profile = site.host().registry.load_profile("acme-npu-1")

    assert profile.ridge() == pytest.approx(200e12 / 410e9)


def test_the_reader_of_the_example_reads(site, tmp_path):
    site.add("acme-ops", example_of("rooflinestudio_measurement_readers"))
    path = tmp_path / "a.times"
    path.write_bytes(b"acme-times/1\nvoid gemm<128, 64>(float*),12.5\nsoftmax,3\n")
    (reader,) = site.host().registry.readers

    assert reader.recognises(path.read_bytes(), "a.times")
    assert not reader.recognises(b"ID,Kernel Name", "a.csv")
    file = reader.read(path)
    assert [(one.kernel, one.time_s) for one in file.measurements] == [
        ("void gemm<128, 64>(float*)", pytest.approx(12.5e-6)),
        ("softmax", pytest.approx(3e-6)),
    ]


@pytest.mark.parametrize("name", HOOKS)
def test_every_hook_says_when_it_is_called_and_what_an_error_costs(name):
    doc = inspect.getdoc(getattr(hookspecs, name))

    assert "When it is called:" in doc
    assert "On error:" in doc


def test_the_declared_hooks_do_nothing_themselves():
    for name in HOOKS:
        with pytest.raises(NotImplementedError):
            getattr(hookspecs, name)()


# --------------------------------------------------------------------------------- the public module


def test_every_public_name_can_be_imported():
    for name in api.__all__:
        assert getattr(api, name) is not None
    assert set(api.__all__) <= set(dir(api))


def test_a_name_that_is_not_public_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Roofline'"):
        _ = api.Roofline


def test_the_built_in_plugins_use_only_what_the_page_names():
    import ast

    for entry in installed_entries():
        if entry.foreign:
            continue
        path = Path(inspect.getfile(entry.load()))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "rooflinestudio.plugins":
                assert {alias.name for alias in node.names} <= set(api.__all__)
