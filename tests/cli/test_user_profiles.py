"""Machines of the user's folder on the command line."""

from __future__ import annotations

import json

import pytest

from rooflinestudio.cli import catalog, main
from rooflinestudio.core.profile_edit.copies import duplicate
from rooflinestudio.core.profile_edit.folder import save_profile
from rooflinestudio.ui.settings import profiles_folder
from tests.core.profiles import H100


@pytest.fixture(autouse=True)
def _fresh_catalog():
    catalog.registry.cache_clear()
    yield
    catalog.registry.cache_clear()


def answer(capsys, *arguments):
    code = main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_machine_of_the_users_folder_is_found_by_its_id_and_listed(capsys):
    save_profile(duplicate(H100, "Rack 7", ()), profiles_folder())

    code, out, _ = answer(capsys, "eval", "gemm", "m=4096", "n=4096", "k=4096", "--on", "rack-7", "--json")
    assert code == 0
    assert "rack-7" in json.dumps(json.loads(out))
    code, out, _ = answer(capsys, "profiles")
    assert code == 0
    assert "rack-7" in out


def test_a_file_that_is_no_profile_is_told_and_costs_only_itself(capsys):
    profiles_folder().mkdir(parents=True)
    (profiles_folder() / "broken.yaml").write_text("hello: there\n")

    code, out, error = answer(capsys, "eval", "gemm", "m=64", "n=64", "k=64", "--on", "nvidia-h100-sxm5")

    assert code == 0
    assert "broken.yaml" in error
    assert out
