"""One layer of a decoder, kernel by kernel: prefill, training step or decoding."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from plugins_builtin._text import put, shown
from plugins_builtin._transformer.cached_attention import Seen
from plugins_builtin._transformer.kernels import Kernels
from plugins_builtin._transformer.split import DATA, TENSOR, Split, exchange
from plugins_builtin._transformer.transforms import TRAIN_TRAFFIC, TRAIN_WORK, training_step
from rooflinestudio.plugins import Estimate, Formula, OperatorBase, Parameter, ParameterError, Part
from rooflinestudio.plugins.arithmetic import ceil_div, is_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rooflinestudio.plugins import Dtypes, Placement
    from rooflinestudio.plugins.arithmetic import Num

CATEGORY: Final = "Transformer"
HEAD_DIM: Final = 128
FFN_FACTOR: Final = 3.5


class TransformerLayer(OperatorBase):
    """A layer with grouped heads of 128 and a gated feed-forward block 3.5 times as wide."""

    id = "transformer_layer"
    label = "Transformer layer"
    category = CATEGORY
    summary = "One decoder layer, kernel by kernel: prefill, a training step, or decoding"
    parameters = (
        Parameter("regime", "regime", "prefill", choices=("prefill", "train", "decode"),
                  help="Whole sequences, a training step on them, or one new token for each after seq cached ones."),
        Parameter("width", "width", 8192, high=1.28e7, help="Elements of a token; the heads are width / 128."),
        Parameter("seq", "sequence", 8192, high=1e9,
                  help="Tokens of a sequence; in decode, tokens in its cache."),
        Parameter("batch", "batch", 4, high=1e9, help="Sequences, over all data-parallel groups."),
        Parameter("kv_heads", "KV heads", 8, high=1e5, help="Key-value heads, each shared by heads / KV heads."),
        Parameter("causal", "causal", default=False, help="In prefill and training, a token sees none after it."),
        Parameter("implementation", "implementation", "flash", choices=("flash", "naive"),
                  help="In prefill and training, flash keeps attention's scores on chip; naive writes them out."),
        TENSOR,
        DATA,
    )  # fmt: skip
    dtype_roles = MappingProxyType(
        {"activation": "bf16", "weight": "bf16", "kv": "bf16", "accumulate": "fp32"}
    )

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        p = parameters
        split = Split.of(self.id, p, within=False)
        heads, inner = ceil_div(p["width"], HEAD_DIM), ffn_width(p["width"])
        _check_heads(p, heads)
        train = p["regime"] == "train"
        k = Kernels(dtypes, keep=training_step if train else None)
        parts = _parts(p, k, split, (heads, inner))
        if train:
            parts += exchange("all-reduce of gradients", "all_reduce", k.activation, elements=weights(p, split),
                              ranks=split.data)  # fmt: skip
        return Estimate(
            {}, k.main_pipe, (), footprint_bytes=None if train else _footprint(p, dtypes, split),
            parts=parts, formulas=lambda: tuple(_formulas(p, parts, heads, inner)),
            notes=lambda: tuple(_notes(p, split)),
        )  # fmt: skip

    def details(self, placement: Placement) -> Mapping[str, Any]:
        """Return the shape that follows from the width, and tokens per second."""
        p = placement.parameters
        tokens = _tokens(p, p["batch"])
        split = Split.of(self.id, p, within=False)
        return {
            "tokens_per_s": tokens / placement.time_s, "heads": ceil_div(p["width"], HEAD_DIM), "head_dim": HEAD_DIM,
            "ffn_width": ffn_width(p["width"]), "weights": weights(p, split), "devices": split.devices,
        }  # fmt: skip


def ffn_width(width: Num) -> Num:
    """Return 3.5 widths, rounded to a whole number."""
    wide = FFN_FACTOR * width
    if is_number(wide):
        return round(wide)
    import numpy as np

    rounded: Num = np.rint(wide)
    return rounded


def weights(p: Mapping[str, Any], split: Split) -> Num:
    """Return the parameters of the layer on one device."""
    width = p["width"]
    heads, kv_heads = split.heads(ceil_div(width, HEAD_DIM), p["kv_heads"])
    count: Num = width * (2.0 * (heads + kv_heads) * HEAD_DIM + 3.0 * split.share(ffn_width(width)) + 2.0)
    return count


def _check_heads(p: Mapping[str, Any], heads: Num) -> None:
    wrong: Any = heads % p["kv_heads"] != 0
    if wrong is False or (not isinstance(wrong, bool) and not wrong.any()):
        return
    width = f" = {shown(p['width'])}" if is_number(p["width"]) else ""
    have = (
        f" makes {shown(heads)} heads of {HEAD_DIM}"
        if is_number(heads)
        else f" makes width / {HEAD_DIM} heads"
    )
    kv = f" = {shown(p['kv_heads'])}" if is_number(p["kv_heads"]) else ""
    raise ParameterError(
        f"transformer_layer: width{width}{have}, which kv_heads{kv} must divide. "
        "Set kv_heads to a divisor of the heads, or another width."
    )


def _tokens(p: Mapping[str, Any], sequences: Num) -> Num:
    return 1.0 * sequences if p["regime"] == "decode" else 1.0 * sequences * p["seq"]


def _parts(p: Mapping[str, Any], k: Kernels, split: Split, shape: tuple[Num, Num]) -> tuple[Part, ...]:
    """Return the kernels in the order in which they run."""
    width, sequences = p["width"], split.of_batch(p["batch"])
    tokens = _tokens(p, sequences)
    heads, kv_heads = split.heads(shape[0], p["kv_heads"])
    inner = split.share(shape[1])
    together = {"elements": tokens * width, "ranks": split.tensor}
    return (
        k.simple("norm", "rmsnorm", tokens, width),
        k.product("qkv", (tokens, (heads + 2 * kv_heads) * HEAD_DIM, width)),
        k.simple("rope", "rope", tokens, (heads + kv_heads) * HEAD_DIM),
        _attention(p, k, sequences, {"heads": heads, "kv_heads": kv_heads, "head_dim": HEAD_DIM}),
        k.product("out", (tokens, width, heads * HEAD_DIM)),
        *_sum("all-reduce", p, k, together),
        k.simple("add", "add", tokens, width),
        k.simple("norm", "rmsnorm", tokens, width),
        k.product("gate_up", (tokens, 2 * inner, width)),
        k.simple("swiglu", "swiglu", tokens, inner),
        k.product("down", (tokens, width, inner)),
        *_sum("all-reduce", p, k, together),
        k.simple("add", "add", tokens, width),
    )


def _sum(label: str, p: Mapping[str, Any], k: Kernels, together: dict[str, Num]) -> tuple[Part, ...]:
    """Return the sum over a tensor-parallel group; a training step has it in both passes."""
    count = 2 if p["regime"] == "train" else 1
    return exchange(label, "all_reduce", k.activation, **together, count=count)


def _attention(p: Mapping[str, Any], k: Kernels, sequences: Num, shape: dict[str, Num]) -> Part:
    if p["regime"] == "decode":
        return k.cached_attention("attention", Seen(sequences, 1, p["seq"], p["seq"]), shape)
    return k.attention(
        "attention", batch=sequences, seq_q=p["seq"], seq_kv=p["seq"], causal=p["causal"],
        implementation=p["implementation"], **shape,
    )  # fmt: skip


def _footprint(p: Mapping[str, Any], dtypes: Dtypes, split: Split) -> Num:
    """Return weights, the layer's cache and the widest step of a forward pass."""
    width, sequences = p["width"], split.of_batch(p["batch"])
    heads, kv_heads = split.heads(ceil_div(width, HEAD_DIM), p["kv_heads"])
    alive = 2.0 * width + 3.0 * split.share(ffn_width(width))
    cache = 2.0 * kv_heads * HEAD_DIM * p["seq"] * sequences
    naive = p["implementation"] == "naive" and p["regime"] == "prefill"
    scores = 2.0 * heads * sequences * p["seq"] * p["seq"] if naive else 0.0
    activations = (_tokens(p, sequences) * alive + scores) * dtypes["activation"].bytes
    held: Num = weights(p, split) * dtypes["weight"].bytes + cache * dtypes["kv"].bytes + activations
    return held


def _formulas(p: Mapping[str, Any], parts: tuple[Part, ...], heads: Num, inner: Num) -> Iterator[Formula]:
    decode, train = p["regime"] == "decode", p["regime"] == "train"
    rows = "batch" if decode else "batch·seq"
    factor = (f"{TRAIN_WORK:g}·(", ")") if train else ("", "")
    products = sum(one.estimate.work[_pipe(one)] for one in parts if one.operator == "gemm")
    attention = sum(one.estimate.work[_pipe(one)] for one in parts if one.operator.startswith("attention"))
    rest = sum(
        flop * one.count
        for one in parts
        if one.operator != "gemm" and not one.operator.startswith("attention")
        for pipe, flop in one.estimate.work.items()
        if pipe != "special"
    )
    yield Formula(
        "work", f"W = {factor[0]}2·{rows}·weights + 4·128·heads·batch·pairs + W_vector{factor[1]}",
        put("{a} + {b} + {c}", a=products, b=attention, c=rest),
        "products with weights, with keys and values, and vector work; pairs are the visible (query, key) pairs",
    )  # fmt: skip
    yield Formula(
        "weights", "weights = width·(2·heads + 2·kv_heads)·128 + 3·width·d_ff",
        put("{w}·(2·{h} + 2·{kv})·128 + 3·{w}·{f}", w=p["width"], h=heads, kv=p["kv_heads"], f=inner),
        "heads = width/128, d_ff = 3.5·width; traffic and time are those of the parts, summed",
    )  # fmt: skip
    if train:
        yield Formula(
            "compulsory", f"Q = {TRAIN_TRAFFIC:g}·Q_forward", "",
            "a first-order stand-in for the backward pass, on every part",
        )  # fmt: skip


def _pipe(part: Part) -> str:
    return part.estimate.main_pipe


def _notes(p: Mapping[str, Any], split: Split) -> Iterator[str]:
    yield (
        "Each kernel at its own bound, one after the other: no overlap between them, and no gaps. "
        "Real layers take 1.3 to 2 times as long."
    )
    if p["regime"] == "train":
        yield (
            "A training step is counted as three times the work and twice the traffic of the forward pass: a "
            "first-order stand-in. What it really moves hangs on what is stored and what is recomputed."
        )
    if p["regime"] == "decode":
        yield "Activations are counted at dram, although those of one token would stay in cache."
    if is_number(p["width"]) and p["width"] % HEAD_DIM:
        yield f"The width is no multiple of {HEAD_DIM}: the last head is counted whole."
    if not split.alone:
        yield "The figures are those of the fullest device; the sums over the link wait for all of them."
