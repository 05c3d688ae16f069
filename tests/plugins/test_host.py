"""What the host does with plugins that fail, each in its own way, while the others live on."""

from __future__ import annotations

import pytest

from rooflinestudio.core.errors import PluginError, UnavailableError
from rooflinestudio.core.resolution import resolve_dtypes, resolve_parameters
from rooflinestudio.plugins import loading
from rooflinestudio.plugins.discovery import PluginEntry
from rooflinestudio.plugins.host import PluginHost
from tests.plugins.conftest import GOOD, good_plugin, row_of

HEAD = GOOD.format(id="broken.axpy")

# What is wrong: (source of the plugin, state of its row, words that its reason must hold).
BROKEN = {
    "an import fails": (
        "import acme_library_that_is_missing",
        "failed",
        ["could not be imported", "ModuleNotFoundError", "'acme_library_that_is_missing'", "line 1"],
    ),
    "the module does not parse": (
        "def f(:\n    pass",
        "failed",
        ["could not be imported", "SyntaxError", "line 1"],
    ),
    "the module raises": (
        "x = 1\n1 / 0",
        "failed",
        ["could not be imported", "ZeroDivisionError: division by zero", "line 2"],
    ),
    "the module exits": ("import sys\nsys.exit(3)", "failed", ["could not be imported", "SystemExit: 3"]),
    "an error has no text": ("raise ValueError", "failed", ["could not be imported: ValueError ("]),
    "an error cannot be shown": (
        "class Odd(Exception):\n    def __str__(self):\n        raise RuntimeError\nraise Odd",
        "failed",
        ["could not be imported: Odd", "cannot be shown"],
    ),
    "the hook raises": (
        HEAD + "\n@hookimpl\ndef rooflinestudio_operators():\n    raise KeyError('config')\n",
        "failed",
        ["rooflinestudio_operators failed", "KeyError: 'config'", "line 21"],
    ),
    "the hook exits": (
        HEAD + "\n@hookimpl\ndef rooflinestudio_operators():\n    exit()\n",
        "failed",
        ["rooflinestudio_operators failed", "SystemExit"],
    ),
    "the hook returns nothing": (
        HEAD + "\n@hookimpl\ndef rooflinestudio_operators():\n    Axpy()\n",
        "failed",
        ["rooflinestudio_operators returned None", "return a list of operators"],
    ),
    "the hook returns a number": (
        HEAD + "\n@hookimpl\ndef rooflinestudio_operators():\n    return 42\n",
        "failed",
        ["rooflinestudio_operators returned 42", "return a list of operators"],
    ),
    "the hook returns a text": (
        HEAD + "\n@hookimpl\ndef rooflinestudio_operators():\n    return 'gemm'\n",
        "failed",
        ["rooflinestudio_operators returned 'gemm'", "return a list"],
    ),
    "the hook returns one operator": (
        HEAD + "\n@hookimpl\ndef rooflinestudio_operators():\n    return Axpy()\n",
        "failed",
        ["rooflinestudio_operators returned <", "Axpy object", "return a list"],
    ),
    "the hook returns a mapping": (
        HEAD + "\n@hookimpl\ndef rooflinestudio_operators():\n    return {'axpy': Axpy()}\n",
        "failed",
        ["rooflinestudio_operators returned {'axpy'", "return a list"],
    ),
    "an item is of the wrong type": (
        HEAD + "\n@hookimpl\ndef rooflinestudio_operators():\n    return ['gemm']\n",
        "failed",
        ["operator number 1 was refused", "'gemm', a str, and no operator"],
    ),
    "an item is a class": (
        HEAD + "\n@hookimpl\ndef rooflinestudio_operators():\n    return [Axpy]\n",
        "failed",
        ["operator 'broken.axpy' was refused", "is the class Axpy; return an instance, Axpy()"],
    ),
    "an item raises when looked at": (
        HEAD
        + "\nclass Odd:\n    @property\n    def id(self):\n        raise RuntimeError('no id yet')\n"
        + "\n@hookimpl\ndef rooflinestudio_operators():\n    return [Axpy(), Odd()]\n",
        "partly",
        ["rooflinestudio_operators failed after 2 operators: RuntimeError: no id yet"],
    ),
    "the hook asks for arguments": (
        HEAD + "\n@hookimpl\ndef rooflinestudio_operators(registry):\n    return [Axpy()]\n",
        "failed",
        ["rooflinestudio_operators asks for arguments", "def rooflinestudio_operators():"],
    ),
    "the hook is wrapped wrongly": (
        HEAD + "\n@hookimpl(hookwrapper=True)\ndef rooflinestudio_operators():\n    return [Axpy()]\n",
        "failed",
        ["could not be registered", "hookwrapper"],
    ),
    "the hook is misspelt": (
        HEAD + "\n@hookimpl\ndef rooflinestudio_operator():\n    return [Axpy()]\n",
        "failed",
        ["'rooflinestudio_operator' as a hook", "does not have", "did you mean rooflinestudio_operators?"],
    ),
    "the hook is quite another": (
        HEAD + "\n@hookimpl\ndef pytest_configure():\n    pass\n",
        "failed",
        ["'pytest_configure' as a hook", "there are rooflinestudio_operators"],
    ),
    "the hook is not marked": (
        HEAD + "\ndef rooflinestudio_operators():\n    return [Axpy()]\n",
        "failed",
        ["rooflinestudio_operators is not marked", "@hookimpl"],
    ),
    "there is no hook": ("x = 1", "failed", ["answers no hook", "rooflinestudio_hardware_profiles"]),
    "a declaration is bad": (
        HEAD.replace('label = "axpy"', 'label = ""')
        + "\n@hookimpl\ndef rooflinestudio_operators():\n    return [Axpy()]\n",
        "failed",
        ["operator 'broken.axpy' was refused", "label ''"],
    ),
    "a generator fails late": (
        HEAD
        + "\n@hookimpl\ndef rooflinestudio_operators():\n    yield Axpy()\n    raise OSError('no such file')\n",
        "partly",
        ["rooflinestudio_operators failed after 1 operator:", "OSError: no such file"],
    ),
    "a profile is none": (
        HEAD + "\n@hookimpl\ndef rooflinestudio_hardware_profiles():\n    return ['h100.yaml']\n",
        "failed",
        ["profile number 1 was refused", "'h100.yaml'", "no HardwareProfile"],
    ),
    "a reader is none": (
        HEAD + "\n@hookimpl\ndef rooflinestudio_measurement_readers():\n    return [Axpy()]\n",
        "failed",
        ["reader 'broken.axpy' was refused", "no method recognises"],
    ),
}


def assert_others_live(host):
    """The good plugin and the built-ins are there and answer."""
    assert row_of(host, "acme-good").state == "loaded"
    assert host.registry.operator("acme.axpy").label == "axpy"
    gemm = host.registry.operator("gemm")
    estimate = host.registry.estimate(
        gemm, resolve_parameters(gemm, {"m": 2, "n": 3, "k": 5}), resolve_dtypes(gemm, {})
    )
    assert estimate.work == {"bf16-tensor": 2 * 2 * 3 * 5}
    assert not [row.reason for row in host.rows if not row.foreign and row.state != "loaded"]


@pytest.mark.parametrize(("source", "state", "words"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_plugin_is_a_row_with_a_reason_and_the_others_live_on(site, source, state, words):
    site.add("acme-good", good_plugin())
    site.add("broken-ops", source, version="0.9.1")
    site.add("zeta-good", good_plugin("zeta.axpy"))

    host = site.host_with_builtins()

    row = row_of(host, "broken-ops")
    assert (row.name, row.version, row.state, row.foreign) == ("broken-ops", "0.9.1", state, True)
    for word in words:
        assert word in row.reason
    assert row.reason == row.problems[0]
    assert "\n" not in row.reason
    assert row_of(host, "zeta-good").operators == ("zeta.axpy",)
    assert_others_live(host)


def test_what_a_generator_brought_before_it_failed_stays(site):
    source, _, _ = BROKEN["a generator fails late"]
    site.add("broken-ops", source)

    host = site.host()

    assert row_of(host, "broken-ops").operators == ("broken.axpy",)
    assert "broken.axpy" in host.registry


def test_one_hook_that_fails_leaves_the_other_hooks_of_the_plugin(site):
    site.add(
        "broken-ops",
        HEAD + "\n@hookimpl\ndef rooflinestudio_operators():\n    return [Axpy()]\n"
        "\n@hookimpl\ndef rooflinestudio_hardware_profiles():\n    raise ValueError('no driver')\n"
        "\n@hookimpl\ndef rooflinestudio_measurement_reader():\n    return []\n",
    )

    row = row_of(site.host(), "broken-ops")

    assert (row.state, row.operators, row.profiles) == ("partly", ("broken.axpy",), ())
    assert len(row.problems) == 2
    assert "did you mean rooflinestudio_measurement_readers?" in row.problems[0]
    assert "rooflinestudio_hardware_profiles failed: ValueError: no driver" in row.problems[1]
    assert row.reason.endswith("And 1 more.")


def test_an_optional_hook_of_another_version_is_no_mistake(site):
    site.add(
        "acme-good",
        good_plugin() + "\n@hookimpl(optionalhook=True)\ndef rooflinestudio_themes():\n    return []\n",
    )

    assert row_of(site.host(), "acme-good").state == "loaded"


@pytest.mark.parametrize(
    "source",
    [
        "raise KeyboardInterrupt",
        HEAD + "\n@hookimpl\ndef rooflinestudio_operators():\n    raise KeyboardInterrupt\n",
    ],
)
def test_an_interrupt_is_not_swallowed(site, source):
    site.add("broken-ops", source)

    with pytest.raises(KeyboardInterrupt):
        site.host()


def test_a_generator_without_end_is_cut(site, monkeypatch):
    monkeypatch.setattr(loading, "MOST_ITEMS", 25)
    source = HEAD + (
        "\n@hookimpl\ndef rooflinestudio_operators():\n    number = 0\n    while True:\n"
        "        one = Axpy()\n        one.id = f'broken.axpy{number}'\n        number += 1\n        yield one\n"
    )
    site.add("broken-ops", source)

    row = row_of(site.host(), "broken-ops")

    assert len(row.operators) == 25
    assert row.state == "partly"
    assert "does not end" in row.reason


def test_a_slow_import_is_a_warning_and_no_failure(site, monkeypatch):
    monkeypatch.setattr(loading, "SLOW_S", 0.05)
    site.add("slow-ops", "import time\ntime.sleep(0.12)\n" + good_plugin("slow.axpy"))
    site.add("acme-good", good_plugin())

    host = site.host_with_builtins()

    row = row_of(host, "slow-ops")
    assert (row.state, row.reason, row.operators) == ("loaded", "", ("slow.axpy",))
    assert 0.12 <= row.import_s < 30
    assert any("import took 0." in problem for problem in row.problems)
    assert not row_of(host, "acme-good").problems
    assert_others_live(host)


def test_a_hook_that_takes_long_to_answer_is_a_warning(site, monkeypatch):
    monkeypatch.setattr(loading, "SLOW_S", 0.05)
    source = (
        HEAD
        + "\n@hookimpl\ndef rooflinestudio_operators():\n    import time\n    time.sleep(0.12)\n    return [Axpy()]\n"
    )
    site.add("slow-ops", source)

    row = row_of(site.host(), "slow-ops")

    assert row.state == "loaded"
    assert any("rooflinestudio_operators took 0." in problem for problem in row.problems)


# --------------------------------------------------------------------------------------- duplicates


def test_of_two_plugins_with_one_operator_id_the_second_is_refused_and_both_are_named(site):
    site.add("acme-good", good_plugin("shared.axpy"), version="1.0")
    site.add("other-ops", good_plugin("shared.axpy"), version="2.5")

    host = site.host()

    first, second = row_of(host, "acme-good"), row_of(host, "other-ops")
    assert (first.state, first.operators) == ("loaded", ("shared.axpy",))
    assert (second.state, second.operators) == ("failed", ())
    for word in ("'shared.axpy'", "acme-good 1.0", "other-ops 2.5"):
        assert word in second.reason
    assert host.registry.origin("shared.axpy").plugin == "acme-good"


def test_a_foreign_plugin_cannot_take_the_id_of_a_built_in_operator(site):
    site.add("acme-good", good_plugin())
    site.add("aaa-ops", good_plugin("gemm"))  # its name sorts before the studio's

    host = site.host_with_builtins()

    assert host.registry.origin("gemm").plugin == "rooflinestudio"
    assert "rooflinestudio 0." in row_of(host, "aaa-ops").reason
    assert_others_live(host)


def test_one_plugin_that_brings_an_id_twice_keeps_the_first(site):
    site.add(
        "acme-good", HEAD + "\n@hookimpl\ndef rooflinestudio_operators():\n    return [Axpy(), Axpy()]\n"
    )

    row = row_of(site.host(), "acme-good")

    assert (row.state, row.operators) == ("partly", ("broken.axpy",))


PROFILE_AND_READER = """
from rooflinestudio.plugins import hookimpl

class Source:
    id, label = "acme-npu-1", "Acme NPU-1"
    def load(self):
        raise AssertionError("nobody asked for it")

class Reader:
    id, label, extensions = "acme-times", "Acme times", (".times",)
    def recognises(self, head, name):
        return False
    def read(self, path, progress=None):
        raise AssertionError("it recognised nothing")

@hookimpl
def rooflinestudio_hardware_profiles():
    return [Source()]

@hookimpl
def rooflinestudio_measurement_readers():
    return [Reader()]
"""


def test_profiles_and_readers_are_taken_in_without_being_read_and_cannot_be_taken_twice(site):
    site.add("acme-good", PROFILE_AND_READER)
    site.add("other-ops", PROFILE_AND_READER)

    host = site.host()

    row, second = row_of(host, "acme-good"), row_of(host, "other-ops")
    assert (row.state, row.profiles, row.readers) == ("loaded", ("acme-npu-1",), ("acme-times",))
    assert [profile.label for profile in host.registry.profiles] == ["Acme NPU-1"]
    assert [reader.label for reader in host.registry.readers] == ["Acme times"]
    assert (second.state, len(second.problems)) == ("failed", 2)
    assert "profile 'acme-npu-1'" in second.problems[0]
    assert "reader 'acme-times'" in second.problems[1]


# ---------------------------------------------------------------------------------- turning them off


@pytest.mark.parametrize(
    ("disable", "off"),
    [
        ("", []),
        ("0", []),
        ("1", ["acme-good", "other-ops"]),
        ("all", ["acme-good", "other-ops"]),
        ("ALL", ["acme-good", "other-ops"]),
        ("acme-good", ["acme-good"]),
        ("Acme_Good", ["acme-good"]),
        ("entry-of-other", ["other-ops"]),
        (" acme.good , other-ops ", ["acme-good", "other-ops"]),
        ("gemm", []),  # the name of a built-in entry point
    ],
)
def test_plugins_are_turned_off_by_distribution_or_entry_point(site, disable, off):
    site.add(
        "acme-good", "raise AssertionError('imported although off')" if "acme-good" in off else good_plugin()
    )
    site.add("other-ops", good_plugin("other.axpy"), entry="entry-of-other")

    host = site.host(disable=disable)

    assert [row.distribution for row in host.rows if row.state == "disabled"] == off
    for row in host.rows:
        if row.distribution in off:
            assert "Turned off" in row.reason
            assert disable.strip() in row.reason
            assert not row.operators


def test_the_variable_turns_foreign_plugins_off_and_is_named(site, monkeypatch):
    monkeypatch.setenv("ROOFLINESTUDIO_DISABLE_PLUGINS", "acme-good")
    site.add("acme-good", good_plugin())
    site.add("other-ops", good_plugin("other.axpy"))

    host = site.host(disable=None)

    assert row_of(host, "acme-good").state == "disabled"
    assert "ROOFLINESTUDIO_DISABLE_PLUGINS (acme-good)" in row_of(host, "acme-good").reason
    assert row_of(host, "other-ops").state == "loaded"


def test_safe_mode_turns_all_foreign_plugins_off_and_leaves_the_built_in_ones(site):
    site.add("acme-good", good_plugin())
    host = PluginHost.discover(disable="", safe_mode=True)
    host.load_foreign()

    assert "gemm" in host.registry
    assert {row.state for row in host.rows if row.foreign} <= {"disabled"}
    assert "safe mode" in row_of(host, "acme-good").reason


def test_a_name_that_turns_nothing_off_is_told(site):
    site.add("acme-good", good_plugin())

    host = PluginHost.discover(disable="acme-goood,acme-good")

    assert host.notices == ()  # nobody has looked yet
    host.load_foreign()
    assert host.notices == ("'acme-goood' is to be turned off, but no such plugin is installed.",)


# ---------------------------------------------------------------------------------------- two steps


def test_built_ins_are_loaded_first_and_strangers_only_when_asked_for(site):
    module = site.add("acme-good", good_plugin())
    import sys

    host = PluginHost.discover(disable="")
    first = host.load_builtins()

    assert "gemm" in first
    assert module not in sys.modules
    assert not any(row.foreign for row in host.rows)

    second = host.load_foreign()

    assert module in sys.modules
    assert "acme.axpy" in second
    assert "acme.axpy" not in first  # a registry never changes
    assert host.registry is second


def test_loading_twice_changes_nothing(site):
    counter = "import pathlib\nwith open(pathlib.Path(__file__).with_suffix('.count'), 'a') as f:\n    f.write('x')\n"
    module = site.add("acme-good", counter + good_plugin())
    site.add("broken-ops", "1 / 0")
    host = site.host()
    registry, rows = host.registry, host.rows

    assert host.load_foreign() is registry
    assert host.load_builtins() is registry
    assert host.rows == rows
    assert (site.folder / f"{module}.count").read_text() == "x"


def test_the_built_in_plugins_are_all_in_order():
    host = PluginHost.discover(disable="all")
    host.load_builtins()

    assert len(host.rows) >= 5
    for row in host.rows:
        assert (row.state, row.foreign, row.distribution) == ("loaded", False, "rooflinestudio")
        assert not row.reason


def built_in(plugin) -> PluginEntry:
    return PluginEntry("odd", "rooflinestudio", "0.1.0", lambda: plugin)


def test_a_misspelt_hook_in_a_built_in_plugin_is_an_error_after_the_others_are_loaded(site):
    import types

    from rooflinestudio.plugins import hookimpl

    def rooflinestudio_operatros():
        return []

    module = types.ModuleType("odd")
    module.rooflinestudio_operatros = hookimpl(rooflinestudio_operatros)
    site.add("acme-good", good_plugin())
    host = PluginHost((built_in(module), *site.entries()))

    with pytest.raises(PluginError, match=r"Built-in plugin odd.*rooflinestudio_operatros.*did you mean"):
        host.load_builtins()

    assert [row.state for row in host.rows] == ["failed"]


def test_without_built_in_plugins_the_host_says_that_the_studio_is_not_installed(site):
    site.add("acme-good", good_plugin())

    host = site.host()

    row = row_of(host, "rooflinestudio")
    assert (row.state, row.foreign) == ("failed", False)
    assert "not installed" in row.reason
    assert "pip install" in row.reason
    assert "acme.axpy" in host.registry


# ----------------------------------------------------------------------- what is not there any more


def test_an_operator_of_a_failed_plugin_says_what_became_of_the_plugin(site):
    site.add("broken-ops", "import missing_thing", version="3.1")
    registry = site.host().registry

    with pytest.raises(UnavailableError, match=r"'broken\.mla'.*broken-ops 3\.1 failed: .*missing_thing"):
        registry.operator("broken.mla", plugin="broken-ops")


def test_an_operator_that_was_refused_says_why(site):
    source, _, _ = BROKEN["a declaration is bad"]
    site.add("broken-ops", source)

    with pytest.raises(UnavailableError, match=r"broken-ops 1\.2\.0 brings it, and it was refused.*label"):
        site.host().registry.operator("broken.axpy")
