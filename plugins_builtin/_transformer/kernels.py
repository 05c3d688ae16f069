"""Kernels of a transformer as parts of a composite, made by the operators that one can also place alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from plugins_builtin._transformer.cached_attention import over_keys_and_values, over_latents
from plugins_builtin.attention import Attention
from plugins_builtin.elementwise import Elementwise, GenericElementwise
from plugins_builtin.elementwise import rooflinestudio_operators as elementwise_operators
from plugins_builtin.gemm import Gemm
from rooflinestudio.plugins import DTYPES, Dtypes, Estimate, Launch, OnDemand, Part, Tensor, compute_of
from rooflinestudio.plugins.arithmetic import is_number, where

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from plugins_builtin._transformer.cached_attention import Seen
    from rooflinestudio.plugins import DType
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["Kernels"]

_GEMM, _ATTENTION, _ANY = Gemm(), Attention(), GenericElementwise()
_SIMPLE: Final = {one.id: one for one in elementwise_operators() if isinstance(one, Elementwise)}


def _defaults(operator: Any) -> dict[str, Any]:
    return {one.name: one.default for one in operator.parameters}


_SIMPLE_DEFAULTS: Final = {id_: _defaults(one) for id_, one in _SIMPLE.items()}
_GEMM_DEFAULTS, _ATTENTION_DEFAULTS, _ANY_DEFAULTS = _defaults(_GEMM), _defaults(_ATTENTION), _defaults(_ANY)


class Kernels:
    """Makes the parts of one composite.

    Parameters
    ----------
    dtypes
        Formats of ``activation``, ``weight`` and ``kv``; what passes between kernels has that of the activations.
    experts, other
        Formats of experts' matrices, and of tables, routers and gains, where they differ from ``weight``.
    keep
        What becomes of each estimate: as it is, or with activations that stay on chip.
    """

    def __init__(
        self,
        dtypes: Dtypes,
        *,
        weight: DType | None = None,
        experts: DType | None = None,
        other: DType | None = None,
        keep: Callable[[Estimate], Estimate] | None = None,
    ) -> None:
        self.activation = dtypes["activation"]
        self.weight = weight or dtypes["weight"]
        self.experts, self.other = experts or self.weight, other or self.weight
        self.kv = dtypes.get("kv", self.activation)
        self._compute = dtypes["compute"] if "compute" in dtypes.explicit else None
        self._accumulate = dtypes.get("accumulate", DTYPES["fp32"])
        self._keep = keep
        self._products: dict[DType, Dtypes] = {}
        self._scores = self._attention_formats()
        # Vector work runs on fp32 whatever the products are computed in, and on fp64 for fp64.
        vector = DTYPES["fp64" if self.activation.id == "fp64" else "fp32"]
        self._vector = Dtypes(
            {
                "activation": self.activation,
                "weight": self.other,
                "output": self.activation,
                "compute": vector,
            }
        )

    def _attention_formats(self) -> Dtypes:
        compute = self._compute or compute_of((self.activation, self.kv))
        return Dtypes({
            "activation": self.activation, "kv": self.kv, "output": self.activation,
            "accumulate": self._accumulate, "compute": compute,
        })  # fmt: skip

    def _product_formats(self, weight: DType) -> Dtypes:
        formats = self._products.get(weight)
        if formats is None:
            compute = self._compute or compute_of((self.activation, weight))
            formats = self._products[weight] = Dtypes({
                "activation": self.activation, "weight": weight, "output": self.activation,
                "accumulate": self._accumulate, "compute": compute,
            })  # fmt: skip
        return formats

    @property
    def main_pipe(self) -> str:
        """The pipe of the products."""
        return f"{self._product_formats(self.weight)['compute'].pipe}-tensor"

    def part(
        self, label: str, operator: str, parameters: dict[str, Any], formats: Dtypes, estimate: Estimate, count: Num
    ) -> Part:  # fmt: skip
        """Return a part, with what is to become of its estimate done."""
        kept = estimate if self._keep is None else self._keep(estimate)
        return Part(label, operator, parameters, formats, count, kept)

    def product(
        self, label: str, shape: tuple[Num, Num, Num], *, count: Num = 1, batch: Num = 1, bias: Num = 0,
        weight: DType | None = None,
    ) -> Part:  # fmt: skip
        """Return ``batch`` products of activations (m × k) with weights (k × n), and a bias that is added in passing.

        Few rows take a flat tile: libraries have tiles of 16 and 64 rows for them.
        """
        m, n, k = shape
        stored = weight or self.weight
        formats = self._product_formats(stored)
        tile_m = where(m <= 16, 16, where(m <= 64, 64, 128))
        parameters = {**_GEMM_DEFAULTS, "m": m, "n": n, "k": k, "batch": batch, "tile_m": tile_m}
        estimate = _GEMM.estimate(parameters, formats)
        if not (is_number(bias) and bias == 0):
            estimate = _with_weights(estimate, Tensor("bias", 1.0 * bias, self.other, 1, 0, "weight"))
        return self.part(label, "gemm", parameters, formats, estimate, count)

    def simple(
        self, label: str, id_: str, tokens: Num, width: Num, *, count: Num = 1, gains: Num = 0
    ) -> Part:
        """Return an elementwise kernel or a norm; ``gains`` are weights read once besides those of one row."""
        parameters = {**_SIMPLE_DEFAULTS[id_], "tokens": tokens, "width": width}
        estimate = _SIMPLE[id_].estimate(parameters, self._vector)
        if not (is_number(gains) and gains == 0):
            estimate = _with_weights(
                estimate, Tensor("gain of keys", 1.0 * gains, self.other, 1, 0, "weight")
            )
        return self.part(label, id_, parameters, self._vector, estimate, count)

    def activated(
        self, tokens: Num, width: Num, *, gated: bool, activation: str, count: Num, label: str = ""
    ) -> Part:
        """Return the nonlinearity of a feed-forward block, with the product by its gate where it has one."""
        if gated and activation == "silu":
            return self.simple(label or "swiglu", "swiglu", tokens, width, count=count)
        if not gated:
            return self.simple(label or activation, activation, tokens, width, count=count)
        flop, special = (13, 1) if activation == "gelu" else (2, 0)
        parameters = {
            **_ANY_DEFAULTS,
            "tokens": tokens,
            "width": width,
            "flop": flop,
            "reads": 2,
            "special": special,
        }
        estimate = _ANY.estimate(parameters, self._vector)
        return self.part(
            label or f"{activation} gate", "elementwise", parameters, self._vector, estimate, count
        )

    def weighted_sum(self, label: str, tokens: Num, width: Num, terms: Num, *, count: Num = 1) -> Part:
        """Return the sum of what ``terms`` experts made of each token, each times its weight."""
        parameters = {
            **_ANY_DEFAULTS, "tokens": tokens, "width": width, "flop": 2.0 * terms, "reads": 1.0 * terms,
        }  # fmt: skip
        estimate = _ANY.estimate(parameters, self._vector)
        return self.part(label, "elementwise", parameters, self._vector, estimate, count)

    def attention(
        self, label: str, *, count: Num = 1, value_dim: Num | None = None, **parameters: Any
    ) -> Part:
        """Return attention over whole sequences; values may be narrower than queries and keys."""
        given = {**_ATTENTION_DEFAULTS, **parameters}
        if value_dim is None:
            estimate = _ATTENTION.estimate(given, self._scores)
        else:
            # Work and traffic are linear in both widths: their mean stands for either, then each tensor gets its own.
            wide = given["head_dim"]
            mean = (wide + value_dim) / 2.0
            estimate = _own_widths(
                _ATTENTION.estimate({**given, "head_dim": mean}, self._scores),
                {"Q": wide / mean, "K": wide / mean, "V": value_dim / mean, "O": value_dim / mean},
            )
        return self.part(label, "attention", given, self._scores, estimate, count)

    def cached_attention(
        self, label: str, seen: Seen, shape: Mapping[str, Num], *, count: Num = 1, sinks: Num = 0
    ) -> Part:
        """Return attention of a few new tokens per sequence over its own cache of keys and values.

        Parameters
        ----------
        shape
            ``heads``, ``kv_heads`` and ``head_dim``.
        """
        none = is_number(sinks) and sinks == 0
        learned = () if none else (Tensor("sinks", 1.0 * sinks, self.other, 1, 0, "weight"),)
        estimate = over_keys_and_values(seen, shape, self._scores, learned)
        parameters = {
            "batch": seen.sequences, **shape, "context": seen.tokens, "window": 0, "page": 0,
        }  # fmt: skip
        return self.part(label, "attention_decode", parameters, self._scores, estimate, count)

    def latent_attention(
        self, label: str, seen: Seen, *, heads: Num, rank: Num, rope_dim: Num, count: Num = 1
    ) -> Part:
        """Return attention over cached latents, keys and values absorbed into queries and results."""
        estimate = over_latents(seen, self._scores, heads=heads, rank=rank, rope_dim=rope_dim)
        parameters = {
            "batch": seen.sequences, "heads": heads, "context": seen.tokens, "latent_width": rank,
            "rope_width": rope_dim,
        }  # fmt: skip
        return self.part(label, "mla_decode", parameters, self._scores, estimate, count)

    def rows_of_table(self, label: str, tokens: Num, width: Num, *, whole: Num = 0) -> Part:
        """Return the look-up of token embeddings; ``whole`` elements of the table are read besides."""
        rows = 1.0 * tokens * width
        tensors = (Tensor("rows of the table", rows, self.other, 1, 0, "input", "gather"),)
        if not (is_number(whole) and whole == 0):
            tensors = (Tensor("table", 1.0 * whole, self.other, 1, 0, "weight"),)
        estimate = Estimate(
            {}, "fp32", (*tensors, Tensor("y", rows, self.activation, 0, 1, "output")), launch=Launch()
        )
        return self.part(label, "embedding", {"tokens": tokens, "width": width}, self._vector, estimate, 1)


def _with_weights(estimate: Estimate, tensor: Tensor) -> Estimate:
    """Return an estimate that reads one more small tensor of weights, once at every boundary."""
    from dataclasses import replace

    size = tensor.elements * tensor.dtype.bytes
    blocked: Mapping[str, tuple[Num, Num]] = {}
    if estimate.blocked:

        def more(name: str) -> Callable[[], tuple[Num, Num]]:
            def made() -> tuple[Num, Num]:
                read, write = estimate.blocked[name]
                return read + size, write

            return made

        blocked = OnDemand({name: more(name) for name in estimate.blocked})
    first, *rest = estimate.tensors
    return replace(estimate, tensors=(first, tensor, *rest), blocked=blocked)


def _own_widths(estimate: Estimate, factors: dict[str, Num]) -> Estimate:
    from dataclasses import replace

    tensors = tuple(
        replace(one, elements=one.elements * factors[one.name]) if one.name in factors else one
        for one in estimate.tensors
    )
    return replace(estimate, tensors=tensors)
