"""What the published implementations of model families take for granted, where a ``config.json`` does not say.

Source of the table: the configuration and modelling classes of the transformers library, releases 4.57 and 5.24.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FAMILIES", "Family"]

Slide = Literal["", "all", "switch", "even", "sixth"]
Experts = Literal["", "all", "first", "step", "interleave"]
_ATTENTION: Final = MappingProxyType({"attention_bias": ("qkv_bias", "output_bias")})


@dataclass(frozen=True)
class Family:
    """Defaults and rules of one ``model_type``.

    Attributes
    ----------
    head_dim, kv_heads
        Class default, or 0: width / heads, and as many as there are heads.
    qkv_bias, output_bias, mlp_bias
        Whether there is one where no key says so.
    biases
        Keys that switch biases, and which.
    slide
        Which layers slide: none, all, those from a switch and ``max_window_layers`` on, every second one from layer
        0, or all but every sixth.
    window
        Class default of the window.
    experts
        Which layers have experts: none, all, all but the first few, or every n-th.
    shared
        ``count`` of shared experts, or their ``width``, or ``one`` as wide as an expert.
    positions
        Whether there is a learned table of positions.
    ffn_factor
        Feed-forward width in widths where no key gives it; 0 where one must.
    """

    tied: bool = False
    head_dim: int = 0
    kv_heads: int = 0
    gated: bool = True
    activation: str = "silu"
    norm: str = "rmsnorm"
    norms_per_layer: int = 2
    qkv_bias: bool = False
    output_bias: bool = False
    mlp_bias: bool = False
    biases: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    qk_norm: bool = False
    sinks: bool = False
    slide: Slide = ""
    window: int = 0
    experts: Experts = ""
    shared: Literal["", "count", "width", "one"] = ""
    router_bias: bool = False
    expert_bias: bool = False
    latent: bool = False
    positions: bool = False
    ffn_factor: int = 0


_LLAMA: Final = Family(biases=MappingProxyType({**_ATTENTION, "mlp_bias": ("mlp_bias",)}))
_DEEPSEEK: Final = Family(latent=True, experts="first", shared="count", router_bias=True)
_GEMMA: Final = Family(tied=True, head_dim=256, activation="gelu", biases=_ATTENTION)
_CLASSIC: Final = Family(
    tied=True, gated=False, activation="gelu", norm="layernorm", ffn_factor=4,
    qkv_bias=True, output_bias=True, mlp_bias=True,
)  # fmt: skip
_NO_BIAS: Final = MappingProxyType({"bias": ("qkv_bias", "output_bias", "mlp_bias")})
_GEMMA3: Final = replace(_GEMMA, norms_per_layer=4, qk_norm=True, slide="sixth", window=4096, kv_heads=4)

FAMILIES: Final[Mapping[str, Family]] = MappingProxyType({
    "llama": _LLAMA,
    "mistral": Family(kv_heads=8, slide="all", window=4096),
    "mixtral": Family(kv_heads=8, slide="all", experts="all"),
    "qwen2": Family(kv_heads=32, slide="switch", window=4096, qkv_bias=True),
    "qwen2_moe": Family(
        slide="switch", window=4096, qkv_bias=True, biases=MappingProxyType({"qkv_bias": ("qkv_bias",)}),
        experts="step", shared="width",
    ),
    "qwen3": Family(kv_heads=32, head_dim=128, slide="switch", window=4096, biases=_ATTENTION, qk_norm=True),
    "qwen3_moe": Family(kv_heads=4, slide="switch", window=4096, biases=_ATTENTION, qk_norm=True, experts="step"),
    "deepseek_v2": replace(_DEEPSEEK, router_bias=False),
    "deepseek_v3": _DEEPSEEK,
    "kimi_k2": _DEEPSEEK,
    "gpt_oss": Family(
        head_dim=64, kv_heads=8, slide="even", window=128, qkv_bias=True, output_bias=True, biases=_ATTENTION,
        sinks=True, experts="all", router_bias=True, expert_bias=True,
    ),
    "gemma": _GEMMA,
    "gemma2": replace(_GEMMA, norms_per_layer=4, slide="even", window=4096, kv_heads=4),
    "gemma3_text": _GEMMA3,
    "gemma3": _GEMMA3,
    "phi3": Family(slide="all"),
    "glm4_moe": Family(
        kv_heads=8, experts="first", shared="count", router_bias=True,
        biases=MappingProxyType({"attention_bias": ("qkv_bias",)}),
    ),
    "llama4": Family(kv_heads=8, experts="interleave", shared="one", biases=_ATTENTION),
    "llama4_text": Family(kv_heads=8, experts="interleave", shared="one", biases=_ATTENTION),
    "gpt2": replace(_CLASSIC, positions=True),
    "gptj": replace(_CLASSIC, tied=False, norms_per_layer=1, qkv_bias=False, output_bias=False),
    "gpt_neox": replace(_CLASSIC, tied=False, biases=_ATTENTION),
    "falcon": replace(_CLASSIC, qkv_bias=False, output_bias=False, mlp_bias=False, biases=_NO_BIAS),
    "bloom": _CLASSIC,
    "opt": replace(_CLASSIC, activation="relu", positions=True,
                   biases=MappingProxyType({"enable_bias": ("qkv_bias", "output_bias", "mlp_bias")})),
    "mpt": replace(_CLASSIC, qkv_bias=False, output_bias=False, mlp_bias=False),
})  # fmt: skip
