"""A small study with round figures, so that everything in its report can be worked out in the head."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from rooflinestudio.core.hardware import Figure
from rooflinestudio.core.measurement import MeasurementFile
from rooflinestudio.core.measurement_overlay import Overlay
from rooflinestudio.core.operators import OperatorBase
from rooflinestudio.core.placing import place
from rooflinestudio.core.report.making import report_of
from rooflinestudio.core.study import Entry, Pair, Study, View
from tests.core.diagnosing import measured
from tests.core.kernels import composite, kernel
from tests.support import Copy, Source, machine

__all__ = [
    "DIGEST", "HOSTILE", "LONG", "MADE", "NAME", "Layer", "all_texts", "entry", "kernels", "report", "rows", "source",
    "study", "table", "with_kernels",
]  # fmt: skip

DIGEST, MADE = "d" * 64, datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
NAME = "acme-one"
HOSTILE = 'void f<T, N>(a & b) | "x" `y` *z* [l](http://evil) <script>alert(1)</script>'
LONG = "void cutlass::Kernel2<" + "Shape<64, 64>, " * 40 + "Last>(Params)"


class Layer(OperatorBase):
    """One norm of 2 GB (1 ms at 2 TB/s) and three products of 1 TFLOP (1 ms each at 1 PFLOP/s)."""

    id, label, category, summary = "layer", "Layer", "Tests", "Two kernels"
    parameters = ()

    def estimate(self, parameters, dtypes):
        norm = kernel(read=1e9, write=1e9, pipe="fp32")
        product = kernel(1e12, read=1e8, write=1e8)
        return composite(("norm", 1, norm), ("product", 3, product), main_pipe="bf16-tensor")


def source():
    """Return what answers for ``copy`` and ``layer``."""
    return Source(Copy(), Layer())


def entry(id_="copy-1", **more):
    """One read and one write of 10⁹ elements in bf16, 10 FLOP each: 4 GB, 10 GFLOP, 2.5 FLOP/byte, 2 ms at 2 TB/s."""
    given = {"elements": 1e9, "flop": 10, **more.pop("parameters", {})}
    return Entry(id_, more.pop("operator", "copy"), parameters=given, label=more.pop("label", "Copy"), **more)


def study(*entries, profiles=(), **view):
    """Return a study on the machine with round figures, counted compulsory."""
    made = profiles or (machine(NAME),)
    shown = View(machines=tuple(one.id for one in made), policy=view.pop("policy", "compulsory"), **view)
    return Study(entries=entries, profiles={one.id: one for one in made}, view=shown)


def kernels(*found, name="run.csv"):
    """Lay a file over a study."""
    return Overlay.from_file(MeasurementFile(f"/data/{name}", "ncu-csv-long", (), tuple(found), DIGEST))


def with_kernels(made, *found, pairs=()):
    """Return a study with measured kernels, and pairs of (launch, entry)."""
    overlay = kernels(*found)
    names = {one.launch: one.kernel_key for one in found}
    held = tuple(Pair(DIGEST, names[launch], launch, entry_id) for launch, entry_id in pairs)
    return replace(made, overlays=(overlay,), pairs=held)


def held_kernel(launch=0, **more):
    """3 ms, 5 GB, 10 GFLOP on fp32: 1.5 times the bound, 1.25 times the bytes, 2 FLOP/byte, 3.333 TFLOP/s."""
    return measured(
        launch=launch, **{"time": 3e-3, "dram": 5e9, "work": {"fp32": 1e10}, "kernel": "copy<T>", **more}
    )


def report(made, *, given=None):
    """Return the report on a study, and the study as placed."""
    asked = given or source()
    placed = place(made, {}, asked)
    return report_of(placed, asked, title="Mine & <yours>", made=MADE), placed


def table(made, section, at=0):
    """Return one table of a section."""
    from rooflinestudio.core.report.document import Table

    return [one for one in made.section(section).blocks if isinstance(one, Table)][at]


def rows(made, section, at=0):
    """Return the rows of a table as mappings by their heads."""
    found = table(made, section, at)
    heads = [one.head for one in found.columns]
    return [dict(zip(heads, row, strict=True)) for row in found.rows]


def all_texts(made):
    """Yield every text that a writer has to put on paper."""
    from rooflinestudio.core.report.document import Facts, Lines, Table

    for section in made.all_sections():
        yield section.title
        for block in section.blocks:
            if isinstance(block, Table):
                yield from (block.caption, *(one.head for one in block.columns))
                yield from (cell for row in block.rows for cell in row)
                yield block.note
            elif isinstance(block, Facts):
                yield from (text for item in block.items for text in item)
            elif isinstance(block, Lines):
                yield from block.items
            else:
                yield from block.text.splitlines()


def measured_peak(profile, share=0.8):
    """Return a machine whose bf16 ceiling was measured at a share of the published figure, and is in use."""
    ceiling = profile.ceilings["bf16-tensor"]
    seen = Figure(
        share * ceiling.figure.value, "measured", "best of seven", "own benchmark", "2026-02-03", "", "high"
    )
    known = replace(ceiling, measured=seen).using("measured")
    return replace(profile, ceilings={**profile.ceilings, "bf16-tensor": known})
