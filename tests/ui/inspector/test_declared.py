import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.errors import StudioError
from rooflinestudio.core.operators import Parameter
from rooflinestudio.ui.inspector.declared import (
    groups_of,
    number_of,
    problem_with,
    reader_of,
    scale_of,
    suggestions_of,
    text_of,
)
from tests.ui.widgets.studies import machine, registry

GEMM = registry().operator("gemm")
COUNT = Parameter("m", "m", 4096)
BYTES = Parameter("buffer", "buffer", 1e6, "B", integer=False)
SHARE = Parameter("density", "density", 0.5, low=0, high=1, integer=False)


def parameter(name):
    return next(one for one in GEMM.parameters if one.name == name)


def test_two_sides_of_a_tile_share_a_row():
    labels = [group.label for group in groups_of(GEMM.parameters)]
    assert labels[:7] == ["m", "n", "k", "batch", "tile m × n", "operand tile m × n", "cluster m × n"]


def test_sequence_lengths_are_no_tile():
    labels = [group.label for group in groups_of(registry().operator("attention").parameters)]
    assert "queries" in labels and "keys" in labels
    assert "block of queries × keys" in labels


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (4096, "4096"),
        (1, "1"),
        (7e9, "7 G"),
        (1536000, "1.536 M"),
        (123456789, "123 456 789"),
        ("auto", "auto"),
    ],
)
def test_counts_are_written_as_people_write_them(value, text):
    assert text_of(COUNT, value).replace("\u202f", " ") == text


def test_bytes_are_written_with_their_unit():
    assert text_of(BYTES, 1e6) == "1 MB"
    assert text_of(BYTES, 2.5e9) == "2.5 GB"


@given(st.integers(1, 10**12))
def test_every_count_reads_back_as_itself(value):
    assert reader_of(GEMM, parameter("m"), None)(text_of(COUNT, value)) == value


@given(st.floats(1e-3, 1, allow_nan=False))
def test_every_share_reads_back_as_itself(value):
    elementwise = registry().operator("elementwise")
    flop = next(one for one in elementwise.parameters if one.name == "flop")
    assert reader_of(elementwise, flop, None)(text_of(flop, value)) == pytest.approx(value, rel=1e-15)


def test_auto_is_read_where_it_is_declared_only():
    assert reader_of(GEMM, parameter("tile_m"), machine())(" auto ") == "auto"
    with pytest.raises(StudioError):
        reader_of(GEMM, parameter("m"), machine())("auto")


@pytest.mark.parametrize("text", ["0", "1.5", "-3", "", "GB", "1e99"])
def test_what_is_out_of_range_or_no_number_is_refused(text):
    with pytest.raises(StudioError):
        reader_of(GEMM, parameter("m"), None)(text)


def test_a_value_from_a_file_is_refused_with_its_reason():
    assert problem_with(GEMM, parameter("m"), 4096, None) == ""
    assert "m = 0 must lie between 1 and" in problem_with(GEMM, parameter("m"), 0, None)


def test_a_slider_reaches_256_times_the_default_within_the_range():
    assert (scale_of(parameter("m")).low, scale_of(parameter("m")).high) == (1, 2**20)
    assert scale_of(parameter("batch")).high == 1024
    assert not scale_of(parameter("cluster_m")).logarithmic
    assert not scale_of(SHARE).logarithmic


def test_a_tile_offers_usual_sizes_and_what_the_machine_would_take():
    offered = suggestions_of(parameter("tile_n"), machine())
    assert offered[0] == ("auto", "256 on H100 SXM5")  # Hopper's 128 x 256
    assert ("128", "") in offered
    assert [text for text, _ in suggestions_of(parameter("cluster_m"), machine())] == [
        "1",
        "2",
        "4",
        "8",
        "16",
    ]


def test_a_slider_stands_where_auto_leads():
    assert number_of(parameter("tile_m"), "auto", 256) == 256
    assert number_of(COUNT, "8 Ki") == 8192
    assert number_of(COUNT, "many") is None
    assert number_of(COUNT, True) is None
