"""Remarks are attached by rule: each rule speaks where it applies, and is silent where it does not."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from rooflinestudio.core.dtypes import DTYPES
from rooflinestudio.core.evaluation import evaluation_document
from rooflinestudio.core.operators import Launch, Tensor
from rooflinestudio.core.placement import Settings, place_estimate
from rooflinestudio.core.profile_files import find_profile, shipped_profiles
from rooflinestudio.core.remarks import RULES, remarks, remarks_and_notes
from tests.builtin.evaluating import placed
from tests.core.kernels import composite, kernel
from tests.core.profiles import TINY, figure, without


@lru_cache
def shipped(text="nvidia-h100-sxm5"):
    return find_profile(shipped_profiles(), text).load()


def op(id_, *, on="nvidia-h100-sxm5", dtype="bf16", parameters=None, **settings):
    """Place a built-in operator on a shipped machine."""
    return placed(id_, on=shipped(on), dtype=dtype, settings=Settings(**settings), **(parameters or {}))


def on_tiny(estimate, profile=TINY, *, parameters=None, dtypes=None, **settings):
    """Place a kernel of a few FLOP and bytes on the machine of round numbers."""
    return place_estimate(estimate, profile, Settings(**settings), parameters=parameters, dtypes=dtypes)


def tensor(name, elements, role, *, reads=1, writes=0):
    return Tensor(name, elements, DTYPES["fp8"], reads, writes, role)


def of_roles(work=1.0, **elements):
    """A kernel whose traffic belongs to tensors of these roles."""
    return kernel(work, tensors=tuple(tensor(role, size, role) for role, size in elements.items()))


ASSUMED = replace(
    TINY, boundaries={"dram": replace(TINY.boundaries["dram"], bandwidth=figure(10, "assumed"))}
)
DENSE = replace(
    TINY,
    ceilings={
        **TINY.ceilings,
        "bf16-tensor": replace(TINY.ceilings["bf16-tensor"], figure=figure(1000, condition="dense")),
    },
)
FP8_FAST = replace(
    TINY,
    ceilings={
        **TINY.ceilings,
        "fp8-tensor": replace(TINY.ceilings["fp32"], id="fp8-tensor", figure=figure(2000)),
    },
)
SLOW_LAUNCH = replace(TINY, launch_overhead=figure(10e-6))
STATE = of_roles(state=20.0, input=4.0)
MICRO = kernel(1e-3, 15e-5)
"""15 µs at 10 byte/s."""

# Rule: (a placement where it applies, a near one where it does not)
CASES = {
    "does-not-fit": lambda: (
        on_tiny(kernel(1, 20, footprint_bytes=5001.0)), on_tiny(kernel(1, 20, footprint_bytes=5000.0)),
    ),
    "capacity-units": lambda: (
        # 5000 bytes count as 5 kB; a part that holds as many in binary units holds 7.4 % more.
        on_tiny(kernel(1, 20, footprint_bytes=5200.0)), on_tiny(kernel(1, 20, footprint_bytes=5500.0)),
    ),
    "hypothetical-boundary": lambda: (
        on_tiny(kernel(1000, 20), boundary="nvlink"), on_tiny(kernel(1000, 20), boundary="l2"),
    ),
    "mixed-bounds": lambda: (
        on_tiny(composite(("a", 1, kernel(9000, 1)), ("b", 1, kernel(1, 90)))),
        on_tiny(composite(("a", 1, kernel(9000, 1)), ("b", 1, kernel(9000, 2)))),
    ),
    "other-boundary-binds": lambda: (op("gemm"), op("gemm", boundary="all")),
    "dtype-fallback": lambda: (
        on_tiny(kernel(1, 20, pipe="fp32-tensor")), on_tiny(kernel(1, 20, pipe="fp32-tensor"), ceiling="fp32"),
    ),
    "below-the-slope": lambda: (
        on_tiny(kernel(1, 200, launch=Launch(bytes_in_flight=10)), forecast=True),
        on_tiny(kernel(1, 200, launch=Launch(bytes_in_flight=50)), forecast=True),
    ),
    "launch-floor": lambda: (on_tiny(kernel(1, 29)), on_tiny(kernel(1, 31))),
    "flop-cut": lambda: (on_tiny(kernel(100, 20)), on_tiny(kernel(100, 20), overlap=0.9)),
    "policy-decides": lambda: (op("gemm"), op("gemm", parameters={"m": 8})),
    "special-binds": lambda: (
        on_tiny(kernel(100, 1, more_work={"special": 50.0})), on_tiny(kernel(1100, 1, more_work={"special": 50.0})),
    ),
    "near-ridge": lambda: (on_tiny(kernel(1000, 14)), on_tiny(kernel(1000, 16))),
    "partial-overlap": lambda: (on_tiny(kernel(1000, 14), overlap=0.5), on_tiny(kernel(1000, 14))),
    "waves": lambda: (
        on_tiny(kernel(9000, 1, launch=Launch(blocks=5)), forecast=True),
        on_tiny(kernel(9000, 1, launch=Launch(blocks=8)), forecast=True),
    ),
    "tiles": lambda: (
        op("gemm", parameters={"n": 257}, forecast=True), op("gemm", parameters={"n": 256}, forecast=True),
    ),
    "cache-over-weights": lambda: (
        on_tiny(composite(("a", 1, of_roles(weight=10.0)), ("b", 2, of_roles(cache=6.0)))),
        on_tiny(composite(("a", 1, of_roles(weight=10.0)), ("b", 2, of_roles(cache=4.0)))),
    ),
    "private-cache": lambda: (op("attention_decode"), op("attention")),
    "causal-mask": lambda: (
        op("attention", parameters={"causal": True}),
        op("attention", parameters={"causal": True, "implementation": "naive"}),
    ),
    "scores-cross-dram": lambda: (op("attention", parameters={"implementation": "naive"}), op("attention")),
    "experts": lambda: (
        on_tiny(kernel(1, 20), parameters={"experts": 64, "top_k": 2}), on_tiny(kernel(1, 20), parameters={"top_k": 2}),
    ),
    "state-decides": lambda: (op("adam"), op("gemm")),
    "sharding-moves-traffic": lambda: (
        on_tiny(STATE, parameters={"ranks": 8}), on_tiny(STATE, parameters={"ranks": 1}),
    ),
    "link-ridge": lambda: (
        on_tiny(kernel(1, 20, crosses=frozenset({"nvlink"})), boundary="nvlink"),
        on_tiny(kernel(1, 20), boundary="nvlink"),
    ),
    "narrow-storage": lambda: (
        op("gemm", dtype="bf16,weight=int4"), op("gemm", dtype="fp8"),
    ),
    "format-moves-ridge": lambda: (
        on_tiny(kernel(9000, 1, pipe="fp8-tensor"), FP8_FAST), on_tiny(kernel(9000, 1), FP8_FAST),
    ),
    "constant-intensity": lambda: (op("silu"), op("gemm")),
    "tile-sets-intensity": lambda: (op("gemm", policy="tiled"), op("gemm", policy="modelled")),
    "bandwidth-no-help": lambda: (on_tiny(kernel(2000, 10)), on_tiny(kernel(2000, 19))),
    "small-kernel": lambda: (
        on_tiny(MICRO, SLOW_LAUNCH), on_tiny(kernel(1e-3, 25e-5), SLOW_LAUNCH),
    ),
    "lower-ceiling": lambda: (op("add"), op("gemm")),
    "sparse-peak": lambda: (on_tiny(kernel(9000, 1), DENSE), on_tiny(kernel(1, 20), DENSE)),
    "special-left-out": lambda: (
        on_tiny(kernel(9000, 1, more_work={"special": 5.0}), without(TINY, ceilings=("special",))),
        on_tiny(kernel(9000, 1), without(TINY, ceilings=("special",))),
    ),
    "on-chip-is-a-model": lambda: (op("gemm", boundary="l2"), op("gemm")),
    "compulsory-is-a-floor": lambda: (op("gemm"), op("add")),
    "absorption-is-set": lambda: (op("gemm", policy="modelled"), op("add", policy="modelled")),
    "weights-only": lambda: (op("gemm", parameters={"m": 8}), op("gemm")),
    "figure-not-measured": lambda: (on_tiny(kernel(1, 20), ASSUMED), on_tiny(kernel(1, 20))),
    "burst-rate": lambda: (op("gemm"), op("gemm", forecast=True)),
    "sum-of-bounds": lambda: (on_tiny(composite(("a", 1, kernel(9000, 1)))), on_tiny(kernel(9000, 1))),
    "training-stand-in": lambda: (
        on_tiny(kernel(9000, 1), parameters={"regime": "train"}),
        on_tiny(kernel(9000, 1), parameters={"regime": "prefill"}),
    ),
    "flop-per-element": lambda: (op("rmsnorm"), op("gemm", parameters={"m": 1})),
    "no-arithmetic": lambda: (op("cast"), op("add")),
    "smallest-count": lambda: (op("gemm", policy="tiled"), op("gemm")),
}  # fmt: skip

BY_ID = {rule.id: rule for rule in RULES}


def found(placement):
    return {one.rule: one for one in remarks(placement)}


def test_every_rule_is_tested_and_has_a_name_of_its_own() -> None:
    assert set(CASES) == set(BY_ID) and len(BY_ID) == len(RULES)


@pytest.mark.parametrize("rule", CASES)
def test_a_rule_speaks_where_it_applies_and_only_there(rule) -> None:
    applies, does_not = CASES[rule]()

    said = found(applies)
    assert rule in said
    assert said[rule].kind == BY_ID[rule].kind and said[rule].text.endswith((".", "reads."))
    assert rule not in found(does_not)


@pytest.mark.parametrize(
    ("rule", "placement", "words"),
    [
        (
            "other-boundary-binds",
            lambda: op("gemm"),
            ("HBM3 alone", "L2 binds", "57.3%", "I = 63.0", "ridge of 110"),
        ),
        ("near-ridge", lambda: on_tiny(kernel(1000, 10)), ("compute 1.00 s", "traffic 1.00 s", "2.00 times")),
        ("flop-cut", lambda: on_tiny(kernel(100, 20)), ("bytes take 2.00 s", "arithmetic 100 ms")),
        ("lower-ceiling", lambda: op("add"), ("0.835% of fp32", "0.0564% of bf16 tensor", "14.8×")),
        ("launch-floor", lambda: on_tiny(kernel(1, 15)), ("about 3.00 s", "running it 1.50 s")),
        ("absorption-is-set", lambda: op("gemm", policy="modelled"), ("0.85", "63.0", "1\u202f365")),
        ("weights-only", lambda: op("gemm", parameters={"m": 8}), ("I = 8.00", "7.97")),
        (
            "capacity-units",
            lambda: op("cast", parameters={"tokens": 13e5, "width": 1e4}),
            ("80.0 GB", "74.5 GiB"),
        ),
        ("burst-rate", lambda: op("gemm"), ("989 TFLOP/s", "80.3%", "measured")),
        ("link-ridge", lambda: CASES["link-ridge"]()[0], ("Link", "1\u202f000 FLOP/byte")),
    ],
)
def test_a_remark_says_its_numbers(rule, placement, words) -> None:
    text = found(placement())[rule].text

    assert [word for word in words if word not in text] == []


def test_the_launches_of_a_composite_are_counted() -> None:
    # 100 kernels of 2 s each against 100 launches of 3 s.
    many = on_tiny(composite(("a", 100, kernel(1, 20))))

    assert "about 300 s, running it 200 s" in found(many)["launch-floor"].text


def test_in_a_forecast_the_launch_is_not_taken_for_running() -> None:
    forecast = on_tiny(kernel(1, 20, launch=Launch()), forecast=True)

    assert forecast.time_s == 5 and "running it 2.00 s" in found(forecast)["launch-floor"].text


def test_the_first_that_applies_stands_first() -> None:
    order = [rule.id for rule in RULES]
    for placement in (op("gemm"), op("add"), op("adam"), op("attention_decode")):
        at = [order.index(one.rule) for one in remarks(placement)]
        assert at == sorted(at) and len(at) == len(set(at))
    assert remarks(op("adam"))[0].rule == "does-not-fit"
    assert remarks(op("gemm"))[0].rule == "other-boundary-binds"


def test_several_points_at_once_have_no_remarks() -> None:
    assert remarks(on_tiny(kernel(np.array([1.0, 9000.0]), 10))) == ()


def test_remarks_come_first_among_the_notes_with_their_word_and_nothing_is_said_twice() -> None:
    placement = op("adam")
    notes = remarks_and_notes(placement)

    assert notes[0].startswith("Trap: Does not fit:")
    assert sum("Does not fit" in note for note in notes) == 1
    assert set(placement.notes) <= {note.removeprefix("Trap: ") for note in notes}
    assert evaluation_document(placement)["notes"][: len(notes)] == list(notes)
    assert not any(note.startswith(("Trap", "Nuance")) for note in placement.notes)


@pytest.mark.parametrize("rule", [rule.id for rule in RULES])
def test_texts_are_sentences_of_a_length_that_is_read(rule) -> None:
    text = found(CASES[rule]()[0])[rule].text

    assert text[0].isupper() or text[0].isdigit()
    assert 40 < len(text) < 330 and "  " not in text and "nan" not in text and "None" not in text


def test_the_guide_lists_every_rule_with_its_word() -> None:
    guide = Path(__file__).resolve().parents[2] / "docs" / "reading-a-verdict.md"
    rows = dict(
        re.findall(r"^\| `([a-z-]+)` \| (Trap|Nuance|Approximation|Aside) \|", guide.read_text("utf-8"), re.M)
    )

    assert rows == {rule.id: rule.kind for rule in RULES}
