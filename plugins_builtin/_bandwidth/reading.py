"""One pass over the output of a bandwidth test."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from plugins_builtin._bandwidth.babelstream import BabelStream
from plugins_builtin._bandwidth.nvbandwidth import NvBandwidth
from plugins_builtin._measured.ceilings import machines_of
from plugins_builtin._measured.drafts import Advice
from plugins_builtin._measured.tables import built, let_go, open_text
from plugins_builtin._ncu.lines import decoded_head
from rooflinestudio.plugins import MeasurementError, MeasurementFile

if TYPE_CHECKING:
    from pathlib import Path

    from rooflinestudio.plugins import Progress

__all__ = ["looks_like", "read_file"]

_MEND: Final = "Give what BabelStream or nvbandwidth prints."
_ADVICE: Final = Advice(
    work="no W: a bandwidth test does no arithmetic",
    time="no rate in this row",
    traffic="no rate in this row",
)
# Blanks are spelt out: \s would take line ends, and a file of empty lines would cost their number squared.
_STREAM: Final = re.compile(
    r"^[ \t]*(?:BabelStream[ \t\r]*$|Function[ \t]+[KMGT]i?Bytes/s(?:ec)?\s+Min|function,num_times,n_elements,)",
    re.MULTILINE,
)
_MATRIX: Final = re.compile(r"\(row\) +(?:<->|->|<-) +(?:CPU|GPU)\(column\)\s+bandwidth \(GB/s\)")


def looks_like(head: bytes) -> bool:
    """Whether a file begins like output of one of the two tests."""
    text = decoded_head(head)
    return text is not None and (_STREAM.search(text) or _MATRIX.search(text)) is not None


def read_file(path: Path, progress: Progress | None = None) -> MeasurementFile:
    """Read the rows of BabelStream and the pairs of nvbandwidth.

    Raises
    ------
    MeasurementError
        The file cannot be read or holds neither.
    MeasurementCancelled
        ``progress`` returned False.
    """
    lines = open_text(path, _MEND, progress)
    stream, links = BabelStream(), NvBandwidth()
    for line in lines:
        if not stream.add(line[:2_000]):
            links.add(line)
    if not stream.seen and not links.matrices:
        raise MeasurementError(f"{path}: none of its {lines.number - 1:,} lines is of a known test. {_MEND}")
    warnings = [*stream.words(), *links.words()]
    drafts = [*stream.drafts, *links.drafts]
    if not drafts:
        warnings.append("The test printed no result: run it again and keep all that it prints.")
    kind = "babelstream" if stream.drafts or not links.matrices else "nvbandwidth"
    made = built(let_go(drafts), len(drafts), _ADVICE, path, progress)
    machines = (*stream.machines(), *machines_of(links.ceilings(), "nvbandwidth"))
    return MeasurementFile(str(path), kind, tuple(warnings), made, lines.digest, machines=machines)
