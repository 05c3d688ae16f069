"""What a registry knows: operators in the order of the palette, their origins, profiles read once, guarded readers."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from rooflinestudio.core.errors import ProfileError, UnavailableError
from rooflinestudio.core.hardware import Boundary, ComputeCeiling, Figure, HardwareProfile
from rooflinestudio.core.measurement import MeasurementCancelled, MeasurementError, MeasurementFile
from rooflinestudio.plugins.reading import propose_columns, read_measurements
from rooflinestudio.plugins.registry import Registry
from rooflinestudio.plugins.rows import PluginRow
from rooflinestudio.plugins.sources import GuardedProfile, guarded_reader
from tests.plugins.operators import FOREIGN, OWN, Row, registry_of


def named(id_, label="x", category="Tests"):
    return type("Named", (Row,), {"id": id_, "label": label, "category": category})()


def test_operators_come_by_category_then_label():
    registry = registry_of(
        named("b.two", "zeta", "matrix"),
        named("a.one", "Beta", "Vectors"),
        named("c.three", "alpha", "vectors"),
        named("d.four", "Eta", "Matrix"),
    )

    assert [one.id for one in registry.operators] == ["d.four", "b.two", "c.three", "a.one"]


def test_every_operator_knows_its_plugin():
    registry = Registry([(named("gemm"), OWN), (named("acme.mla"), FOREIGN)])

    assert registry.origin("gemm") is OWN
    assert registry.origin("acme.mla") is FOREIGN
    assert "gemm" in registry
    assert "acme.gemm" not in registry


def test_an_unknown_operator_offers_the_nearest():
    registry = registry_of(named("gemm"), named("attention"))

    with pytest.raises(UnavailableError, match=r"^No operator is called 'gem'; did you mean 'gemm'\?$"):
        registry.operator("gem")
    with pytest.raises(UnavailableError, match="No operator is called 'zzz'; the plugin that brings it"):
        registry.origin("zzz")


ROWS = (
    PluginRow("ops", "off-ops", "1.0", "disabled", "Turned off: the studio was started in safe mode."),
    PluginRow("ops", "acme-ops", "2.0", "loaded", operators=("acme.row",)),
)


@pytest.mark.parametrize(
    ("plugin", "words"),
    [
        ("off-ops", r"its plugin off-ops 1\.0 is off: Turned off: .*safe mode"),
        ("acme-ops", r"its plugin acme-ops 2\.0 is there, but brings it no longer"),
        ("gone-ops", r"its plugin gone-ops is not installed here"),
    ],
)
def test_an_operator_of_a_known_plugin_says_what_became_of_the_plugin(plugin, words):
    registry = Registry([(Row(), FOREIGN)], rows=ROWS)

    with pytest.raises(UnavailableError, match=words):
        registry.operator("some.thing", plugin=plugin)


# ------------------------------------------------------------------------------------------ details


def with_details(answer):
    return type("Detailed", (Row,), {"details": lambda self, placement: answer(placement)})()


PLACEMENT = SimpleNamespace(operator="acme.row", time_s=0.5)


def test_details_are_those_of_the_operator():
    registry = registry_of(with_details(lambda placement: {"tokens_per_s": 1 / placement.time_s}))

    assert registry.details(PLACEMENT) == {"tokens_per_s": 2.0}


def test_an_operator_without_details_and_an_unknown_one_have_none():
    assert registry_of(Row()).details(PLACEMENT) == {}
    assert registry_of().details(PLACEMENT) == {}


@pytest.mark.parametrize("answer", [lambda placement: 1 / 0, lambda placement: [1], lambda placement: {3: 4}])
def test_details_that_fail_cost_only_themselves(answer):
    details = registry_of(with_details(answer)).details(PLACEMENT)

    assert list(details) == ["problem"]
    assert details["problem"].startswith("acme.row of acme-ops 1.2.0 ")


def test_an_interrupt_in_details_is_not_swallowed():
    def interrupted(placement):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        registry_of(with_details(interrupted)).details(PLACEMENT)


# ----------------------------------------------------------------------------------------- profiles


def figure(value):
    return Figure(value, "published", condition="dense", source="data sheet")


def npu(**changes):
    ceiling = ComputeCeiling("bf16-tensor", figure(200e12))
    dram = Boundary("dram", "LPDDR5X", figure(410e9), capacity=figure(64e9))
    values = {
        "id": "acme-npu-1",
        "name": "Acme NPU-1",
        "short_name": "NPU-1",
        "vendor": "Acme",
        "architecture": "N1",
        "year": 2026,
        "ceilings": {"bf16-tensor": ceiling},
        "boundaries": {"dram": dram},
        "reference_ceiling": "bf16-tensor",
    }
    return HardwareProfile(**{**values, **changes})


class Source:
    id, label = "acme-npu-1", "Acme NPU-1"

    def __init__(self, *answers):
        self.answers = list(answers)

    def load(self):
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer


def profiles(source, origin=FOREIGN):
    return Registry(profiles=[GuardedProfile(source, origin)])


def test_a_profile_is_read_once_and_stays_the_same_object():
    profile = npu()
    registry = profiles(Source(profile))

    assert registry.load_profile("acme-npu-1") is profile
    assert registry.load_profile("acme-npu-1") is profile
    assert registry.profiles[0].load() is profile


def test_a_profile_of_the_studios_own_is_read_without_a_second_check():
    profile = npu(reference_ceiling="left to the tests of the profiles")

    assert profiles(Source(profile), origin=OWN).load_profile("acme-npu-1") is profile


def test_a_finished_profile_is_a_source_of_itself():
    profile = npu()
    registry = profiles(profile)
    source = registry.profiles[0]

    assert (source.id, source.label, source.name, source.short_name) == (
        "acme-npu-1",
        "Acme NPU-1",
        "Acme NPU-1",
        "NPU-1",
    )
    assert (source.vendor, source.year) == ("Acme", 2026)
    assert registry.load_profile("acme-npu-1") is profile


def test_a_source_that_only_has_a_label_is_shown_by_it():
    source = GuardedProfile(Source(), FOREIGN)

    assert (source.name, source.short_name, source.vendor, source.year) == ("Acme NPU-1", "Acme NPU-1", "", 0)


def test_an_unknown_profile_offers_the_nearest():
    with pytest.raises(ProfileError, match=r"'acme-npu-2'; did you mean 'acme-npu-1'\?"):
        profiles(npu()).load_profile("acme-npu-2")
    with pytest.raises(ProfileError, match="known: acme-npu-1"):
        profiles(npu()).load_profile("zzz")
    with pytest.raises(ProfileError, match="known: none"):
        Registry().load_profile("zzz")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (OSError("disk gone"), "OSError: disk gone"),
        (SystemExit(1), "SystemExit: 1"),
        (None, "load answered None, and no HardwareProfile"),
        (npu(id="acme-npu-2"), "calls itself 'acme-npu-2'"),
    ],
)
def test_a_profile_that_cannot_be_read_is_an_error_that_names_the_plugin(answer, words):
    with pytest.raises(ProfileError) as caught:
        profiles(Source(answer)).load_profile("acme-npu-1")

    assert "Profile acme-npu-1 of plugin acme-ops 1.2.0" in str(caught.value)
    assert words in str(caught.value)


def test_a_profile_that_failed_is_tried_again():
    profile = npu()
    registry = profiles(Source(OSError("disk gone"), profile))

    with pytest.raises(ProfileError):
        registry.load_profile("acme-npu-1")
    assert registry.load_profile("acme-npu-1") is profile


def test_an_error_in_the_words_of_the_profile_file_is_passed_on():
    with pytest.raises(ProfileError, match=r"^npu\.yaml, line 3: no unit$"):
        profiles(Source(ProfileError("npu.yaml, line 3: no unit"))).load_profile("acme-npu-1")


def test_an_interrupt_while_a_profile_is_read_is_not_swallowed():
    with pytest.raises(KeyboardInterrupt):
        profiles(Source(KeyboardInterrupt())).load_profile("acme-npu-1")


@pytest.mark.parametrize(
    "changes",
    [
        {"reference_ceiling": "fp8-tensor"},
        {"ceilings": {"bf16-tensor": ComputeCeiling("bf16-tensor", figure(-1.0))}},
        {"boundaries": {"dram": Boundary("dram", "LPDDR5X", figure(0.0))}},
        {"ceilings": None},
        {"ceilings": {"bf16-tensor": 200e12}},
    ],
)
def test_a_profile_made_in_code_must_satisfy_what_a_file_must(changes):
    with pytest.raises(ProfileError, match=r"acme-npu-1 of plugin acme-ops 1\.2\.0"):
        profiles(npu(**changes)).load_profile("acme-npu-1")


# ------------------------------------------------------------------------------------------ readers


class Reader:
    id, label, extensions = "acme-times", "Acme times", [".times"]

    def __init__(self, recognised=True, answer=None):
        self.recognised, self.answer = recognised, answer

    def recognises(self, head, name):
        return _given(self.recognised)

    def read(self, path, progress=None):
        return _given(self.answer)


def _given(answer):
    if isinstance(answer, BaseException):
        raise answer
    return answer


FILE = MeasurementFile("a.times", "acme-times", (), (), "0" * 64)


def guarded(**options):
    return guarded_reader(Reader(**options), FOREIGN)


def test_a_good_reader_is_asked_and_answers(tmp_path):
    reader = guarded(answer=FILE)

    assert (reader.id, reader.label, reader.extensions) == ("acme-times", "Acme times", (".times",))
    assert reader.recognises(b"", "a.times") is True
    assert reader.read(tmp_path / "a.times") is FILE


def test_a_reader_that_fails_to_look_at_a_file_does_not_recognise_it_and_says_why():
    reader = guarded(recognised=IndexError("head[9]"))

    assert reader.recognises(b"", "a.times") is False
    assert reader.problem.startswith(
        "Reader Acme times of plugin acme-ops 1.2.0 failed to look at a.times: IndexError"
    )


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), "UnicodeDecodeError"),
        (SystemExit(), "SystemExit"),
        ([1, 2], "answered [1, 2] for"),
    ],
)
def test_a_reader_that_fails_is_a_measurement_error_that_names_plugin_and_file(answer, words, tmp_path):
    with pytest.raises(MeasurementError) as caught:
        guarded(answer=answer).read(tmp_path / "a.times")

    for word in ("Reader Acme times of plugin acme-ops 1.2.0", "a.times", words):
        assert word in str(caught.value)


def test_cancelling_and_errors_of_its_own_pass_through_a_reader(tmp_path):
    with pytest.raises(MeasurementCancelled):
        guarded(answer=MeasurementCancelled("stopped")).read(tmp_path)
    with pytest.raises(MeasurementError, match=r"^line 4: no time$"):
        guarded(answer=MeasurementError("line 4: no time")).read(tmp_path)


@pytest.mark.parametrize(
    "call", [lambda reader: reader.read(None), lambda reader: reader.recognises(b"", "a")]
)
def test_an_interrupt_in_a_reader_is_not_swallowed(call):
    with pytest.raises(KeyboardInterrupt):
        call(guarded(recognised=KeyboardInterrupt(), answer=KeyboardInterrupt()))


def test_a_guarded_reader_can_be_sent_to_another_process():
    reader = pickle.loads(pickle.dumps(guarded(answer=FILE)))

    assert reader.read(None).digest == FILE.digest


@dataclass(frozen=True)
class ReaderOfMark:
    id = "acme-csv"
    label = "Acme CSV"
    extensions = (".csv",)
    decimal_mark: str | None = None

    def recognises(self, head, name):
        return True

    def read(self, path, progress=None):
        return MeasurementFile(str(path), f"mark {self.decimal_mark}", (), (), "0" * 64)


def test_the_decimal_mark_that_a_user_states_reaches_a_guarded_reader(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("1,5")
    reader = pickle.loads(pickle.dumps(guarded_reader(ReaderOfMark(), FOREIGN)))

    assert read_measurements(path, [reader], decimal_mark=",").format == "mark ,"
    assert read_measurements(path, [reader]).format == "mark None"
    (*_, said) = read_measurements(path, [guarded(answer=FILE)], decimal_mark=",").warnings
    assert said == "Acme times takes no decimal mark: the file was read without."


def test_an_option_that_a_foreign_reader_chokes_on_names_the_plugin(tmp_path):
    @dataclass(frozen=True)
    class Choking(ReaderOfMark):
        def __post_init__(self):
            if self.decimal_mark == ",":
                raise ZeroDivisionError("no commas")

    (tmp_path / "a.csv").write_text("1,5")
    with pytest.raises(MeasurementError, match=r"Reader Acme CSV of plugin acme-ops .* took no decimal_mark"):
        read_measurements(tmp_path / "a.csv", [guarded_reader(Choking(), FOREIGN)], decimal_mark=",")


def test_a_foreign_reader_that_proposes_nonsense_proposes_nothing(tmp_path):
    class Odd:
        id, label, extensions = "odd", "Odd", (".csv",)

        def recognises(self, head, name):
            return True

        def read(self, path, progress=None):
            raise AssertionError

        def propose(self, path):
            return ["no proposal"]

    (tmp_path / "a.csv").write_text("1,5")
    assert propose_columns(tmp_path / "a.csv", [guarded_reader(Odd(), FOREIGN)]) is None
    assert propose_columns(tmp_path / "a.csv", [guarded(answer=FILE)]) is None


def test_the_studios_own_categories_stand_in_the_order_in_which_one_looks():
    registry = registry_of(
        named("a.one", category="Astrology"),
        named("b.two", category="Attention"),
        named("c.three", category="Matrix products"),
    )

    assert [one.id for one in registry.operators] == ["c.three", "b.two", "a.one"]
