"""Whatever a file holds, its columns are proposed or it is refused with a word; what is stated is read or refused."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plugins_builtin.points import PointsCsv
from rooflinestudio.core.importing.proposal import TableProposal
from rooflinestudio.core.measurement import MeasurementError, MeasurementFile

TABLE = (
    b'kernel;time [us];GF;moved (MB);l2\n"a;x";100;0,05;200;7\ngemm;2000;1.000;50;8\n\n;;;;\ncopy;10;0;20;9\n'
)
CELLS = st.sampled_from(
    ["", "1", "1.234", "1,5", "a b", '"', "\x00", "−3", "1e400", "x" * 300, "n/a", "µs", "#2", "="]
)
ROWS = st.lists(st.lists(CELLS, min_size=1, max_size=6), min_size=1, max_size=8)


@st.composite
def mutated(draw):
    data = bytearray(TABLE)
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, max(len(data) - 1, 0)))
        how = draw(st.sampled_from(["cut", "flip", "insert", "repeat"]))
        if how == "cut":
            del data[at : at + draw(st.integers(1, 30))]
        elif how == "flip" and data:
            data[at] = draw(st.integers(0, 255))
        elif how == "insert":
            data[at:at] = draw(st.binary(max_size=6))
        else:
            data[at:at] = data[: draw(st.integers(0, 40))] * draw(st.integers(1, 50))
    return bytes(data)


def columns(draw_from):
    return tuple(
        (figure, head, unit)
        for figure, head, unit in zip(
            ("kernel", "time", "work", "traffic", "pipe"),
            draw_from,
            ("", "us", "GFLOP", "MB", ""),
            strict=False,
        )
    )


def survives(path, stated):
    reader = PointsCsv(columns=stated) if stated else PointsCsv()
    try:
        proposal = reader.propose(path)
    except MeasurementError:
        proposal = None
    if proposal is not None:
        assert isinstance(proposal, TableProposal)
        assert len(proposal.heads) == len(proposal.names) == len(set(proposal.names))
        assert all(one.head in proposal.names for one in proposal.columns)
    try:
        assert isinstance(reader.read(path), MeasurementFile)
    except MeasurementError as error:
        assert path.name in str(error)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=mutated(),
    heads=st.lists(st.sampled_from(["kernel", "time [us]", "GF", "#4", "#99", "=fp64", "", "#"]), max_size=5),
)
def test_broken_tables(tmp_path, content, heads):
    path = tmp_path / "broken.csv"
    path.write_bytes(content)

    survives(path, columns(heads))


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS, delimiter=st.sampled_from([",", ";", "\t", "|"]))
def test_odd_cells(tmp_path, rows, delimiter):
    path = tmp_path / "odd.csv"
    path.write_text("\n".join(delimiter.join(row) for row in rows), "utf-8")

    survives(path, ())
    survives(path, (("time", "#1", "us"), ("work", "#2", "")))
