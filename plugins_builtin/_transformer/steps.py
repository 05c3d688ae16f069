"""Passes of a whole model: one token for each sequence, a prompt, or a few drafted tokens to check."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from plugins_builtin._transformer import words
from plugins_builtin._transformer.capacity import Footprint, Formats, Load, footprint_of
from plugins_builtin._transformer.crossover import crossover_batch
from plugins_builtin._transformer.experts import ROUTING
from plugins_builtin._transformer.figures import activation_bytes, link_bytes, read_bytes
from plugins_builtin._transformer.layer import CATEGORY
from plugins_builtin._transformer.model import (
    CachedTokens,
    Pass,
    WholeSequences,
    kernels_of,
    model_parts,
    stored_formats,
)
from plugins_builtin._transformer.moe import routing_band
from plugins_builtin._transformer.shared_cache import KV_HEADS, SHARED, card_of
from plugins_builtin._transformer.split import DATA, EXPERT, TENSOR, Split
from plugins_builtin._transformer.transforms import activations_on_chip
from rooflinestudio.plugins import (
    Estimate,
    OperatorBase,
    Parameter,
    kv_bytes_per_token,
    model_ids,
    parameter_count,
)
from rooflinestudio.plugins.arithmetic import is_number, where

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.plugins import Dtypes, ModelCard, Placement
    from rooflinestudio.plugins.arithmetic import Num

__all__ = ["DecodeStep", "PrefillStep"]

SECONDS_PER_HOUR: Final = 3600.0

BATCH = Parameter("batch", "batch", 1, high=1e9, help="Sequences, over all data-parallel groups.")
CONTEXT = Parameter("context", "context", 8192, low=0, high=1e9, help="Cached tokens of each sequence.")
PAGE = Parameter(
    "page",
    "page",
    0,
    low=0,
    high=1e6,
    help="Tokens in a page of the cache; pages are read and kept whole; 0: none.",
)
WEIGHTS = Parameter(
    "weights", "weights", "streamed", choices=("streamed", "resident"),
    help="What is read: every weight that is multiplied with, or every parameter, the embedding's whole table too.",
)  # fmt: skip
NATIVE = Parameter(
    "native", "native weights", default=False,
    help="Store the weights in the formats of the published checkpoint, not in the weight format.",
)  # fmt: skip
PRICE = Parameter(
    "price", "price per hour", 0, low=0, high=1e9, integer=False,
    help="What one device costs for an hour, in any currency; 0: not known.",
)  # fmt: skip


def model_parameter() -> Parameter:
    """Return the parameter that names a model."""
    return Parameter(
        "model", "model", "llama-3-8b", choices=model_ids(), open_choices=True,
        help="A model by its id, or the path of a config.json or of its folder.",
    )  # fmt: skip


class ModelStep(OperatorBase):
    """What the passes share: the model, how it is dealt out, and the figures of memory and money."""

    category = CATEGORY
    dtype_roles = MappingProxyType(
        {"activation": "bf16", "weight": "bf16", "kv": "bf16", "accumulate": "fp32"}
    )

    def one_pass(self, p: Mapping[str, Any], split: Split) -> Pass:
        """Return the pass that a set of parameters asks for."""
        raise NotImplementedError

    def load(self, p: Mapping[str, Any], card: ModelCard, split: Split) -> Load:
        """Return what one sequence of it brings into memory."""
        raise NotImplementedError

    def new_tokens(self, p: Mapping[str, Any]) -> Num:
        """Return the tokens that all sequences are on by after the pass."""
        raise NotImplementedError

    def footprint(self, p: Mapping[str, Any], dtypes: Mapping[str, Any], card: ModelCard) -> Footprint:
        """Return what is in memory on the fullest device."""
        split = Split.of(self.id, p)
        stored = stored_formats(card, dtypes, native=p["native"])
        formats = Formats(stored, dtypes["kv"], dtypes["activation"])
        return footprint_of(card, split, self.load(p, card, split), formats)

    def estimate(self, parameters: Mapping[str, Any], dtypes: Dtypes) -> Estimate:
        p, card = parameters, card_of(parameters)
        split = Split.of(self.id, p)
        one = self.one_pass(p, split)
        keep = activations_on_chip if isinstance(one.what, CachedTokens) else None
        k = kernels_of(card, dtypes, native=p["native"], keep=keep)
        parts = model_parts(card, k, split, one)
        return Estimate(
            {}, k.main_pipe, (), footprint_bytes=self.footprint(p, dtypes, card).total(one.sequences), parts=parts,
            formulas=lambda: tuple(words.formulas(p, card, parts, cached=keep is not None)),
            notes=lambda: tuple(words.notes(p, card, split, cached=keep is not None)),
        )  # fmt: skip

    def details(self, placement: Placement) -> Mapping[str, Any]:
        """Return rates, capacity, bytes and money; where a model has experts, the band of routing too."""
        p, dtypes, parts = placement.parameters, placement.dtypes, placement.estimate.parts
        card = card_of(p)
        split = Split.of(self.id, p)
        rate = self.new_tokens(p) / placement.time_s
        held = self.footprint(p, dtypes, card)
        per_hour = p["price"] * split.devices
        paid = not (is_number(per_hour) and per_hour == 0)
        return {
            "tokens_per_s": rate,
            "weight_bytes": read_bytes(parts, "weight"),
            "kv_bytes": read_bytes(parts, "cache"),
            "activation_bytes": activation_bytes(parts),
            "link_bytes": link_bytes(parts),
            "kv_written_bytes": self._written(p, dtypes, card),
            "kv_bytes_per_token": kv_bytes_per_token(card, dtypes["kv"]),
            "parameters": parameter_count(card),
            "devices": split.devices,
            **self._capacity(p, placement, held, split),
            "cost_per_million_tokens": per_hour / SECONDS_PER_HOUR / rate * 1e6 if paid else None,
            "tokens_per_currency": rate * SECONDS_PER_HOUR / where(per_hour > 0, per_hour, 1.0)
            if paid
            else None,
            **(routing_band(self.estimate, placement) if card.mixture is not None else {}),
        }

    def _written(self, p: Mapping[str, Any], dtypes: Mapping[str, Any], card: ModelCard) -> Num:
        """Return the bytes of new keys and values on one device."""
        split = Split.of(self.id, p)
        one = self.one_pass(p, split)
        _, kv_heads = split.heads(card.heads, card.kv_heads)
        share = 1.0 if card.latent is not None else kv_heads / card.kv_heads
        return one.tokens * kv_bytes_per_token(card, dtypes["kv"]) * share

    def _capacity(
        self, p: Mapping[str, Any], placement: Placement, held: Footprint, split: Split
    ) -> dict[str, Any]:
        """Return whether the pass fits, and how many sequences would; None where the machine's memory is not known."""
        dram = placement.profile.boundaries.get("dram")
        footprint = held.total(split.of_batch(p["batch"]))
        figures: dict[str, Any] = {"footprint_bytes": footprint, "fits": None, "max_batch": None}
        if dram is not None and dram.capacity is not None:
            capacity = dram.capacity.value
            figures |= {"fits": footprint <= capacity, "max_batch": held.most(capacity) * split.data}
        return figures


class DecodeStep(ModelStep):
    """One new token for every sequence of a batch."""

    id = "decode_step"
    label = "Decode step"
    summary = "A whole model makes one token for every sequence: weights and cache against their bandwidth"
    parameters: tuple[Parameter, ...] = (
        model_parameter(),
        BATCH,
        CONTEXT,
        WEIGHTS,
        PAGE,
        KV_HEADS,
        SHARED,
        ROUTING,
        NATIVE,
        TENSOR,
        DATA,
        EXPERT,
        PRICE,
    )

    def one_pass(self, p: Mapping[str, Any], split: Split) -> Pass:
        sequences = split.of_batch(p["batch"])
        what = CachedTokens(self.queries(p), p["context"], p["page"], p["shared"])
        return Pass(
            sequences,
            what,
            sequences * what.queries,
            whole_table=p["weights"] == "resident",
            routing=p["routing"],
        )

    def queries(self, p: Mapping[str, Any]) -> Num:
        """Return the new tokens of each sequence."""
        return 1

    def load(self, p: Mapping[str, Any], card: ModelCard, split: Split) -> Load:
        queries = self.queries(p)
        return Load(p["context"], queries, queries, p["page"], shared=p["shared"])

    def new_tokens(self, p: Mapping[str, Any]) -> Num:
        batch: Num = p["batch"]
        return batch

    def details(self, placement: Placement) -> Mapping[str, Any]:
        """Return what all passes do, and the batch from which on the cache outweighs the weights."""
        crossover = crossover_batch(placement, self.queries(placement.parameters))
        return {**super().details(placement), "crossover_batch": crossover}


class PrefillStep(ModelStep):
    """Prompts taken in, up to the first token."""

    id = "prefill_step"
    label = "Prefill step"
    summary = "A whole model reads prompts and fills its cache: the time to the first token"
    parameters = (
        model_parameter(),
        BATCH,
        Parameter("context", "prompt", 2048, high=1e9, help="New tokens of each prompt."),
        Parameter("cached", "cached before", 0, low=0, high=1e9,
                  help="Tokens of each sequence that are cached already: a shared start, or earlier chunks."),
        Parameter("logits", "logits", "last", choices=("last", "all"),
                  help="Logits of each prompt's last token, or of all its tokens."),
        Parameter("implementation", "implementation", "flash", choices=("flash", "naive"),
                  help="flash keeps attention's scores on chip; naive writes and reads them in four passes."),
        KV_HEADS, ROUTING, NATIVE, TENSOR, DATA, EXPERT, PRICE,
    )  # fmt: skip

    def one_pass(self, p: Mapping[str, Any], split: Split) -> Pass:
        sequences = split.of_batch(p["batch"])
        what = WholeSequences(p["context"], p["cached"], p["implementation"])
        rows = sequences * p["context"] if p["logits"] == "all" else sequences
        return Pass(sequences, what, rows, routing=p["routing"])

    def load(self, p: Mapping[str, Any], card: ModelCard, split: Split) -> Load:
        keys = p["context"] + p["cached"]
        heads, _ = split.heads(card.heads, card.kv_heads)
        scores = 2.0 * heads * p["context"] * keys if p["implementation"] == "naive" else 0
        return Load(keys, p["context"], p["context"] if p["logits"] == "all" else 1, 0, scores)

    def new_tokens(self, p: Mapping[str, Any]) -> Num:
        tokens: Num = 1.0 * p["batch"] * p["context"]
        return tokens

    def details(self, placement: Placement) -> Mapping[str, Any]:
        """Return what all passes do, and the time to the first token."""
        p = placement.parameters
        split = Split.of(self.id, p)
        card = card_of(p)
        rows = self.one_pass(p, split).head_rows
        return {
            "time_to_first_token_s": placement.time_s,
            **super().details(placement),
            "logits_bytes": 4.0 * rows * split.share(card.vocabulary),
        }
