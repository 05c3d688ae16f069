"""What the columns of a table of shapes may be called: spellings of parameters, of times and of their units."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rooflinestudio.core.operators import Parameter

__all__ = [
    "TIME_UNITS",
    "is_dtype_head",
    "is_time_head",
    "match_level",
    "must_be_given",
    "plain_head",
    "unit_of_head",
]

_US: Final = ("us", "usec", "usecs", "microsec", "microsecs", "microsecond", "microseconds", "micros")
_MS: Final = ("ms", "msec", "msecs", "millisec", "millisecs", "millisecond", "milliseconds", "millis")
_NS: Final = ("ns", "nsec", "nsecs", "nanosec", "nanosecs", "nanosecond", "nanoseconds", "nanos")
_S: Final = ("s", "sec", "secs", "second", "seconds")

TIME_UNITS: Final[Mapping[str, float]] = MappingProxyType(
    {word: per for words, per in ((_S, 1.0), (_MS, 1e3), (_US, 1e6), (_NS, 1e9)) for word in words}
)
"""How many of a unit make a second; micro is spelt with a u."""

_SPELLINGS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "m": ("rows", "m_rows", "rows_a", "num_rows"),
    "n": ("cols", "columns", "n_cols", "cols_b", "num_cols"),
    "k": ("inner", "reduction", "contraction", "k_inner"),
    "batch": ("b", "bs", "bsz", "batch_size", "batchsize", "batch_count", "batchcount", "nbatch", "num_batches"),
    "heads": ("h", "num_heads", "n_heads", "nheads", "nh", "q_heads", "heads_q", "num_attention_heads", "num_q_heads",
              "n_head", "num_query_heads", "hq"),
    "kv_heads": ("heads_kv", "num_kv_heads", "n_kv_heads", "nkv", "hkv", "num_key_value_heads", "num_heads_kv",
                 "kv_head", "n_head_kv"),
    "seq_q": ("seqlen_q", "seq_len_q", "q_len", "len_q", "sq", "query_len", "query_length", "q_seq_len", "n_q",
              "seq_len", "seqlen", "seq", "sequence_length", "sequence_len", "s"),
    "seq_kv": ("seqlen_k", "seqlen_kv", "seq_len_k", "seq_len_kv", "kv_len", "k_len", "len_kv", "len_k", "skv", "sk",
               "kv_length", "kv_seq_len", "n_kv", "seq_k", "seq_len", "seqlen", "seq", "sequence_length",
               "sequence_len", "s"),
    "seq": ("seq_len", "seqlen", "sequence_length", "sequence_len", "s"),
    "head_dim": ("d_head", "dim_head", "hdim", "headdim", "head_size", "dhead", "head_dimension", "hd", "d"),
    "context": ("context_len", "context_length", "ctx", "ctx_len", "kv_len", "kv_length", "cache_len", "seq_len",
                "seqlen", "seq", "sequence_length", "seq_kv", "seqlen_k", "past_len"),
    "tokens": ("num_tokens", "n_tokens", "ntokens", "token_count", "rows", "m", "t"),
    "width": ("hidden", "hidden_size", "hidden_dim", "d_model", "dim", "model_dim", "cols", "columns", "n", "h"),
    "vocabulary": ("vocab", "vocab_size", "vocabulary_size", "n_vocab", "v"),
    "expert_width": ("moe_intermediate_size", "intermediate_size", "ffn_dim", "d_ff", "d_expert"),
    "experts": ("num_experts", "n_experts", "n_routed_experts", "e"),
    "top_k": ("topk", "num_experts_per_tok", "experts_per_token"),
    "elements": ("numel", "num_elements", "n_elements", "element_count", "length", "n"),
    "ranks": ("world_size", "nranks", "n_ranks", "num_ranks", "gpus", "ngpus", "num_gpus", "devices"),
    "parameter_count": ("params", "num_params", "n_params", "parameters", "numel"),
    "rows": ("m", "num_rows", "n_rows"),
    "columns": ("n", "cols", "num_cols", "n_cols"),
    "in_channels": ("c", "c_in", "cin", "channels_in", "ic", "input_channels"),
    "out_channels": ("c_out", "cout", "channels_out", "oc", "output_channels", "filters"),
    "height": ("h", "in_height", "h_in"),
    "kernel_h": ("r", "kh", "kernel_height", "filter_h", "kernel_size"),
    "kernel_w": ("s", "kw", "kernel_width", "filter_w", "kernel_size"),
    "nx": ("x",), "ny": ("y",), "nz": ("z",),
})  # fmt: skip
"""Spellings beside the parameter's own name, without regard to case, blanks and marks."""

_MAIN: Final = frozenset(_SPELLINGS) | {"nonzeros_per_row", "latent_width", "rope_width"}
_FILLERS: Final = frozenset(
    ("dim", "dimension", "size", "value", "count", "num", "number", "of", "the", "len", "length")
)
_TIME_WORDS: Final = frozenset(
    ("time", "times", "duration", "latency", "elapsed", "runtime", "measured", "walltime", "gputime")
)
_NO_TIME: Final = frozenset((
    "std", "stddev", "stdev", "var", "variance", "err", "error", "ci", "start", "end", "stamp", "timestamp",
    "predicted", "prediction", "expected", "bound", "theoretical", "estimated", "model", "date", "percent", "pct",
))  # fmt: skip
_DTYPE_HEADS: Final = frozenset(
    (
        "dtype",
        "dtypes",
        "data_type",
        "datatype",
        "type",
        "precision",
        "format",
        "number_format",
        "torch_dtype",
    )
)


def plain_head(text: str) -> tuple[str, ...]:
    """Return the words of a head line's cell: ``seqLen (tokens)`` is ``seq, len, tokens``; micro becomes u."""
    text = text.replace("\u00b5", "u").replace("\u03bc", "u")
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text)
    return tuple(word for word in re.split(r"[^0-9a-z]+", text.lower()) if word)


def unit_of_head(text: str) -> str:
    """Return the unit of time that a head names (its last word that is one), or an empty text."""
    return next((word for word in reversed(plain_head(text)) if word in TIME_UNITS), "")


def is_time_head(text: str) -> bool:
    """Tell whether a head speaks of a measured time: it says so, or is nothing but a unit of time."""
    words = plain_head(text)
    if not words or _NO_TIME.intersection(words):
        return False
    if _TIME_WORDS.intersection(words):
        return True
    return words[-1] in TIME_UNITS and (words in (("t", words[-1]), words[-1:])) and words != ("s",)


def is_dtype_head(text: str) -> bool:
    """Tell whether a head speaks of number formats."""
    return "_".join(plain_head(text)) in _DTYPE_HEADS


def match_level(head: str, parameter: Parameter) -> int | None:
    """Return how well a head fits a parameter, 0 the best, or None for not at all.

    0 is the name itself, 1 the name without regard to case and marks, 2 a known spelling, 3 either of them among
    words that say nothing (``dim``, ``size``).
    """
    if head.strip() == parameter.name:
        return 0
    words = plain_head(head)
    joined = "_".join(words)
    names = (parameter.name, "_".join(plain_head(parameter.label)))
    if joined in names:
        return 1
    known = _SPELLINGS.get(parameter.name, ())
    if joined in known:
        return 2
    left = "_".join(word for word in words if word not in _FILLERS)
    return 3 if left and (left in names or left in known) else None


def must_be_given(parameter: Parameter) -> bool:
    """Tell whether a parameter is a dimension whose default would be a guess: it needs a column or a value."""
    default = parameter.default
    return parameter.name in _MAIN and not isinstance(default, bool | str) and default > 1
