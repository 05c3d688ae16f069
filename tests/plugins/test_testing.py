"""The conformance kit finds what it is there to find."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from rooflinestudio.core.errors import RefusedError
from rooflinestudio.plugins import DTYPES, Estimate, Formula, OperatorBase, Parameter, Part, Tensor, testing
from rooflinestudio.plugins.arithmetic import ceil_div, is_number, larger, where
from rooflinestudio.plugins.testing import assert_conformant, check_operator


class Attention(OperatorBase):
    """A small attention with everything that the kit looks at; right, unless a class below changes it."""

    id = "acme.attention"
    label = "attention"
    category = "Tests"
    summary = "Attention over grouped heads"
    parameters = (
        Parameter("heads", "heads", 32, help="Query heads."),
        Parameter("kv_heads", "KV heads", 8, help="Key and value heads."),
        Parameter("seq_q", "queries", 128, help="Queries."),
        Parameter("seq_kv", "keys", 4096, help="Keys."),
        Parameter("block", "block", 128, help="Queries of one block."),
        Parameter("causal", "causal", False, help="Whether later keys are hidden."),
        Parameter("kind", "kind", "flash", choices=("flash", "naive"), help="How it is written."),
    )
    dtype_roles = {"activation": "bf16", "output": "bf16", "kv": "bf16"}  # noqa: RUF012 - read only
    width = 64

    def estimate(self, parameters, dtypes):
        p = {name: value if isinstance(value, str) else 1.0 * value for name, value in parameters.items()}
        return self.answer(p, dtypes)

    def sizes(self, p):
        return p["heads"] * p["seq_q"] * self.width, p["kv_heads"] * p["seq_kv"] * self.width

    def work(self, p):
        pairs = p["seq_q"] * p["seq_kv"]
        if p["causal"]:
            pairs = where(p["seq_q"] > p["seq_kv"], pairs, pairs - p["seq_q"] * (p["seq_q"] - 1) / 2)
        return 4.0 * self.width * p["heads"] * pairs

    def tiled(self, p, dtypes, own, shared):
        loads = ceil_div(p["seq_q"], p["block"])
        return own * dtypes["activation"].bytes + shared * dtypes["kv"].bytes * 2 * loads, own * dtypes[
            "output"
        ].bytes

    def answer(self, p, dtypes):
        own, shared = self.sizes(p)
        tensors = (
            Tensor("Q", own, dtypes["activation"], 1),
            Tensor("K", shared, dtypes["kv"], 1, role="cache"),
            Tensor("V", shared, dtypes["kv"], 1, role="cache"),
            Tensor("O", own, dtypes["output"], 0, 1, "output"),
        )
        pipe = f"{dtypes['compute'].pipe}-tensor"
        work = {pipe: self.work(p)}
        blocked = {"dram": self.tiled(p, dtypes, own, shared)}
        return Estimate(
            work, pipe, tensors, blocked, formulas=lambda: (Formula("work", "W = 4·d·h·q·k"),), notes=tuple
        )


def changed(**methods):
    return type("Changed", (Attention,), methods)()


def original(name):
    return getattr(Attention, name)


def test_a_right_operator_has_no_findings():
    assert check_operator(Attention()) == []
    assert_conformant(Attention())


def answering(change):
    """The attention with its answer changed by ``change(estimate, parameters, dtypes)``."""

    def answer(self, p, dtypes):
        return change(original("answer")(self, p, dtypes), p, dtypes)

    return changed(answer=answer)


def of_two_bytes(self, p, dtypes, own, shared):
    """The classical mistake: bytes written as a number."""
    return own * 2 + shared * 2 * 2 * ceil_div(p["seq_q"], p["block"]), own * 2


def swapped_heads(self, p):
    return p["kv_heads"] * p["seq_q"] * self.width, p["kv_heads"] * p["seq_kv"] * self.width


def shrinking(self, p, dtypes, own, shared):
    read, write = original("tiled")(self, p, dtypes, own, shared)
    return larger(read + write, 1e12 / p["seq_q"]), write


def raising(message):
    def call():
        raise LookupError(message)

    return call


MISTAKES = {
    "no help": (
        changed(parameters=(*Attention.parameters, Parameter("x", "x", 1))),
        "parameter 'x' has no help",
    ),
    "a bad declaration": (changed(label=""), "It has the label ''"),
    "raises for one of everything": (
        answering(lambda e, p, d: e if np.any(p["seq_q"] > 1) else [][0]),
        "kv_heads=1, seq_q=1, seq_kv=1, block=1: it raised IndexError",
    ),
    "refuses one of everything": (
        answering(lambda e, p, d: e if np.any(p["seq_q"] > 1) else _refuse()),
        "it refuses to answer: too small",
    ),
    "answers nothing": (answering(lambda e, p, d: None), "For its defaults: it answered None"),
    "nan for odd shapes": (
        answering(lambda e, p, d: replace(e, footprint_bytes=where(p["seq_q"] == 59, math.nan, 1.0))),
        "footprint = nan",
    ),
    "negative work under causal": (
        changed(work=lambda self, p: 4.0 * p["heads"] * p["seq_q"] * (p["seq_kv"] - p["seq_q"])),
        "= -",
    ),
    "overflow": (
        answering(lambda e, p, d: replace(e, footprint_bytes=p["heads"] ** 40)),
        "For heads=8.58993e+09",
    ),
    "traffic beyond numbers": (
        answering(lambda e, p, d: _second(e, elements=1e200 * p["kv_heads"], reads=1e200)),
        "traffic is too large for a number",
    ),
    "integers of 32 bits": (
        answering(
            lambda e, p, d: replace(e, footprint_bytes=1.0 * np.asarray(p["seq_q"] * 2).astype(np.int32))
        ),
        "footprint =",
    ),
    "tiled below compulsory": (
        changed(tiled=lambda self, p, d, own, shared: (own, own)),
        "is above tiled traffic",
    ),
    "a pipe that does not exist": (
        answering(
            lambda e, p, d: replace(e, work={"bf16-tenser": 1.0 * p["heads"]}, main_pipe="bf16-tenser")
        ),
        "no pipe 'bf16-tenser'",
    ),
    "a main pipe without work": (
        answering(lambda e, p, d: replace(e, main_pipe="fp16-tensor")),
        "main pipe 'fp16-tensor' has no work",
    ),
    "cannot take arrays": (
        changed(work=lambda self, p: 256.0 * math.floor(p["heads"]) * p["seq_q"] * p["seq_kv"]),
        "an array of heads: it raised TypeError",
    ),
    "answers otherwise for arrays": (
        changed(work=lambda self, p: 256.0 * np.max(p["heads"]) * p["seq_q"] * p["seq_kv"]),
        "work on bf16-tensor is ",
    ),
    "answers a grid otherwise": (
        answering(
            lambda e, p, d: replace(
                e, footprint_bytes=p["heads"] + (7.0 if np.ndim(p["heads"]) == 2 else 0.0)
            )
        ),
        "footprint is ",
    ),
    "less for more": (changed(tiled=shrinking), "more elements, but tiled traffic falls from"),
    "bytes written as a number": (
        changed(tiled=of_two_bytes),
        "tiled traffic at dram does not grow from bf16 to fp32",
    ),
    "no tensor follows the dtype": (
        answering(
            lambda e, p, d: replace(e, tensors=tuple(replace(t, dtype=DTYPES["bf16"]) for t in e.tensors))
        ),
        "no tensor follows the dtype",
    ),
    "a tensor of yet another dtype": (
        answering(
            lambda e, p, d: _second(
                e, dtype=DTYPES["fp64"] if d["activation"].id == "fp32" else DTYPES["bf16"]
            )
        ),
        "tensor K is stored in bf16 under bf16 and fp64 under fp32",
    ),
    "elements that depend on the dtype": (
        answering(lambda e, p, d: _second(e, elements=e.tensors[1].elements * d["activation"].bytes)),
        "tensor K has other elements",
    ),
    "packed weights counted too small": (
        changed(
            tiled=lambda self, p, d, own, shared: (
                own * int(d["activation"].bytes) + shared * int(d["kv"].bytes) * 2,
                own * int(d["output"].bytes),
            )
        ),
        "dtype mxfp8: compulsory traffic",
    ),
    "kv_heads unused": (
        changed(sizes=lambda self, p: (p["heads"] * p["seq_q"] * 64, p["heads"] * p["seq_kv"] * 64)),
        "K and V must follow kv_heads",
    ),
    "queries follow kv_heads": (
        changed(sizes=swapped_heads, work=lambda self, p: 256.0 * p["kv_heads"] * p["seq_q"] * p["seq_kv"]),
        "queries must follow heads",
    ),
    "queries for keys": (
        changed(work=lambda self, p: 256.0 * p["heads"] * p["seq_q"] * p["seq_q"]),
        "twice the keys (128 queries, 4096 keys) the work does not grow",
    ),
    "keys are not moved": (
        changed(sizes=lambda self, p: (p["heads"] * p["seq_q"] * 64, p["kv_heads"] * p["seq_q"] * 64)),
        "twice the keys (128 queries, 4096 keys) no more bytes",
    ),
    "formulas raise": (
        answering(lambda e, p, d: replace(e, formulas=raising("no table"))),
        "Its formulas raised LookupError: no table",
    ),
    "notes in a list": (
        answering(lambda e, p, d: replace(e, notes=lambda: ["a"])),
        "Its notes are ['a']; a tuple of str",
    ),
    "formulas raise for arrays only": (
        answering(lambda e, p, d: replace(e, formulas=raising("arrays") if np.ndim(p["heads"]) else tuple)),
        "Its formulas raised LookupError",
    ),
}


def _refuse():
    raise RefusedError("too small")


def _second(estimate, **changes):
    first, second, *rest = estimate.tensors
    return replace(estimate, tensors=(first, replace(second, **changes), *rest))


@pytest.mark.parametrize(("operator", "words"), MISTAKES.values(), ids=MISTAKES.keys())
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_kit_finds(operator, words):
    findings = check_operator(operator)

    assert any(words in finding for finding in findings), "\n".join(findings)
    with pytest.raises(AssertionError, match=r"acme\.attention does not conform:\n- "):
        assert_conformant(operator)


def test_the_kit_looks_into_parts():
    def composite(estimate, p, dtypes):
        inner = replace(estimate, work={"odd": 1.0 * p["heads"]}, main_pipe="odd")
        return Estimate({}, "bf16-tensor", (), parts=(Part("inner", "x", {}, {}, 2, inner),))

    assert any("inner: there is no pipe 'odd'" in one for one in check_operator(answering(composite)))


def test_a_right_composite_has_no_findings():
    def composite(estimate, p, dtypes):
        return Estimate({}, "bf16-tensor", (), parts=(Part("inner", "x", {}, {}, 2, estimate),))

    assert check_operator(answering(composite)) == []


def test_an_operator_for_single_numbers_may_say_so():
    def work(self, p):
        return 256.0 * math.floor(p["heads"]) * p["seq_q"] * p["seq_kv"]

    assert check_operator(changed(work=work, scalar_only=True)) == []


def test_an_operator_may_refuse_shapes_that_fit_no_machine():
    def change(estimate, p, dtypes):
        return _refuse() if np.any(p["heads"] > 1000) else estimate

    assert check_operator(answering(change)) == []


def test_an_operator_may_refuse_single_points_of_a_grid():
    def change(estimate, p, dtypes):
        numbers = np.ndim(p["heads"]) == 0 and np.ndim(p["kv_heads"]) == 0
        return _refuse() if numbers and p["heads"] + p["kv_heads"] > 80 else estimate

    assert check_operator(answering(change)) == []


def test_a_slow_operator_is_found(monkeypatch):
    import time

    monkeypatch.setattr(testing, "_SLOW_S", 0.01)

    def change(estimate, p, dtypes):
        if p["heads"] is not None and np.ndim(p["heads"]) == 0 and p["heads"] == 32 and p["seq_kv"] == 4096:
            time.sleep(0.02)
        return estimate

    assert any("ms to answer; 10 ms is the limit" in one for one in check_operator(answering(change)))


class Shared(Attention):
    """One device works alone; several answer as a composite, with an exchange that a single one has not."""

    parameters = (*Attention.parameters[:2], Parameter("ranks", "ranks", 1, high=1000, help="Devices."))
    exchanged = 1.0

    def estimate(self, parameters, dtypes):
        whole = {"seq_q": 128.0, "seq_kv": 128.0, "block": 128.0, "causal": False, "kind": "flash"}
        p = {name: 1.0 * value for name, value in parameters.items()} | whole
        alone = self.answer(p, dtypes)
        if is_number(p["ranks"]) and p["ranks"] == 1:
            return alone
        size = self.exchanged * (p["ranks"] - 1)
        moved = Estimate({}, alone.main_pipe, (Tensor("sent", size, dtypes["activation"], 1),))
        parts = (Part("Work", self.id, {}, dtypes, 1, alone), Part("Exchange", "send", {}, dtypes, 1, moved))
        return Estimate({}, alone.main_pipe, (), parts=parts)


def test_one_device_may_answer_without_the_exchange_of_several():
    assert check_operator(Shared()) == []


def test_one_device_that_answers_otherwise_than_in_an_array_is_found():
    class Wrong(Shared):
        def estimate(self, parameters, dtypes):
            answer = super().estimate(parameters, dtypes)
            return answer if answer.parts else replace(answer, work={answer.main_pipe: 1.0})

    assert any("work on bf16-tensor is 1 alone" in one for one in check_operator(Wrong()))
