from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from rooflinestudio.core.errors import ProfileError
from rooflinestudio.core.profile_files import find_profile, load_profile, profile_index, shipped_profiles
from tests.core.profile_text import PROFILE_TEXT, changed

# --------------------------------------------------------------------------------------------- index


def write(folder, name, text):
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


def test_the_index_lists_shipped_profiles_and_those_of_the_user(tmp_path):
    write(tmp_path, "one.yaml", PROFILE_TEXT)

    index = profile_index(tmp_path)

    assert {entry.id for entry in index} == {"acme-one"} | {entry.id for entry in shipped_profiles()}
    (own,) = (entry for entry in index if not entry.shipped)
    assert (own.id, own.name, own.short_name, own.vendor, own.year) == (
        "acme-one",
        "Acme One 80 GB",
        "One",
        "Acme",
        2026,
    )
    assert own.label == "Acme One 80 GB"
    assert own.path == str(tmp_path / "one.yaml")
    assert index.problems == ()
    assert own.load() == load_profile(PROFILE_TEXT)
    assert own.load() is own.load()


def test_a_folder_that_is_not_there_holds_nothing(tmp_path):
    assert profile_index(tmp_path / "none", shipped=False) == ()


UNUSUAL = {
    "quoted": PROFILE_TEXT.replace("vendor: Acme", "vendor: 'Acme'"),
    "other order": PROFILE_TEXT.replace("id: acme-one\n", "") + "id: acme-one\n",
    "flow style": yaml.safe_dump(yaml.safe_load(PROFILE_TEXT), default_flow_style=True, width=10_000),
    "comments": "# mine\n\n" + PROFILE_TEXT.replace("vendor: Acme", "vendor: Acme # GmbH"),
    "CRLF and BOM": "\ufeff" + PROFILE_TEXT.replace("\n", "\r\n"),
}


@pytest.mark.parametrize("text", UNUSUAL.values(), ids=UNUSUAL.keys())
def test_the_index_agrees_with_the_file_however_it_is_written(tmp_path, text):
    write(tmp_path, "one.yml", text)

    (entry,) = profile_index(tmp_path, shipped=False)

    assert (entry.id, entry.name, entry.short_name, entry.vendor, entry.year) == (
        "acme-one", "Acme One 80 GB", "One", "Acme", 2026,
    )  # fmt: skip


def test_a_file_that_is_no_profile_is_a_problem_and_costs_only_itself(tmp_path):
    write(tmp_path, "a.yaml", "This is no profile.")
    write(tmp_path, "b.yaml", PROFILE_TEXT)
    write(tmp_path, "notes.txt", "no")
    write(tmp_path, ".hidden.yaml", "no")
    (tmp_path / "folder.yaml").mkdir()

    index = profile_index(tmp_path, shipped=False)

    assert [entry.id for entry in index] == ["acme-one"]
    assert len(index.problems) == 1
    assert "a.yaml" in index.problems[0]


def test_a_file_with_a_fault_further_down_is_told_when_it_is_used(tmp_path):
    write(tmp_path, "one.yaml", changed("value: 80 GB", "value: 80 Gb"))

    (entry,) = profile_index(tmp_path, shipped=False)

    with pytest.raises(ProfileError, match=r"one\.yaml, line \d+: boundaries\.dram\.capacity"):
        entry.load()


def test_a_users_copy_of_a_shipped_profile_is_reported_and_used_only_when_asked_for(tmp_path):
    write(tmp_path, "mine.yaml", PROFILE_TEXT.replace("acme-one", "nvidia-h100-sxm5"))

    shipped = find_profile(profile_index(tmp_path), "nvidia-h100-sxm5")
    mine = find_profile(profile_index(tmp_path, user_wins=True), "nvidia-h100-sxm5")

    assert (shipped.shipped, shipped.name) == (True, "H100 SXM5 80 GB")
    assert (mine.shipped, mine.name) == (False, "Acme One 80 GB")
    for index, used in (
        (profile_index(tmp_path), "the shipped profile is used"),
        (profile_index(tmp_path, user_wins=True), "mine.yaml is used"),
    ):
        assert len(index) == len(shipped_profiles())
        assert len(index.problems) == 1
        assert "'nvidia-h100-sxm5'" in index.problems[0]
        assert used in index.problems[0]


def test_of_two_own_files_with_one_id_the_first_counts(tmp_path):
    write(tmp_path, "a.yaml", PROFILE_TEXT)
    write(tmp_path, "b.yaml", PROFILE_TEXT.replace("Acme One 80 GB", "Another"))

    index = profile_index(tmp_path, shipped=False, user_wins=True)

    assert [entry.name for entry in index] == ["Acme One 80 GB"]
    assert str(tmp_path / "b.yaml") in index.problems[0]
    assert f"{tmp_path / 'a.yaml'} is used" in index.problems[0]


def test_looking_at_the_index_loads_nothing_heavy():
    code = (
        "import sys; from rooflinestudio.core.profile_files import find_profile, shipped_profiles;"
        "entry = find_profile(shipped_profiles(), 'h100-sxm5');"
        "assert not {'yaml', 'pydantic', 'numpy', 'PySide6', 'pluggy'} & set(sys.modules), sorted(sys.modules);"
        "print(entry.load().short_name)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.stdout == "H100 SXM5\n", done.stderr


# ------------------------------------------------------------------------------------------- finding


class Named:
    def __init__(self, id_, name="", label=""):
        self.id, self.name, self.label = id_, name, label


MACHINES = [
    Named("nvidia-h100-sxm5", "H100 SXM5 80 GB"),
    Named("nvidia-h100-pcie", "H100 PCIe 80 GB"),
    Named("nvidia-b200", "B200 SXM"),
    Named("nvidia-gb200", "GB200"),
    Named("nvidia-l40", "L40"),
    Named("nvidia-l40s", "L40S"),
    Named("amd-mi300x", "Instinct MI300X"),
    Named("acme-npu-1", label="Neural Pump"),
]


@pytest.mark.parametrize(
    ("text", "id_"),
    [
        ("nvidia-h100-sxm5", "nvidia-h100-sxm5"),
        ("NVIDIA-H100-SXM5", "nvidia-h100-sxm5"),
        ("h100 sxm5", "nvidia-h100-sxm5"),
        ("sxm5", "nvidia-h100-sxm5"),
        ("pcie", "nvidia-h100-pcie"),
        ("b200", "nvidia-b200"),  # although gb200 has it too
        ("gb2", "nvidia-gb200"),
        ("l40", "nvidia-l40"),
        ("l40s", "nvidia-l40s"),
        ("mi300", "amd-mi300x"),
        ("amd", "amd-mi300x"),
        ("instinct", "amd-mi300x"),
        ("H100_PCIe", "nvidia-h100-pcie"),
        ("neural", "acme-npu-1"),
        ("B200 SXM", "nvidia-b200"),
    ],
)
def test_an_id_or_any_part_that_only_one_has_names_a_profile(text, id_):
    assert find_profile(MACHINES, text).id == id_


def test_a_part_that_several_have_is_refused_with_all_of_them():
    with pytest.raises(
        ProfileError, match="'h100' fits several machines: nvidia-h100-sxm5, nvidia-h100-pcie"
    ):
        find_profile(MACHINES, "h100")
    with pytest.raises(ProfileError, match="fits several machines"):
        find_profile(MACHINES, "nvidia")


def test_what_none_has_is_refused_with_the_nearest():
    with pytest.raises(
        ProfileError, match=r"No machine is called 'nvidia-h100-sxm4'\. Did you mean 'nvidia-h100-sxm5'"
    ):
        find_profile(MACHINES, "nvidia-h100-sxm4")
    with pytest.raises(ProfileError, match=r"Known: nvidia-h100-sxm5, .*acme-npu-1"):
        find_profile(MACHINES, "qqqqq")


@pytest.mark.parametrize("text", ["", "  ", "-"])
def test_an_empty_name_is_refused(text):
    with pytest.raises(ProfileError, match="No machine is named by"):
        find_profile(MACHINES, text)


def test_profiles_themselves_can_be_found_too():
    assert find_profile([load_profile(PROFILE_TEXT)], "acme one").name == "Acme One 80 GB"


def test_without_any_profile_none_is_found():
    with pytest.raises(ProfileError, match="none"):
        find_profile([], "h100")
