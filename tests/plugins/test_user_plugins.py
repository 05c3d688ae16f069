"""Single files in the user's folder: nothing runs before the user has allowed exactly that content."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import pytest

from rooflinestudio.core.errors import PluginError
from rooflinestudio.plugins.host import PluginHost
from rooflinestudio.plugins.user_plugins import LARGEST_BYTES, UserPlugins
from tests.plugins.conftest import good_plugin, row_of

MARK = "import pathlib\npathlib.Path(__file__).with_suffix('.ran').touch()\n"


@pytest.fixture
def user(tmp_path):
    folder = tmp_path / "plugins"
    folder.mkdir()
    return UserPlugins(folder, tmp_path / "config" / "allowed-plugins.json")


@pytest.fixture(autouse=True)
def _forget_modules():
    yield
    for name in [name for name in sys.modules if name.startswith("rooflinestudio_user_plugins")]:
        del sys.modules[name]


def write(user, name="mine.py", source=None):
    path = user.folder / name
    path.write_text(MARK + good_plugin("my.axpy") if source is None else source, encoding="utf-8")
    return path


def host_of(user, **options):
    host = PluginHost.discover(distributions=[], user_plugins=user, **{"disable": "", **options})
    host.load_foreign()
    return host


def allow(user, name="mine.py"):
    (file,) = [file for file in user.files() if file.name == name]
    user.allow(file)
    return file


def test_a_file_is_off_until_it_is_allowed_and_does_not_run(user):
    path = write(user)

    host = host_of(user)

    row = row_of(host, "mine.py")
    assert (row.name, row.state, row.foreign, row.operators) == ("mine", "disabled", True, ())
    assert "Not allowed yet" in row.reason
    assert not path.with_suffix(".ran").exists()


def test_an_allowed_file_is_loaded_like_any_foreign_plugin(user):
    path = write(user)
    allow(user)

    host = host_of(user)

    row = row_of(host, "mine.py")
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    assert (row.state, row.operators, row.version) == ("loaded", ("my.axpy",), sha256[:12])
    assert path.with_suffix(".ran").exists()
    origin = host.registry.origin("my.axpy")
    assert (origin.plugin, origin.version, origin.foreign) == ("mine.py", sha256[:12], True)


def test_a_permission_is_kept_for_the_next_start(user):
    write(user)
    allow(user)

    again = UserPlugins(user.folder, user.allowed_file)

    assert [file.permission for file in again.files()] == ["allowed"]
    assert not again.problem


def test_a_file_that_changed_must_be_allowed_again(user):
    path = write(user)
    allow(user)
    path.write_text(path.read_text() + "\n# one more line\n")

    row = row_of(host_of(user), "mine.py")

    assert row.state == "disabled"
    assert "Changed since it was allowed" in row.reason
    assert not path.with_suffix(".ran").exists()


def test_what_is_allowed_is_what_the_user_saw_not_what_came_later(user):
    path = write(user)
    (seen,) = user.files()
    path.write_text("raise AssertionError('never seen by the user')")

    user.allow(seen)

    assert [file.permission for file in user.files()] == ["changed"]


def test_what_runs_is_the_text_that_was_compared(user):
    path = write(user)
    allow(user)
    (file,) = user.files()
    path.write_text("raise AssertionError('swapped after the check')")

    module = file.load()

    assert [one.id for one in module.rooflinestudio_operators()] == ["my.axpy"]


def test_a_file_that_is_not_allowed_cannot_be_loaded_at_all(user):
    write(user)
    (file,) = user.files()

    with pytest.raises(PluginError, match=r"mine\.py is not loaded"):
        file.load()


def test_a_permission_can_be_taken_back(user):
    write(user)
    allow(user)

    user.disallow("mine.py")
    user.disallow("never-there.py")

    assert [file.permission for file in user.files()] == ["new"]


def test_a_file_allowed_while_the_studio_runs_is_loaded_at_the_next_call(user):
    write(user)
    host = host_of(user)
    before = host.registry
    allow(user)

    host.load_foreign()

    assert row_of(host, "mine.py").state == "loaded"
    assert "my.axpy" in host.registry
    assert "my.axpy" not in before


def test_allowing_one_file_allows_no_other(user):
    write(user)
    write(user, "other.py", good_plugin("other.axpy"))
    allow(user)

    assert {file.name: file.permission for file in user.files()} == {"mine.py": "allowed", "other.py": "new"}


@pytest.mark.parametrize(
    "options", [{"disable": "all"}, {"disable": "mine"}, {"disable": "mine.py"}, {"safe_mode": True}]
)
def test_allowed_files_can_be_turned_off_like_other_plugins(user, options):
    path = write(user)
    allow(user)

    host = host_of(user, **options)

    assert row_of(host, "mine.py").state == "disabled"
    assert not path.with_suffix(".ran").exists()
    assert host.notices == ()


def test_a_broken_file_is_a_row_with_its_line_and_costs_no_other(user):
    write(user, "broken.py", "\n\n1 / 0\n")
    write(user)
    allow(user, "broken.py")
    allow(user)

    host = host_of(user)

    assert row_of(host, "broken.py").state == "failed"
    assert "ZeroDivisionError: division by zero (broken.py, line 3)" in row_of(host, "broken.py").reason
    assert "my.axpy" in host.registry
    assert not [name for name in sys.modules if name.startswith("rooflinestudio_user_plugins.broken")]


def test_dataclasses_and_postponed_annotations_work_in_a_file(user):
    head = "from __future__ import annotations\nfrom dataclasses import dataclass\n"
    write(user, source=head + good_plugin("my.axpy") + "\n@dataclass\nclass A:\n    x: int = 1\n")
    allow(user)

    assert row_of(host_of(user), "mine.py").state == "loaded"


def test_a_file_with_hyphens_in_its_name_works(user):
    write(user, "my-own.kernels.py", good_plugin("my.axpy"))
    allow(user, "my-own.kernels.py")

    assert row_of(host_of(user), "my-own.kernels.py").operators == ("my.axpy",)


def test_only_python_files_of_the_folder_itself_count(user):
    for name in ("_private.py", ".hidden.py", "notes.txt"):
        (user.folder / name).write_text("1 / 0")
    (user.folder / "package").mkdir()
    (user.folder / "package" / "inner.py").write_text("1 / 0")

    assert user.files() == ()


def test_a_folder_that_cannot_be_listed_holds_nothing(user, monkeypatch):
    write(user)

    def refuse(self, pattern):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Path, "glob", refuse)

    assert user.files() == ()


def test_a_folder_that_is_not_there_holds_nothing(tmp_path):
    user = UserPlugins(tmp_path / "nowhere", tmp_path / "allowed.json")

    assert user.files() == ()
    assert not user.problem


def test_what_cannot_be_read_is_named_and_cannot_be_allowed(user):
    (user.folder / "folder.py").mkdir()
    (user.folder / "large.py").write_bytes(b"#" * (LARGEST_BYTES + 1))
    (user.folder / "link.py").symlink_to(user.folder / "nothing")

    host = host_of(user)

    files = {file.name: file for file in user.files()}
    assert {file.permission for file in files.values()} == {"unreadable"}
    assert "no file" in row_of(host, "folder.py").reason
    assert f"larger than {LARGEST_BYTES} bytes" in row_of(host, "large.py").reason
    with pytest.raises(PluginError, match=r"large\.py cannot be allowed\. It is larger"):
        user.allow(files["large.py"])


def test_a_file_without_the_right_to_read_it_is_named(user, monkeypatch):
    write(user)

    def refuse(self, *arguments, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)  # chmod does not stop root

    assert "cannot be read" in row_of(host_of(user), "mine.py").reason


DAMAGED = {
    "cut in half": '{"format": "rooflinestudio-allowed-plug',
    "no mapping": "[]",
    "another format": '{"format": "other/3", "allowed": {}}',
    "no list": '{"format": "rooflinestudio-allowed-plugins/1"}',
    "no sum": '{"format": "rooflinestudio-allowed-plugins/1", "allowed": {"mine.py": true}}',
    "a short sum": '{"format": "rooflinestudio-allowed-plugins/1", "allowed": {"mine.py": "abc"}}',
    "too deep": "[" * 100_000,
    "binary": "\x00\x01",
}


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_list_allows_nothing_says_so_and_can_be_written_anew(user, text):
    write(user)
    user.allowed_file.parent.mkdir()
    user.allowed_file.write_text(text)

    host = host_of(user)

    assert row_of(host, "mine.py").state == "disabled"
    (notice,) = host.notices
    assert str(user.allowed_file) in notice
    assert "nothing is allowed" in notice

    allow(user)
    assert not user.problem
    assert [file.permission for file in user.files()] == ["allowed"]


def test_a_list_of_unreasonable_size_is_not_read(user):
    user.allowed_file.parent.mkdir()
    user.allowed_file.write_bytes(b" " * 1_000_001)

    assert "is larger than 1000000 bytes" in user.problem


def test_a_list_that_is_a_folder_is_named(user):
    user.allowed_file.mkdir(parents=True)
    write(user)

    assert "cannot be read" in user.problem
    with pytest.raises(PluginError, match="cannot be written"):
        allow(user)


def test_the_list_is_json_with_the_sum_of_each_file(user):
    path = write(user)
    allow(user)

    document = json.loads(user.allowed_file.read_text())

    assert document["allowed"] == {"mine.py": hashlib.sha256(path.read_bytes()).hexdigest()}
    assert [one.name for one in user.allowed_file.parent.iterdir()] == [
        "allowed-plugins.json"
    ]  # nothing left behind
