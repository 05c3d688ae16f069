"""Edits of a study that touch more than one entry: variants, and chains with the entries that show them. All pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rooflinestudio.core.chains import chain_from_spec, chain_of, chain_spec
from rooflinestudio.core.study import CHAIN_PREFIX, Chain, Entry, Study

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rooflinestudio.core.fusion_notation import ChainSpec

__all__ = [
    "chain_changed",
    "chain_recut",
    "chain_variant",
    "chain_with_steps",
    "with_new_chain",
    "with_variant",
]


def with_variant(study: Study, entry: Entry) -> tuple[Study, str]:
    """Return the study with a variant behind its baseline's last variant, and the variant's id.

    Parameters
    ----------
    entry
        With ``variant_of``; an id that is empty or taken is replaced by a free one. A variant of a variant is linked
        to the same baseline. A variant of a chain gets a chain of its own, so that it can be cut otherwise.
    """
    base = entry.variant_of
    if base is not None and study.has_entry(base):
        base = study.entry(base).variant_of or base
    if not entry.id or study.has_entry(entry.id):
        entry = replace(entry, id=study.next_id(_stem(entry)))
    entry = replace(entry, variant_of=base)
    chain = chain_of(study, entry)
    if chain is not None:
        copy = replace(chain, id=study.next_chain_id())
        study = study.with_chain(copy)
        entry = replace(entry, operator=f"{CHAIN_PREFIX}{copy.id}")
    return study.adding(entry, after=_last_of(study, base)), entry.id


def _stem(entry: Entry) -> str:
    return "chain" if entry.operator.startswith(CHAIN_PREFIX) else entry.operator


def _last_of(study: Study, base: str | None) -> str | None:
    """Return the last entry of a baseline and its variants."""
    family = [one.id for one in study.entries if base is not None and base in (one.id, one.variant_of)]
    return family[-1] if family else None


def with_new_chain(
    study: Study,
    spec: ChainSpec,
    *,
    parameters: Mapping[str, Any] | None = None,
    dtypes: Mapping[str, str] | None = None,
    label: str = "",
) -> tuple[Study, str]:
    """Return the study with a chain and an entry that shows it, and the entry's id.

    Fusion is counted at dram, compulsory (MODEL 5), whatever the view counts; the entry says so.
    """
    chain = chain_from_spec(study.next_chain_id(), spec)
    entry = Entry(
        study.next_id("chain"),
        f"{CHAIN_PREFIX}{chain.id}",
        parameters=dict(parameters or {}),
        dtypes=dict(dtypes or {}),
        policy="compulsory",
        boundary="dram",
        label=label or " · ".join(step.operator for step in spec.steps),
        slot=study.next_slot(),
    )
    return study.with_chain(chain).adding(entry), entry.id


def chain_changed(study: Study, entry_id: str, spec: ChainSpec) -> Study:
    """Return the study with the chain of an entry exchanged.

    Raises
    ------
    KeyError
        If there is no such entry, or it shows no chain.
    """
    chain = _chain(study, entry_id)
    return study.with_chain(replace(chain_from_spec(chain.id, spec), unknown=chain.unknown))


def chain_recut(study: Study, entry_id: str, cuts: Iterable[int]) -> Study:
    """Return the study with the chain of an entry cut at other joints (counted from 0)."""
    return study.with_chain(replace(_chain(study, entry_id), cuts=tuple(sorted(set(cuts)))))


def chain_variant(study: Study, entry_id: str, cuts: Iterable[int], label: str) -> tuple[Study, str]:
    """Return the study with a variant of a chain's entry that is cut otherwise, and the variant's id."""
    entry = study.entry(entry_id)
    made, id_ = with_variant(study, replace(entry, id="", variant_of=entry_id, label=label, visible=True))
    return chain_recut(made, id_, cuts), id_


def chain_with_steps(spec: ChainSpec, parts: Iterable[str], cuts: Iterable[int]) -> ChainSpec:
    """Return a chain of other steps, as texts, with the name of the same input.

    Raises
    ------
    ParameterError
        If a step cannot be read.
    """
    texts = list(parts)
    if spec.input_name and texts and "->" not in texts[0]:
        texts[0] = f"{spec.input_name} -> {texts[0]}"
    return chain_spec(Chain("chain", tuple(texts), tuple(cuts)))


def _chain(study: Study, entry_id: str) -> Chain:
    chain = chain_of(study, study.entry(entry_id))
    if chain is None:
        raise KeyError(f"the entry {entry_id!r} shows no chain")
    return chain
