"""What the words beside a figure say of it: sparse, both directions, bits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rooflinestudio.core.hardware import LINKS
from rooflinestudio.core.profile_check.memory import unit_finding
from rooflinestudio.core.profile_check.subject import near, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rooflinestudio.core.hardware import Figure
    from rooflinestudio.core.profile_check.finding import Finding
    from rooflinestudio.core.profile_check.subject import Subject

__all__ = ["text_findings"]

_SPARSE: Final = re.compile(r"\bspars(?:e|ity)\b", re.IGNORECASE)
_DENSE: Final = re.compile(r"\bdense\b|\bwithout\b|\bno\b|\bnot\b|\bhal(?:f|ved)\b", re.IGNORECASE)
_BOTH: Final = re.compile(
    r"\bbidirectional\b|\bboth (?:directions|ways)\b|\btwo directions\b|\bduplex\b", re.IGNORECASE
)
_ONE: Final = re.compile(
    r"\b(?:one|each|single|per)[ -](?:direction|way)|\bunidirectional\b|\bhal(?:f|ved)\b", re.IGNORECASE
)
# "2:4 sparsity 1979" and "1979 with sparsity", where the 4 of 2:4 is no rate.
_SPARSE_NUMBER: Final = re.compile(
    r"\bsparsity\D{0,20}(\d+(?:\.\d+)?)|(?<![:\d.])(\d+(?:\.\d+)?)[^\d.;:]{0,20}\bspars", re.IGNORECASE
)
_BOTH_NUMBER: Final = re.compile(
    r"(\d+(?:\.\d+)?)\s*([GT])B/s[^\d.;]{0,20}(?:bidirectional|both)", re.IGNORECASE
)
_BITS: Final = re.compile(r"(\d+(?:\.\d+)?)\s*([MGT])bit/s", re.IGNORECASE)
_PREFIX: Final = {"M": 1e6, "G": 1e9, "T": 1e12}


def text_findings(subject: Subject) -> Iterator[Finding]:
    """Report a figure whose own condition, note or source says that it counts something else."""
    for id_, place, figure in subject.stated_rates():
        if "-tensor" in id_ and _says_sparse(figure):
            mend = f"Ceilings are dense: enter {shown(figure.value / 2, place)}."
            why = ", and the words beside it say that this is with sparsity."
            yield subject.finding("sparse", place, why, mend, likely=figure.value / 2, severity="wrong")
    for id_ in ("dram", *LINKS):
        known = subject.stated_bandwidth(id_)
        if known is None:
            continue
        place, figure = known
        if _is_bits(figure):
            why = ", and the words beside it give the same number in bits."
            yield unit_finding(subject, place, 8.0, why)
        elif id_ in LINKS and _says_both(figure):
            mend = f"Links count one direction: enter {shown(figure.value / 2, place)}."
            why = ", and the words beside it say that this is for both directions."
            yield subject.finding(
                "both-directions", place, why, mend, likely=figure.value / 2, severity="wrong"
            )


def _says_sparse(figure: Figure) -> bool:
    if _SPARSE.search(figure.condition) and not _DENSE.search(figure.condition):
        return True
    for match in _SPARSE_NUMBER.finditer(figure.note):
        number = float(match[1] or match[2])
        if any(number and near(figure.value, number * scale, 0.002) for scale in (1.0, 1e9, 1e12, 1e15)):
            return not _DENSE.search(figure.note[max(0, match.start() - 20) : match.end()])
    return False


def _says_both(figure: Figure) -> bool:
    if _BOTH.search(figure.condition) and not _ONE.search(figure.condition):
        return True
    text = f"{figure.condition}; {figure.note}"
    return any(
        near(figure.value, float(match[1]) * _PREFIX[match[2].upper()], 0.002)
        for match in _BOTH_NUMBER.finditer(text)
        if float(match[1])
    )


def _is_bits(figure: Figure) -> bool:
    text = f"{figure.condition}; {figure.note}"
    return any(
        near(figure.value, float(match[1]) * _PREFIX[match[2].upper()], 1e-3)
        for match in _BITS.finditer(text)
        if float(match[1])
    )
