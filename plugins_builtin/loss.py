"""The end of a language model: hidden states to logits, and logits to a loss, apart or as one kernel."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from plugins_builtin._text import put
from plugins_builtin.gemm import DEFAULTS, TILES, product, product_formulas
from rooflinestudio.plugins import (
    Dtypes,
    Estimate,
    Formula,
    Launch,
    OnDemand,
    OperatorBase,
    Parameter,
    Tensor,
    hookimpl,
)
from rooflinestudio.plugins.arithmetic import ceil_div, larger, smaller

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rooflinestudio.plugins import Placement
    from rooflinestudio.plugins.arithmetic import Num

CATEGORY: Final = "Loss"

LOSS_FLOP: Final = 6.0
"""FLOP per logit of a cross-entropy: running maximum, difference, sum, scale, and the gradient's two."""

EXP_FLOP: Final = 4.0
"""What one exponential counts on the pipe ``special``."""

_TOKENS = Parameter("tokens", "tokens", 8192, help="Rows: batch times sequence length.")
_WIDTH = Parameter("width", "width", 4096, help="Elements of a hidden state.")
_VOCABULARY = Parameter(
    "vocabulary", "vocabulary", 128_256, help="Entries of the vocabulary: logits per token."
)
_HEAD_ROLES = MappingProxyType(
    {"activation": "bf16", "weight": "bf16", "output": "bf16", "accumulate": "fp32"}
)


class LmHead(OperatorBase):
    """The product of hidden states and the output embedding."""

    id = "lm_head"
    label = "LM head"
    category = CATEGORY
    summary = "Hidden states times the output embedding: a logit for every entry of the vocabulary"
    parameters = (_TOKENS, _WIDTH, _VOCABULARY, *TILES)
    dtype_roles = _HEAD_ROLES
    tensor_roles = MappingProxyType({"hidden": "activation", "head": "weight", "logits": "output"})

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        shape, formats = _shape(parameters), _formats(dtypes)
        return _replaced(
            product(shape, formats, ("hidden", "head", "logits")),
            formulas=lambda: tuple(map(_in_words, product_formulas(shape, formats))),
            notes=lambda: (
                "The logits are written in the format of the output; a loss in fp32 is a kernel of its own and reads "
                "them in fp32.",
            ),
        )


def _shape(p: Mapping[str, Any]) -> dict[str, Any]:
    """Return the head as a product: tokens × width times width × vocabulary."""
    return {**DEFAULTS, **p, "m": p["tokens"], "n": p["vocabulary"], "k": p["width"]}


def _formats(dtypes: Dtypes) -> Dtypes:
    return Dtypes({
        **dtypes,
        "A": dtypes.of("hidden", "activation"), "B": dtypes.of("head", "weight"), "C": dtypes.of("logits", "output"),
    })  # fmt: skip


def _replaced(
    estimate: Estimate,
    *,
    formulas: Callable[[], tuple[Formula, ...]],
    notes: Callable[[], tuple[str, ...]],
) -> Estimate:
    return Estimate(
        estimate.work,
        estimate.main_pipe,
        estimate.tensors,
        estimate.blocked,
        footprint_bytes=estimate.footprint_bytes,
        launch=estimate.launch,
        padded_work=estimate.padded_work,
        formulas=formulas,
        notes=notes,
    )


_WORDS: Final = {
    "m": "tokens",
    "n": "vocabulary",
    "k": "width",
    "s_A": "s_hidden",
    "s_B": "s_head",
    "s_C": "s_logits",
}


def _in_words(formula: Formula) -> Formula:
    symbols = re.sub(r"\b(?:[mnk]|s_[ABC])\b", lambda found: _WORDS[found[0]], formula.symbols)
    return Formula(formula.figure, symbols, formula.values, formula.source)


class CrossEntropy(OperatorBase):
    """Softmax, loss and gradient of stored logits."""

    id = "cross_entropy"
    label = "Cross-entropy"
    category = CATEGORY
    summary = "Loss and gradient of stored fp32 logits: three reads and one write of each"
    parameters = (_TOKENS, _VOCABULARY)
    dtype_roles = MappingProxyType({"activation": "fp32", "output": "fp32", "compute": "fp32"})
    tensor_roles = MappingProxyType({"logits": "activation", "gradient": "output"})
    pinned = frozenset(("activation", "output"))

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        logits = 1.0 * parameters["tokens"] * parameters["vocabulary"]
        tensors = (
            Tensor("logits", logits, dtypes.of("logits", "activation"), 3, 0, "input"),
            Tensor("gradient", logits, dtypes.of("gradient", "output"), 0, 1, "output"),
        )
        pipe = dtypes["compute"].pipe
        return Estimate(
            {pipe: LOSS_FLOP * logits, "special": EXP_FLOP * logits},
            pipe,
            tensors,
            footprint_bytes=sum(one.elements * one.dtype.bytes for one in tensors),
            launch=Launch(),
            formulas=lambda: _loss_formulas(parameters, tensors),
            notes=lambda: (
                "A row of logits is longer than what a block keeps on chip: it is read for its maximum, for its sum, "
                "and once more for the gradient.",
                "Targets and losses, one number per token, are not counted.",
                "The logits are pinned to fp32; logits=bf16 and gradient=bf16 set them by name.",
            ),
        )


def _loss_formulas(p: Mapping[str, Any], tensors: tuple[Tensor, ...]) -> tuple[Formula, ...]:
    values = {
        "t": p["tokens"],
        "v": p["vocabulary"],
        "x": tensors[0].dtype.bytes,
        "g": tensors[1].dtype.bytes,
    }
    return (
        Formula("work", "W = 6·tokens·vocabulary", put("6·{t}·{v}", **values),
                "per logit: maximum, difference, sum, scale, and two for the gradient"),
        Formula("compulsory", "Q = (3·s_logits + s_gradient)·tokens·vocabulary",
                put("(3·{x} + {g})·{t}·{v}", **values), "three reads and one write of every logit"),
        _special_formula(values),
    )  # fmt: skip


def _special_formula(values: Mapping[str, Any]) -> Formula:
    return Formula(
        "special", "W_special = 4·tokens·vocabulary", put("4·{t}·{v}", t=values["t"], v=values["v"]),
        "one exponential per logit, 4 FLOP each, beside the work",
    )  # fmt: skip


class FusedLinearCrossEntropy(OperatorBase):
    """Head and loss as one kernel, chunk by chunk: no logit reaches memory."""

    id = "fused_linear_cross_entropy"
    label = "Fused head and loss"
    category = CATEGORY
    summary = "LM head and cross-entropy in one, chunk by chunk of tokens: no logit crosses memory"
    parameters = (
        _TOKENS, _WIDTH, _VOCABULARY,
        Parameter("chunk", "chunk", 1024, help="Tokens whose logits are held at once."),
        *TILES,
    )  # fmt: skip
    dtype_roles = MappingProxyType({**_HEAD_ROLES, "output": "fp32"})
    tensor_roles = MappingProxyType({"hidden": "activation", "head": "weight", "loss": "output"})
    pinned = frozenset(("output",))

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        p, tokens = parameters, 1.0 * parameters["tokens"]
        formats = _formats(dtypes)
        core = product(_shape(p), formats)
        hidden, head, _ = core.tensors
        logits = tokens * p["vocabulary"]
        loss = Tensor("loss", tokens, dtypes.of("loss", "output"), 0, 1, "output")
        tensors = (
            Tensor("hidden", hidden.elements, hidden.dtype, 1, 0, "input"),
            Tensor("head", head.elements, head.dtype, 1, 0, "weight"),
            loss,
        )
        vector = "fp64" if dtypes["compute"].id == "fp64" else "fp32"
        beside = {vector: LOSS_FLOP * logits, "special": EXP_FLOP * logits}
        held = sum(one.elements * one.dtype.bytes for one in tensors)
        return Estimate(
            {**core.work, **beside},
            core.main_pipe,
            tensors,
            _blocked(p, core, tensors),
            footprint_bytes=held + _logits_bytes(p),
            launch=core.launch,
            padded_work=_padded(core, beside),
            formulas=lambda: _fused_formulas(p, tensors),
            notes=lambda: (
                "Forward only: the products that make the gradients of hidden states and head are further kernels.",
                "The logits of a chunk are counted as staying on chip; where they exceed the cache they cross too.",
            ),
        )

    def details(self, placement: Placement) -> Mapping[str, Any]:
        """Return the bytes of logits that exist at once."""
        return {"logits_bytes": _logits_bytes(placement.parameters)}


def _logits_bytes(p: Mapping[str, Any]) -> Num:
    """Return the bytes of the logits of one chunk, in fp32."""
    held: Num = 4.0 * smaller(p["chunk"], p["tokens"]) * p["vocabulary"]
    return held


def _blocked(p: Mapping[str, Any], core: Estimate, tensors: tuple[Tensor, ...]) -> OnDemand[tuple[Num, Num]]:
    """Return the product's blocked counts without its output; at dram the head is read once for every chunk."""
    hidden, head, loss = (one.elements * one.dtype.bytes for one in tensors)

    def tiled() -> tuple[Num, Num]:
        return hidden + head * ceil_div(p["tokens"], p["chunk"]), loss

    def inside(boundary: str) -> Callable[[], tuple[Num, Num]]:
        return lambda: (larger(core.blocked[boundary][0], hidden + head), loss)

    return OnDemand(
        {"register": inside("register"), "shared": inside("shared"), "l2": inside("dram"), "dram": tiled}
    )


def _padded(core: Estimate, beside: Mapping[str, Num]) -> OnDemand[Num]:
    padded = core.padded_work or {}

    def of(pipe: str) -> Callable[[], Num]:
        return lambda: padded[pipe] if pipe in padded else beside[pipe]

    return OnDemand({pipe: of(pipe) for pipe in (*padded, *beside)})


def _fused_formulas(p: Mapping[str, Any], tensors: tuple[Tensor, ...]) -> tuple[Formula, ...]:
    values = {"t": p["tokens"], "w": p["width"], "v": p["vocabulary"], "c": p["chunk"]}
    values |= {"held": smaller(p["chunk"], p["tokens"])}
    values |= dict(zip(("h", "e", "l"), (one.dtype.bytes for one in tensors), strict=True))
    return (
        Formula("work", "W = 2·tokens·width·vocabulary + 6·tokens·vocabulary",
                put("2·{t}·{w}·{v} + 6·{t}·{v}", **values), "the head's product, and 6 per logit for the loss"),
        Formula("compulsory", "Qc = s_hidden·tokens·width + s_head·width·vocabulary + s_loss·tokens",
                put("{h}·{t}·{w} + {e}·{w}·{v} + {l}·{t}", **values), "each tensor once, no logit among them"),
        Formula("tiled", "Qt = s_hidden·tokens·width + s_head·width·vocabulary·⌈tokens/chunk⌉ + s_loss·tokens",
                put("{h}·{t}·{w} + {e}·{w}·{v}·⌈{t}/{c}⌉ + {l}·{t}", **values), "every chunk reads the whole head"),
        Formula("logits", "logits held = 4·chunk·vocabulary", put("4·{held}·{v}", **values),
                "bytes of fp32 logits that exist at once"),
        _special_formula(values),
    )  # fmt: skip


@hookimpl
def rooflinestudio_operators() -> list[OperatorBase]:
    """Bring head and loss."""
    return [LmHead(), CrossEntropy(), FusedLinearCrossEntropy()]
