"""A question that only the user can answer: whether a point or a comma parts the decimals of a file."""

from __future__ import annotations

from dataclasses import dataclass

from rooflinestudio.core.measurement_figures import MeasurementError

__all__ = ["MarkQuestion", "UndecidedMarkError", "grouped_number"]


@dataclass(frozen=True, slots=True)
class MarkQuestion:
    """A number of a file that can be read in two ways.

    Attributes
    ----------
    sample
        The number as it stands there: ``1.234``.
    where
        What it is, and its line: ``column time [us], line 2``.
    point, comma
        Its value with a decimal point, and with a decimal comma.
    unit
        In which both are, or empty.
    point_means, comma_means
        What follows from either, where that helps to choose: ``dram traffic at 1.2 TB/s``.
    mixed
        Whether other cells of the file contradict each other, rather than say nothing.
    """

    sample: str
    where: str
    point: float
    comma: float
    unit: str = ""
    point_means: str = ""
    comma_means: str = ""
    mixed: bool = False

    def reading(self, mark: str) -> str:
        """Return the value under one mark, in words that leave no doubt: ``1 234``, ``1.234``."""
        value = self.point if mark == "." else self.comma
        return f"{grouped_number(value)} {self.unit}".strip()

    def means(self, mark: str) -> str:
        """Return what follows from one mark."""
        return self.point_means if mark == "." else self.comma_means


class UndecidedMarkError(MeasurementError):
    """Numbers of a file can be read in two ways, and nothing in it settles which.

    Parameters
    ----------
    question
        What to ask the user; its answer is the reader's option ``decimal_mark``.
    """

    def __init__(self, text: str, question: MarkQuestion) -> None:
        super().__init__(text)
        self.question = question


def grouped_number(value: float) -> str:
    """Return a number with all its digits, thousands parted by a narrow space."""
    return f"{value:,.12g}".replace(",", "\u202f")
