"""What kernel names of the usual libraries say about the operator, as a table: the first rule that matches holds.

Names follow the habits of cuBLAS, cuDNN, CUTLASS, PyTorch, Triton, FlashAttention, NCCL, Apex and Tensile.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

__all__ = ["RULES", "Rule", "fused_rule"]

_PRODUCTS: Final = {"gemm": 1.0, "lm_head": 0.6, "fused_linear_cross_entropy": 0.3, "conv2d": 0.25}
_OVER_ELEMENTS: Final = {
    "elementwise": 0.7, "add": 0.4, "mul": 0.4, "scale": 0.4, "cast": 0.35, "relu": 0.35, "gelu": 0.35, "silu": 0.35,
    "swiglu": 0.35, "dropout": 0.3, "quantize": 0.3, "rope": 0.3,
}  # fmt: skip


class Rule(NamedTuple):
    """A pattern over the lower-case name, the word that it stands for, and operators with how sure they are (0 to 1).

    A rule without operators says that the name is none of those that follow.
    """

    pattern: re.Pattern[str]
    word: str
    operators: dict[str, float]


def _rule(pattern: str, word: str, operators: dict[str, float] | None = None) -> Rule:
    return Rule(re.compile(pattern), word, operators or {})


RULES: Final = (
    # Collectives
    _rule(r"(?:nccl|rccl)\w*all_?reduce|all_?reduce_(?:one|two)_?shot|cross_device_reduce", "all-reduce",
          {"all_reduce": 1.0}),
    _rule(r"(?:nccl|rccl)\w*all_?gather", "all-gather", {"all_gather": 1.0}),
    _rule(r"(?:nccl|rccl)\w*reduce_?scatter", "reduce-scatter", {"reduce_scatter": 1.0}),
    _rule(r"(?:nccl|rccl)\w*(?:send|recv)", "send and receive", {"send": 1.0, "all_to_all": 0.8}),
    _rule(r"nccl|rccl", "a collective", {"all_reduce": 0.4, "all_gather": 0.4, "reduce_scatter": 0.4, "send": 0.3}),
    # Attention
    _rule(r"(?<![a-z])(?:flash_?)?mla(?![a-z])", "MLA", {"mla_decode": 1.0, "attention_decode": 0.3}),
    _rule(r"split_?kv|paged_?(?:attention|kv)|batchdecode|decode_?(?:attention|attn)|(?:attention|attn)_?decode"
          r"|flash_?decod|masked_?multihead|mmha", "decode attention",
          {"attention_decode": 1.0, "attention": 0.5, "mla_decode": 0.3}),
    _rule(r"flash_?(?:fwd|bwd|attn|attention)|fmha|attn_?(?:fwd|bwd)|mha_?(?:fwd|bwd)|sdpa|attention",
          "attention", {"attention": 1.0, "attention_decode": 0.4}),
    # Convolutions and what follows a product cut along k
    _rule(r"implicit_?gemm|fprop|dgrad|wgrad|conv(?:2d|3d|1d|olve|olution|_)|winograd|im2col", "convolution",
          {"conv2d": 1.0, "gemm": 0.2}),
    _rule(r"split_?k_?reduce", "the sum after a product cut along k"),
    # Losses, optimisers
    _rule(r"linear_?cross_?entropy", "linear cross-entropy", {"fused_linear_cross_entropy": 1.0, "lm_head": 0.3}),
    _rule(r"cross_?entropy|nll_?loss|log_?softmax", "cross-entropy", {"cross_entropy": 1.0, "softmax": 0.4}),
    _rule(r"adam\w*8bit|8bit\w*adam|optimizer\w*8bit", "8-bit Adam", {"adam_8bit": 1.0, "adam": 0.4}),
    _rule(r"adafactor", "Adafactor", {"adafactor": 1.0}),
    _rule(r"newton_?schulz|muon", "Muon", {"muon": 1.0}),
    _rule(r"(?<!m)adam", "Adam", {"adam": 1.0, "adam_8bit": 0.4}),
    _rule(r"(?<![a-z])(?:fused)?sgd", "SGD", {"sgd": 1.0, "sgd_momentum": 0.9}),
    _rule(r"multi_?tensor_?apply", "an optimiser over many tensors",
          {"adam": 0.45, "sgd": 0.4, "sgd_momentum": 0.4, "adafactor": 0.3}),
    # Rows
    _rule(r"softmax", "softmax", {"softmax": 1.0, "cross_entropy": 0.3}),
    _rule(r"rms_?norm", "RMSNorm", {"rmsnorm": 1.0, "layernorm": 0.4}),
    _rule(r"layer_?norm", "LayerNorm", {"layernorm": 1.0, "rmsnorm": 0.4}),
    _rule(r"rotary|(?<![a-z])rope(?![a-z])", "rotary embedding", {"rope": 1.0}),
    _rule(r"embedding|index_?select", "embedding", {"embedding": 0.95}),
    # Numerical kernels
    _rule(r"csr_?mv|csr_?(?:vector|stream|scalar|adaptive)|spmv|bsr_?mv|ell_?mv", "sparse matrix times vector",
          {"spmv": 1.0}),
    _rule(r"fft|radix_?\d", "FFT", {"fft": 1.0}),
    _rule(r"stencil|jacobi|laplac|heat_?[23]d", "stencil", {"stencil": 1.0}),
    # Products
    _rule(r"gemv", "matrix times vector", _PRODUCTS),
    _rule(r"gemm|matmul|xmma|cutlass::kernel|cutlass::device_kernel|cutlass\d*x?_|cijk_|nvjet|wgmma"
          r"|(?<![a-z])b?mm(?![a-z])", "gemm", _PRODUCTS),
    _rule(r"transpose|permute", "transpose", {"transpose": 1.0, "cast": 0.3}),
    # Vectors
    _rule(r"triad", "triad", {"stream_triad": 1.0, "axpy": 0.4}),
    _rule(r"axpy", "axpy", {"axpy": 1.0}),
    _rule(r"(?<![a-z])dot(?:_?product|_?kernel)?(?![a-z])", "dot product", {"dot": 1.0, "reduce": 0.3}),
    # Element by element
    _rule(r"fill_?functor|memset", "a fill"),
    _rule(r"dequant", "dequantise", {"cast": 0.6, "quantize": 0.4}),
    _rule(r"quanti[sz]|scaled_?quant", "quantise", {"quantize": 1.0, "cast": 0.4}),
    _rule(r"dropout", "dropout", {"dropout": 1.0}),
    _rule(r"swiglu|silu_?and_?mul|act_?and_?mul", "SwiGLU", {"swiglu": 1.0, "silu": 0.5, "mul": 0.3}),
    _rule(r"gelu", "GELU", {"gelu": 1.0, "elementwise": 0.5}),
    _rule(r"silu|swish", "SiLU", {"silu": 1.0, "swiglu": 0.6, "elementwise": 0.5}),
    _rule(r"(?<![a-z])relu", "ReLU", {"relu": 1.0, "elementwise": 0.5}),
    _rule(r"direct_?copy|to_?copy|copy_?kernel|(?<![a-z])cast|bfloat16_?copy|float16_?copy", "a copy",
          {"cast": 0.8, "transpose": 0.5}),
    _rule(r"functor\w*_add|add_?functor|(?<![a-z])(?:vec_?)?add(?:_?kernel)?(?![a-z])", "add",
          {"add": 1.0, "elementwise": 0.6}),
    _rule(r"mul_?functor|(?<![a-z])mul(?:_?kernel)?(?![a-z])", "multiply",
          {"mul": 1.0, "scale": 0.8, "elementwise": 0.5}),
    _rule(r"reduce_?kernel|reduce_?op|device_?reduce|(?<![a-z])reduc", "reduction", {"reduce": 0.95}),
    _rule(r"element_?wise|point_?wise", "element by element", _OVER_ELEMENTS),
)  # fmt: skip
"""From the most particular to the most general."""

_FUSED: Final = re.compile(r"triton_(poi|red|per|tem|for)_fused_?(.*)")


def fused_rule(name: str) -> tuple[str, dict[str, float]] | None:
    """Read a name that Triton code was given by a compiler: it lists the operators that were fused.

    Returns
    -------
    tuple or None
        The word and the operators, as in a rule; None for another kind of name.
    """
    match = _FUSED.match(name)
    if match is None:
        return None
    kind, text = match.groups()
    for needed, word, operators in _FUSED_RULES:
        if all(re.search(rf"(?<![a-z]){one}(?![a-z])", text) for one in needed):
            return f"fused {word}", operators
    if kind in ("red", "per"):
        return "fused reduction", {"reduce": 0.8}
    return "fused element by element", _OVER_ELEMENTS


_FUSED_RULES: Final[tuple[tuple[tuple[str, ...], str, dict[str, float]], ...]] = (
    (("scaled_dot_product\\w*",), "attention", {"attention": 1.0}),
    (("(?:mm|addmm|bmm)",), "matrix product", _PRODUCTS),
    (("(?:nll\\w*|log_softmax)",), "cross-entropy", {"cross_entropy": 1.0, "softmax": 0.4}),
    (("softmax",), "softmax", {"softmax": 1.0, "cross_entropy": 0.3}),
    (("mean", "pow", "rsqrt"), "mean, pow, rsqrt", {"rmsnorm": 1.0, "layernorm": 0.4}),
    (("(?:native_layer_norm|var_mean)",), "layer norm", {"layernorm": 1.0, "rmsnorm": 0.4}),
    (("silu", "mul"), "silu and mul", {"swiglu": 1.0, "silu": 0.6}),
    (("silu",), "silu", {"silu": 1.0, "swiglu": 0.5}),
    (("(?:gelu|erf|tanh)",), "gelu", {"gelu": 1.0}),
    (("relu",), "relu", {"relu": 1.0}),
    (("embedding",), "embedding", {"embedding": 0.95}),
    (("(?:cos|sin)",), "rotary embedding", {"rope": 0.8}),
    (("sum",), "sum", {"reduce": 0.9}),
    (("mean",), "mean", {"reduce": 0.8}),
    (("add",), "add", {"add": 0.9, "elementwise": 0.6}),
    (("mul",), "multiply", {"mul": 0.9, "scale": 0.6, "elementwise": 0.6}),
    (("to_copy",), "copy", {"cast": 0.9}),
    (("(?:clone|transpose|permute)",), "copy", {"transpose": 0.7, "cast": 0.5}),
)
