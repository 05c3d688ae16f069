"""What the self-check says of one figure: which, why it is suspect, the likely right value and how to mend it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from rooflinestudio.core.quantities import format_quantity

if TYPE_CHECKING:
    from rooflinestudio.core.profile_check.places import Place

__all__ = ["KINDS", "Finding", "Kind", "Severity", "finding_id", "finding_words", "short"]

_ZEROS: Final = re.compile(r"(\.\d*?)0+(?=\s|$)")
"""Zeros that end a fraction."""

Kind = Literal[
    "sparse", "halved", "counting", "bits", "prefix", "thousand", "both-directions", "per-unit", "order",
    "capacity-order", "ridge", "magnitude", "above-published", "share",
]  # fmt: skip
Severity = Literal["wrong", "suspect"]

KINDS: Final[dict[Kind, str]] = {
    "sparse": "Sparse rate taken for the dense one",
    "halved": "Rate halved once too often",
    "counting": "Multiply-adds counted another way",
    "bits": "Bits taken for bytes",
    "prefix": "Powers of 1024 taken for powers of 1000",
    "thousand": "Unit off by a thousand",
    "both-directions": "Both directions of a link counted",
    "per-unit": "Figure of one unit, not of the device",
    "order": "Bandwidth rises outward",
    "capacity-order": "Capacity shrinks outward",
    "ridge": "Ridge point unlike that of its neighbours",
    "magnitude": "Out of any plausible range",
    "above-published": "Measured above what is stated",
    "share": "Shares that cannot be",
}
"""Each kind of finding, as a title."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One suspect figure of a profile.

    Attributes
    ----------
    id
        ``kind/place``, the same each time: the key of its written reason in ``HardwareProfile.explained``.
    kind
        One of :data:`KINDS`.
    place
        Where the figure stands, such as ``("ceilings", "bf16-tensor")`` or ``("boundaries", "dram", "bandwidth")``.
    value, likely
        The figure and what it probably should be, in base units; ``likely`` is None where that is not known.
    unit
        The unit of both.
    severity
        ``wrong`` if the figure cannot be right, ``suspect`` if it may be.
    text
        Which figure, and why it is suspect.
    mend
        What to do about it.
    explained
        The written reason why it is right as it stands; empty if there is none.
    """

    id: str
    kind: Kind
    place: Place
    value: float
    likely: float | None
    unit: str
    severity: Severity
    text: str
    mend: str
    explained: str = ""

    @property
    def open(self) -> bool:
        """Whether nobody has written why the figure is right as it stands."""
        return not self.explained


def short(value: float, unit: str) -> str:
    """Write a value with up to four digits: ``989.4 TFLOP/s``, ``64 GB/s``."""
    text = format_quantity(value, unit, digits=4)
    return _ZEROS.sub(lambda found: found[1].rstrip("."), text)


def finding_id(kind: Kind, place: Place) -> str:
    """Return the key under which a reason for a finding is written."""
    return f"{kind}/{'.'.join(place)}"


def finding_words(finding: Finding) -> tuple[str, str, list[tuple[str, float]]]:
    """Return what a view shows: title, text, and the corrections to offer, each with its label and value."""
    text = f"{finding.text} {finding.mend}"
    if finding.explained:
        text = f"{finding.text} Reason given: {finding.explained}"
    if finding.likely is None:
        return KINDS[finding.kind], text, []
    label = f"Set to {short(finding.likely, finding.unit)}"
    return KINDS[finding.kind], text, [(label, finding.likely)]
