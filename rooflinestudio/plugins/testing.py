"""The conformance kit: what every operator must satisfy, run by its author's tests and by the studio's own.

Examples
--------
.. code-block:: python

    from acme_ops import FlashMla
    from rooflinestudio.plugins.testing import assert_conformant


    def test_flash_mla_is_conformant():
        assert_conformant(FlashMla())
"""

from __future__ import annotations

import math
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from rooflinestudio.core.dtypes import DTYPES, SHORTHAND_ROLES
from rooflinestudio.core.operators import Formula
from rooflinestudio.plugins.array_answers import CLOSE, arrays_equal_scalars, scalar_only
from rooflinestudio.plugins.declarations import operator_faults
from rooflinestudio.plugins.faults import described
from rooflinestudio.plugins.figures import figures_of
from rooflinestudio.plugins.probing import Probe, traffic_of

if TYPE_CHECKING:
    from rooflinestudio.core.operators import Estimate, Operator

__all__ = ["assert_conformant", "check_operator"]

_PIPES: Final = frozenset(
    (
        *(one.pipe for one in DTYPES.values()),
        *(f"{one.pipe}-tensor" for one in DTYPES.values()),
        "fp32-no-fma",
        "special",
    )
)
_SLOW_S: Final = 5e-3


def check_operator(operator: Operator) -> list[str]:
    """Put an operator through everything that the studio expects of one.

    Checked are: the declaration and its texts; finite figures that are at least 0 for one of everything, for odd and
    for huge shapes and at both ends of each range; compulsory traffic never above tiled; arrays that answer as single
    numbers do; more elements never moving fewer bytes; tensors and tiles that follow the dtype; heads that differ from
    KV heads, queries that differ from keys, where there are such parameters; formulas and notes; the time it takes.

    Returns
    -------
    list of str
        What was found, one sentence each; empty for an operator that conforms.
    """
    declaration = [f"It {fault}." for fault in operator_faults(operator)]
    if declaration:
        return declaration
    probe = Probe(operator)
    for check in _CHECKS:
        check(probe)
    return probe.findings


def assert_conformant(operator: Operator) -> None:
    """Fail with everything that :func:`check_operator` finds.

    Raises
    ------
    AssertionError
        With one line for each finding.
    """
    findings = check_operator(operator)
    if findings:
        lines = "\n".join(f"- {finding}" for finding in findings)
        raise AssertionError(f"{getattr(operator, 'id', operator)} does not conform:\n{lines}")


# ------------------------------------------------------------------------------------------- texts


def _has_docs(probe: Probe) -> None:
    for parameter in probe.operator.parameters:
        if not str(parameter.help or "").strip():
            probe.find(f"Its parameter {parameter.name!r} has no help; say in one sentence what it is.")


def _has_texts(probe: Probe) -> None:
    """Ask for formulas and notes, with numbers and with an array."""
    import numpy as np

    estimates: list[Any] = [probe.ask({}), probe.ask(probe.ones())]
    if probe.numbers and not scalar_only(probe):
        first = probe.numbers[0]
        two = np.array([float(first.default), float(first.default)])
        with suppress(Exception):  # the check of arrays says what is wrong
            estimates.append(probe.ask_raw({first.name: two}))
    for estimate in estimates:
        for name, kind in (("formulas", Formula), ("notes", str)):
            call = getattr(estimate, name, None)
            if call is None:
                continue
            try:
                answer = call()
            except Exception as error:
                probe.find(f"Its {name} raised {described(error)}.")
                continue
            if not isinstance(answer, tuple) or not all(isinstance(one, kind) for one in answer):
                probe.find(f"Its {name} are {answer!r}; a tuple of {kind.__name__} is needed.")


# ----------------------------------------------------------------------------------------- figures


def _figures_are_sound(probe: Probe) -> None:
    for given, may_refuse in probe.samples():
        estimate = probe.ask(given, may_refuse=may_refuse)
        if estimate is not None:
            _check_traffic(probe, estimate, probe.where(given))
            _check_pipes(probe, estimate, probe.where(given))


def _check_traffic(probe: Probe, estimate: Estimate, where: str) -> None:
    compulsory, tiled = traffic_of(estimate)
    if not (math.isfinite(compulsory) and math.isfinite(tiled)):
        probe.find(f"{where} its traffic is too large for a number.")
    elif compulsory > tiled * (1 + CLOSE):
        probe.find(f"{where} compulsory traffic ({compulsory:g} B) is above tiled traffic ({tiled:g} B).")


def _check_pipes(probe: Probe, estimate: Estimate, where: str) -> None:
    for part in estimate.parts:
        _check_pipes(probe, part.estimate, f"{where} {part.label}:")
    for pipe in estimate.work:
        if pipe not in _PIPES:
            probe.find(
                f"{where} there is no pipe {pipe!r}; take it from a dtype, such as dtypes['compute'].pipe."
            )
    if any(flop > 0 for flop in estimate.work.values()) and estimate.main_pipe not in estimate.work:
        probe.find(
            f"{where} its main pipe {estimate.main_pipe!r} has no work; work is on {', '.join(estimate.work)}."
        )


# ----------------------------------------------------------------------------------------- scaling


def _more_elements_more_traffic(probe: Probe) -> None:
    """Double each size; if tensors grow and none shrinks, no fewer bytes may move."""
    for base in ({}, probe.odd()):
        before = probe.ask(base)
        for one in probe.numbers:
            value = 2 * float(base.get(one.name, one.default))
            given = {**base, one.name: value}
            after = probe.ask(given) if value <= one.high else None
            if before is None or after is None or not _grew(before, after):
                continue
            for policy, old, new in zip(
                ("compulsory", "tiled"), traffic_of(before), traffic_of(after), strict=True
            ):
                if new < old * (1 - CLOSE):
                    probe.find(
                        f"{probe.where(given)} more elements, but {policy} traffic falls from {old:g} to {new:g} B."
                    )


def _grew(before: Estimate, after: Estimate) -> bool:
    sizes = [
        {name: value for name, value in figures_of(one) if "elements of " in name or "count of " in name}
        for one in (before, after)
    ]
    if sizes[0].keys() != sizes[1].keys():
        return False
    pairs = [(value, sizes[1][name]) for name, value in sizes[0].items()]
    return all(new >= old for old, new in pairs) and any(new > old for old, new in pairs)


def _dtype_scales_traffic(probe: Probe) -> None:
    for choice in probe.choices():
        narrow, wide = probe.ask(choice, {"all": "bf16"}), probe.ask(choice, {"all": "fp32"})
        if narrow is not None and wide is not None:
            _compare_dtypes(probe, narrow, wide, probe.where(choice))
    roles = probe.operator.dtype_roles
    sets = [
        {"all": "fp8"},
        {"all": "fp32"},
        {"all": "mxfp8"},
        *({role: "int4"} for role in roles if role == "weight"),
    ]
    for dtypes in sets:
        estimate = probe.ask({}, dtypes)
        if estimate is not None:
            _check_traffic(probe, estimate, probe.where({}, dtypes))


def _compare_dtypes(probe: Probe, narrow: Estimate, wide: Estimate, where: str) -> None:
    """Hold an answer in bf16 against the one in fp32; tensors that are the same in both are pinned."""
    small, large = ({tensor.name: tensor for tensor in one.tensors} for one in (narrow, wide))
    following = small.keys() ^ large.keys()  # a copy that is only there in one of them follows too
    for name in small.keys() & large.keys():
        before, after = small[name], large[name]
        if before.dtype.id == after.dtype.id:
            continue
        following = following | {name}
        if (before.dtype.id, after.dtype.id) != ("bf16", "fp32"):
            probe.find(
                f"{where} tensor {name} is stored in {before.dtype} under bf16 and {after.dtype} under fp32."
            )
        if (before.elements, before.reads, before.writes) != (after.elements, after.reads, after.writes):
            probe.find(f"{where} tensor {name} has other elements, reads or writes in fp32 than in bf16.")
    roles = probe.operator.dtype_roles.keys() & set(SHORTHAND_ROLES) - probe.operator.pinned - {"compute"}
    if narrow.tensors and roles and not following:
        probe.find(f"{where} no tensor follows the dtype, although {', '.join(sorted(roles))} should.")
    (compulsory, tiled), (more_compulsory, more_tiled) = traffic_of(narrow), traffic_of(wide)
    if more_compulsory > compulsory and more_tiled <= tiled and "dram" in narrow.blocked:
        probe.find(
            f"{where} tiled traffic at dram does not grow from bf16 to fp32: are bytes written as a number?"
        )


# ------------------------------------------------------------------------- heads, queries and keys


def _heads_differ_from_kv_heads(probe: Probe) -> None:
    if not probe.has("heads", "kv_heads"):
        return
    few, many = {"heads": 32, "kv_heads": 8}, {"heads": 32, "kv_heads": 32}
    shared, own = probe.ask(few), probe.ask(many)
    if shared is None or own is None:
        return
    if traffic_of(shared)[0] >= traffic_of(own)[0]:
        probe.find(
            "With 8 instead of 32 KV heads for 32 heads no fewer bytes cross: K and V must follow kv_heads."
        )
    if _work(own) >= 4 * _work(shared) > 0:
        probe.find("With 8 instead of 32 KV heads the work falls to a quarter: queries must follow heads.")
    wider = probe.ask({"heads": 64, "kv_heads": 8})
    if wider is not None and _work(wider) <= _work(shared):
        probe.find("With 64 instead of 32 heads the work does not grow: queries must follow heads.")


def _queries_differ_from_keys(probe: Probe) -> None:
    if not probe.has("seq_q", "seq_kv"):
        return
    base = probe.ask({"seq_q": 128, "seq_kv": 4096})
    for given, what in (
        ({"seq_q": 256, "seq_kv": 4096}, "queries"),
        ({"seq_q": 128, "seq_kv": 8192}, "keys"),
    ):
        more = probe.ask(given)
        if base is None or more is None:
            continue
        if _work(more) <= _work(base):
            probe.find(f"With twice the {what} (128 queries, 4096 keys) the work does not grow.")
        if traffic_of(more)[0] <= traffic_of(base)[0]:
            probe.find(f"With twice the {what} (128 queries, 4096 keys) no more bytes cross.")
    for given in ({"seq_q": 1, "seq_kv": 4096}, {"seq_q": 4096, "seq_kv": 1}):
        for choice in probe.choices():
            probe.ask({**choice, **given})


def _work(estimate: Estimate) -> float:
    own = sum(flop for pipe, flop in estimate.work.items() if pipe != "special")
    return float(own + sum(part.count * _work(part.estimate) for part in estimate.parts))


# -------------------------------------------------------------------------------------------- time


def _answers_quickly(probe: Probe) -> None:
    times = []
    for _ in range(5):
        started = perf_counter()
        probe.ask({})
        times.append(perf_counter() - started)
    if min(times) > _SLOW_S:
        probe.find(
            f"For its defaults: it takes {1e3 * min(times):.0f} ms to answer; {1e3 * _SLOW_S:.0f} ms is the limit."
        )


_CHECKS: Final = (
    _has_docs,
    _figures_are_sound,
    _has_texts,
    arrays_equal_scalars,
    _more_elements_more_traffic,
    _dtype_scales_traffic,
    _heads_differ_from_kv_heads,
    _queries_differ_from_keys,
    _answers_quickly,
)
