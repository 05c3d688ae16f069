"""What else was in the file: lines of the profiler, other kinds of output, and why there is no launch."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

__all__ = ["EXPORT", "Surroundings", "binary_kind", "counted", "looks_like_profiler_output"]

EXPORT: Final = "ncu --import REPORT.ncu-rep --csv --page raw --print-units base --print-fp > report.csv"
"""The command that makes the file this reader likes best."""

_MOST: Final = 10  # messages of one kind that are passed on
_LONGEST: Final = 300  # characters of one message
_TRACE: Final = re.compile(r"==(PROF|WARNING|ERROR|LOG|\d{1,10})==\s*(.*)\Z", re.DOTALL)
_OUTPUT: Final = re.compile(
    r"^\ufeff?==(?:PROF|WARNING|ERROR|LOG|\d{1,10})== |^ {2,}Section: \S|Context \d+, Stream \d+",
    re.MULTILINE,
)
_MAGIC: Final = (
    (b"NVR\0", "a binary report of Nsight Compute"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive or an Office document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"SQLite format 3", "an SQLite database (Nsight Systems writes such files)"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a Windows program"),
)


def looks_like_profiler_output(head: str) -> bool:
    """Whether text at the head of a file is what the profiler prints around or instead of a table."""
    return _OUTPUT.search(head) is not None


def binary_kind(head: bytes) -> str:
    """Say in words what a file that is no text seems to be."""
    return next((words for magic, words in _MAGIC if head.startswith(magic)), "a binary file")


@dataclass(slots=True)
class Surroundings:
    """Notes what stands outside the tables, and explains it."""

    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    profiler: bool = False
    nvprof: bool = False
    source_page: bool = False
    sections: int = 0

    def trace(self, line: str) -> None:
        """Take a line that starts with ``==``."""
        match = _TRACE.match(line[: 4 * _LONGEST])
        if match is None:
            return
        kind, text = match.group(1), match.group(2).strip()[:_LONGEST]
        self.profiler = True
        self.nvprof = self.nvprof or "NVPROF" in text
        if kind in ("ERROR", "WARNING") and text:
            messages = self.errors if kind == "ERROR" else self.warnings
            if text not in messages and len(messages) < _MOST:
                messages.append(text)

    def messages(self) -> list[str]:
        """List what the profiler itself reported, as warnings of the import."""
        return [f"The profiler reported an error: {text}" for text in self.errors] + [
            f"The profiler warned: {text}" for text in self.warnings
        ]

    @property
    def recognised(self) -> bool:
        """Whether anything here comes from a profiler at all."""
        return self.profiler or self.nvprof or self.source_page or bool(self.sections)

    def why_empty(self) -> list[str]:
        """Sentences that say why the file holds no launch and what to do; the profiler's own words follow."""
        return [*self._causes(), *self.messages()]

    def _causes(self) -> list[str]:
        reported = " ".join((*self.errors, *self.warnings))
        if "ERR_NVGPUCTRPERM" in reported or "permission to access" in reported:
            return [
                "No permission to read the GPU performance counters (ERR_NVGPUCTRPERM), so nothing was measured. "
                "Run ncu as administrator or have the counters opened to all users, then profile again."
            ]
        if "No kernels were profiled" in reported:
            return ["No kernel was profiled: no launch matched the filters, or the program launched none."]
        if self.sections:
            return [f"This is a text page without a table of figures in it. Export the report: {EXPORT}"]
        if "returned an error code" in reported or "LaunchFailed" in reported:
            return [
                "The profiled program exited with an error before any kernel was measured. Make it run without "
                "ncu first, then profile again."
            ]
        if self.nvprof:
            return [
                "This is output of nvprof (Kepler to Volta), not of Nsight Compute: the nvprof reader takes it."
            ]
        if self.source_page:
            return [
                "This is a source page: it lists instructions, not launches, and cannot give a point. "
                f"Export the raw page instead: {EXPORT}"
            ]
        if self.errors:
            return ["Nothing was measured: the profiler stopped with an error."]
        return [
            "There is no table in this output. Run ncu with --csv, or export the report it wrote: " + EXPORT
        ]


def counted(count: int, one: str, many: str) -> str:
    """Put a number before the right form of a word."""
    return f"1 {one}" if count == 1 else f"{count:,} {many}"
