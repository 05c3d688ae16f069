"""``rooflinestudio profiles check`` on the command line: findings, reasons, files that cannot be read."""

from __future__ import annotations

import json

import pytest

from rooflinestudio.cli import catalog, main
from rooflinestudio.core.profile_files import dump_profile
from rooflinestudio.ui.settings import profiles_folder
from tests.core.profile_check.machines import GOOD
from tests.core.profile_text import PROFILE_TEXT


@pytest.fixture(autouse=True)
def _fresh_catalog():
    catalog.registry.cache_clear()
    yield
    catalog.registry.cache_clear()


def written(tmp_path, text, name="machine.yaml"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def answer(capsys, *arguments):
    code = main(["profiles", "check", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


SPARSE = dump_profile(GOOD).replace("1.6384 PFLOP/s", "3.2768 PFLOP/s", 1)


def test_the_sparse_rate_is_the_one_of_fp8():
    assert dump_profile(GOOD) != SPARSE
    assert SPARSE.index("fp8-tensor") < SPARSE.index("3.2768 PFLOP/s") < SPARSE.index("int8-tensor")


def test_a_clean_file_says_so(capsys, tmp_path):
    code, out, err = answer(capsys, written(tmp_path, dump_profile(GOOD)))
    assert (code, out, err) == (0, "good-hopper: sound\n", "")


def test_a_finding_is_printed_with_figure_reason_and_likely_value(capsys, tmp_path):
    code, out, _ = answer(capsys, written(tmp_path, SPARSE))
    assert code == 1
    first, *rest = out.splitlines()
    assert first == "good-hopper: 1 finding"
    text = "\n".join(rest)
    assert "ceilings.fp8-tensor" in text
    assert "fp8 tensor rate is 3.277 PFLOP/s" in text and "Hopper" in text
    assert "likely 1.638 PFLOP/s" in text
    assert "sparse/ceilings.fp8-tensor" in text


def test_a_reason_in_the_file_closes_it_quietly(capsys, tmp_path):
    reason = "explained:\n  sparse/ceilings.fp8-tensor: It multiplies sparse only.\n"
    code, out, _ = answer(capsys, written(tmp_path, f"{SPARSE}\n{reason}"))
    assert code == 0
    assert out.splitlines() == [
        "good-hopper: sound (1 explained)",
        "  explained  sparse/ceilings.fp8-tensor: It multiplies sparse only.",
    ]


def test_json_has_everything_a_script_needs(capsys, tmp_path):
    code, out, _ = answer(capsys, written(tmp_path, SPARSE), "--json")
    (document,) = json.loads(out, parse_constant=pytest.fail)
    assert code == 1
    assert (document["id"], document["open"], document["faults"]) == ("good-hopper", 1, [])
    (finding,) = document["findings"]
    assert finding["id"] == "sparse/ceilings.fp8-tensor"
    assert finding["place"] == ["ceilings", "fp8-tensor"]
    assert (finding["kind"], finding["severity"], finding["unit"]) == ("sparse", "wrong", "FLOP/s")
    assert (finding["value"], finding["likely"]) == (3.2768e15, 1.6384e15)
    assert finding["explained"] is None and finding["text"] and finding["mend"]


def test_a_file_that_cannot_be_read_ends_with_two_and_all_its_faults(capsys, tmp_path):
    broken = PROFILE_TEXT.replace("2 TB/s", "2 Tb/s").replace("year: 2026\n", "")
    path = written(tmp_path, broken)
    code, out, err = answer(capsys, path)
    assert code == 2
    assert "cannot be read" in out and "Tb/s" in out and "year is missing" in out
    assert path in err
    code, out, _ = answer(capsys, path, "--json")
    (document,) = json.loads(out)
    assert code == 2 and len(document["faults"]) == 2 and document["findings"] == []


def test_a_name_that_nothing_has_is_refused(capsys):
    code, out, err = answer(capsys, "no-such-machine")
    assert (code, out) == (2, "")
    assert "no-such-machine" in err


def test_one_shipped_profile_is_checked_by_a_part_of_its_id(capsys):
    code, out, _ = answer(capsys, "h100-sxm5")
    assert code == 0 and out.startswith("nvidia-h100-sxm5: sound")


def test_without_a_name_all_shipped_ones_and_the_users_own_are_checked(capsys):
    code, out, _ = answer(capsys)
    assert code == 0
    assert "nvidia-h100-sxm5: sound" in out and "amd-mi300x: sound" in out
    folder = profiles_folder()
    folder.mkdir(parents=True)
    (folder / "mine.yaml").write_text(SPARSE, encoding="utf-8")
    catalog.registry.cache_clear()
    code, out, _ = answer(capsys)
    assert code == 1
    assert out.count("good-hopper: 1 finding") == 1
    (folder / "broken.yaml").write_text("format: rooflinestudio-profile/1\nid: x\n", encoding="utf-8")
    catalog.registry.cache_clear()
    code, out, _ = answer(capsys)
    assert code == 2
    assert "broken.yaml: cannot be read" in out and "good-hopper: 1 finding" in out


def test_a_file_of_the_user_behind_a_shipped_id_is_checked_too(capsys):
    folder = profiles_folder()
    folder.mkdir(parents=True)
    text = SPARSE.replace("id: good-hopper", "id: nvidia-h100-sxm5")
    (folder / "h100.yaml").write_text(text, encoding="utf-8")
    code, out, _ = answer(capsys, "--json")
    named = [one for one in json.loads(out) if one["id"] == "nvidia-h100-sxm5"]
    assert code == 1
    shipped, mine = named
    assert (shipped["open"], shipped["file"]) == (0, None)
    assert mine["open"] > 0 and mine["file"].endswith("h100.yaml")
