"""What fuzz tests of readers share: accidents that happen to files, tricks played on readers, and what must hold."""

from __future__ import annotations

import json
import time
import tracemalloc

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from rooflinestudio.core.measurement import MeasurementError, to_json

__all__ = ["broken", "examples", "odd_values", "survives"]

CPU_SECONDS = 5.0
MEMORY_TIMES = 10
MEMORY_BYTES = 32_000_000
LONGEST = 2_000_000  # bytes of one input


def examples(count: int) -> settings:
    """So many inputs, without a limit of time for each: that one is measured in processor time."""
    return settings(max_examples=count, deadline=None, suppress_health_check=list(HealthCheck))


# ------------------------------------------------------------------------------------------- what must hold


def survives(readers, content: bytes, path, consistent=None) -> None:
    """Hold readers against one input: an answer or a clear error, soon, and in little memory.

    Parameters
    ----------
    path
        Where the input is written.
    consistent
        Called with each file that was read, for what must hold of it besides.
    """
    path.write_bytes(content)
    for reader in readers:
        file = _bounded(reader, content, path)
        if file is not None:
            _printable(file)
            if consistent is not None:
                consistent(file)


def _bounded(reader, content, path):
    began = time.process_time()
    tracemalloc.start()
    try:
        reader.recognises(content[:65536], path.name)
        file = _read(reader, path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert time.process_time() - began < CPU_SECONDS
    assert peak < MEMORY_TIMES * len(content) + MEMORY_BYTES
    return file


def _read(reader, path):
    """Read a file: what was found, or None after a clear error."""
    try:
        return reader.read(path)
    except MeasurementError as error:
        assert str(path) in str(error)
        assert len(str(error)) < 2_000
        return None


def _printable(file) -> None:
    json.dumps(to_json(file), allow_nan=False)
    assert all(one.plotted or one.reason for one in file.measurements)
    assert file.measurements or file.warnings
    assert len(file.warnings) < 60
    assert max(map(len, file.warnings), default=0) < 2_000


# ---------------------------------------------------------------------------------------------- broken files


def _cut(content: bytes, at: int, draw) -> bytes:
    return content[:at]


def _gap(content: bytes, at: int, draw) -> bytes:
    return content[:at] + content[at + draw(st.integers(1, 500)) :]


def _flip(content: bytes, at: int, draw) -> bytes:
    if at == len(content):
        return content
    return content[:at] + bytes([content[at] ^ draw(st.integers(1, 255))]) + content[at + 1 :]


def _insert(content: bytes, at: int, draw) -> bytes:
    return content[:at] + draw(st.binary(max_size=20)) + content[at:]


def _repeat(content: bytes, at: int, draw) -> bytes:
    return content[:at] + content[at : at + 300] * draw(st.integers(1, 20)) + content[at:]


def _shuffle(content: bytes, at: int, draw) -> bytes:
    return b"\n".join(draw(st.permutations(content.split(b"\n"))))


def _numbers(content: bytes, at: int, draw) -> bytes:
    hostile = draw(
        st.sampled_from([b"1e99", b"-1", b"1.1.1", b"inf", b"9" * 90, b"", b"\xff\xfe", b'""', b"\x1f"])
    )
    return content.replace(b"0", hostile, draw(st.integers(1, 3)))


def _quotes(content: bytes, at: int, draw) -> bytes:
    return content.replace(b'","', draw(st.sampled_from([b'";"', b'"', b",", b'",,"', b'"\t"'])))


def _encoding(content: bytes, at: int, draw) -> bytes:
    text = content.decode("utf-8", "replace")
    return text.encode(draw(st.sampled_from(["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])))


def _swap_columns(content: bytes, at: int, draw) -> bytes:
    """Exchange two columns in some rows, the header among them or not."""
    lines = content.split(b"\n")
    first, second = draw(st.integers(0, 20)), draw(st.integers(0, 20))
    start = draw(st.integers(0, len(lines)))
    for number in range(start, len(lines)):
        cells = lines[number].split(b",")
        if max(first, second) < len(cells):
            cells[first], cells[second] = cells[second], cells[first]
            lines[number] = b",".join(cells)
    return b"\n".join(lines)


def _lengthen(content: bytes, at: int, draw) -> bytes:
    """Make a cell, a row, a name or the space between two lines very long."""
    piece = draw(
        st.sampled_from([b"9", b"9,", b'"",', b"-", b" ", b"\n", b"x", b'"', b"--- ", b"1,234", b"\0"])
    )
    return content[:at] + piece * draw(st.sampled_from([1_000, 20_000, 100_000])) + content[at:]


def _nest(content: bytes, at: int, draw) -> bytes:
    opener = draw(
        st.sampled_from([b"<", b"(", b"[", b"{", b"::", b"operator (", b'""', b"(1, 1, 1)x(", b"_ZN"])
    )
    return content[:at] + opener * draw(st.sampled_from([100, 5_000, 50_000])) + content[at:]


def _many_rows(content: bytes, at: int, draw) -> bytes:
    lines = content.split(b"\n")
    number = draw(st.integers(0, len(lines) - 1))
    return b"\n".join(
        lines[:number] + [lines[number]] * draw(st.sampled_from([10, 200, 2_000])) + lines[number:]
    )


_ACCIDENTS = (
    _cut, _gap, _flip, _insert, _repeat, _shuffle, _numbers, _quotes, _encoding, _swap_columns, _lengthen, _nest,
    _many_rows,
)  # fmt: skip


@st.composite
def broken(draw: st.DrawFn, files) -> bytes:
    """One of the files (name to content) after a few accidents; one of those is that another file follows in it."""
    names = sorted(files)

    def join(content: bytes, at: int, draw) -> bytes:
        return content[:at] + files[draw(st.sampled_from(names))] + content[at:]

    content = files[draw(st.sampled_from(names))]
    for accident in draw(st.lists(st.sampled_from((*_ACCIDENTS, join)), min_size=1, max_size=4)):
        content = accident(content, draw(st.integers(0, len(content))), draw)[:LONGEST]
    return content


_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-5, 2**70), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=8,
)


@st.composite
def odd_values(draw: st.DrawFn, documents) -> bytes:
    """One of the JSON documents, in which values have any type."""
    whole = json.loads(draw(st.sampled_from(documents)))
    for _ in range(draw(st.integers(1, 4))):
        spot = whole
        while True:
            keys = sorted(spot) if isinstance(spot, dict) else list(range(len(spot)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            inside = isinstance(spot[key], dict | list) and spot[key] and draw(st.integers(0, 4))
            if not inside:
                spot[key] = draw(_JSON)
                break
            spot = spot[key]
    return json.dumps(whole).encode()
