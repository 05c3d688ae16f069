"""Language models as their shapes: what counts of weights, cache and work are made from.

A card says how wide and how deep a model is, and where each figure comes from. Cards of well-known models come with
the studio, one YAML file each (see docs/models.md); a ``config.json`` as published beside a model's weights is read
as well. What follows from a card is in :mod:`rooflinestudio.core.models.counts`.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.errors import StudioError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.hardware import Figure

__all__ = [
    "FORMAT", "Latent", "Mixture", "ModelCard", "ModelCardError", "Sliding", "load_model", "model_ids",
]  # fmt: skip

FORMAT: Final = "rooflinestudio-model/1"
SHIPPED: Final = "model_cards"
_SUFFIX: Final = ".yaml"


class ModelCardError(StudioError):
    """A model that cannot be used: unknown, unreadable, or with figures that cannot be right.

    Attributes
    ----------
    faults
        Every fault found, one line each; the message joins them.
    """

    def __init__(self, message: str, faults: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.faults = faults or (message,)


@dataclass(frozen=True, slots=True)
class Latent:
    """Multi-head latent attention: keys and values are cached as one short vector per token.

    Attributes
    ----------
    query_rank
        Width of the latent query, or None where queries are projected directly.
    rank
        Width of the cached latent.
    nope_dim, rope_dim, value_dim
        Elements of a head's query and key without and with position, and of its value.
    """

    query_rank: int | None
    rank: int
    nope_dim: int
    rope_dim: int
    value_dim: int

    @property
    def cached(self) -> int:
        """Elements cached per token and layer."""
        return self.rank + self.rope_dim


@dataclass(frozen=True, slots=True)
class Mixture:
    """Mixture of experts: which layers have them, and how many a token takes.

    Attributes
    ----------
    shared_width
        Width of the expert that every token takes besides, all shared ones together; 0 where there is none.
    layers
        Layers with experts; the others have the dense feed-forward block.
    router_bias, expert_bias
        Whether the router has a bias per expert, and the experts' products have biases.
    """

    experts: int
    top_k: int
    expert_width: int
    shared_width: int
    layers: int
    router_bias: bool = False
    expert_bias: bool = False


@dataclass(frozen=True, slots=True)
class Sliding:
    """Layers whose attention sees a window of tokens only; ``layers`` of them, the others see everything."""

    window: int
    layers: int
    pattern: str = ""


@dataclass(frozen=True)
class ModelCard:
    """The shape of one language model, and where it is known from.

    Attributes
    ----------
    id, name
        Id of a card (``llama-3-8b``) or path of a config; the name on screen.
    layers, width, heads, kv_heads, head_dim, ffn_width, vocabulary
        Counts. ``head_dim`` is that of queries and keys; ``ffn_width`` that of the dense block.
    gated
        Whether the feed-forward block has a gate: three products instead of two.
    activation
        ``silu``, ``gelu`` or ``relu``.
    norm
        ``rmsnorm`` or ``layernorm``, which has a bias besides its gain.
    norms_per_layer
        Norms over the width in each layer.
    tied_embeddings
        Whether the head multiplies with the embedding's table.
    positions
        Rows of a learned table of positions; 0 where positions are rotated in.
    sinks
        Whether each head has a value that joins the softmax.
    native
        The formats of the published weights: by group (``weights``, ``experts``, ``other``).
    published_parameters
        The published element count, of the language model alone, or None.
    max_context
        Tokens it was trained for, or None.
    origins
        Where each figure comes from, by name; ``*`` stands for the rest.
    sources
        Documents by key.
    assumed
        What a config did not say and was filled in, in words.
    """

    id: str
    name: str
    layers: int
    width: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn_width: int
    vocabulary: int
    gated: bool = True
    activation: str = "silu"
    norm: str = "rmsnorm"
    norms_per_layer: int = 2
    tied_embeddings: bool = False
    positions: int = 0
    qkv_bias: bool = False
    output_bias: bool = False
    mlp_bias: bool = False
    qk_norm: bool = False
    sinks: bool = False
    sliding: Sliding | None = None
    latent: Latent | None = None
    mixture: Mixture | None = None
    native: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({"weights": "bf16"}))
    published_parameters: int | None = None
    max_context: int | None = None
    checkpoint: str = ""
    model_type: str = ""
    license: str = ""
    origins: Mapping[str, Figure] = field(default_factory=lambda: MappingProxyType({}))
    sources: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash(self.id)

    @property
    def moe_layers(self) -> int:
        """Layers with experts."""
        return self.mixture.layers if self.mixture is not None else 0

    @property
    def dense_layers(self) -> int:
        """Layers with the dense feed-forward block."""
        return self.layers - self.moe_layers

    def figure(self, name: str) -> Figure:
        """Return one figure of the card with its provenance and source.

        Raises
        ------
        KeyError
            If the card has no such number.
        """
        from dataclasses import replace

        from rooflinestudio.core.hardware import Figure

        value = getattr(self, name, None)
        if value is None or isinstance(value, bool) or not isinstance(value, int):
            raise KeyError(f"the card of {self.id} has no figure {name!r}")
        origin = self.origins.get(name) or self.origins.get("*") or Figure(0.0, "assumed")
        return replace(origin, value=float(value))


@cache
def model_ids() -> tuple[str, ...]:
    """Return the ids of the cards that come with the studio, without reading any: each is the name of its file."""
    from importlib.resources import files

    names = (one.name for one in files(SHIPPED).iterdir())
    return tuple(sorted(one.removesuffix(_SUFFIX) for one in names if one.endswith(_SUFFIX)))


def load_model(text: str) -> ModelCard:
    """Return the card that a text names: an id, or the path of a ``config.json``, its folder, or a card.

    A card is read once; a file again when it has changed.

    Raises
    ------
    ModelCardError
        If there is none of this id (with the nearest), or the file cannot be used; all faults are named.
    """
    wanted = text.strip()
    if wanted in model_ids():
        return _shipped(wanted)
    if not _is_path(wanted):
        near = difflib.get_close_matches(wanted.lower(), model_ids(), n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(model_ids())}"
        raise ModelCardError(
            f"No model is called {wanted!r}; {hint.removesuffix('?')}"
            f"{'?' if near else ','} or give the path of a config.json."
        )
    path = Path(wanted).expanduser()
    try:
        if path.is_dir():
            path = path / "config.json"
        state = path.stat()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "it is no path"
        raise ModelCardError(
            f"The model file {wanted} cannot be read: {why}. Check the path, or name one of: {', '.join(model_ids())}."
        ) from None
    return _from_file(path, state.st_mtime_ns, state.st_size)


def _is_path(text: str) -> bool:
    return (
        any(sign in text for sign in "/\\")
        or text.lower().endswith((".json", ".yaml", ".yml"))
        or text[:1] in "~."
    )


@cache
def _shipped(id_: str) -> ModelCard:
    from importlib.resources import files

    from rooflinestudio.core.models.files import card_from_text

    name = id_ + _SUFFIX
    return card_from_text((files(SHIPPED) / name).read_text(encoding="utf-8"), name=name)


@lru_cache(maxsize=64)
def _from_file(path: Path, _changed_ns: int, _size: int) -> ModelCard:
    from rooflinestudio.core.models.files import read_model_file

    return read_model_file(path)
