"""Many launches at once give, figure by figure, what each gives on its own."""

from __future__ import annotations

import math
import pickle
import random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from plugins_builtin._ncu import building, reading, wide
from plugins_builtin._ncu.blocks import SEPARATOR, parse_block
from plugins_builtin._ncu.numbers import is_missing, read_number
from plugins_builtin._ncu.vectors import Split, Vector
from plugins_builtin.nsight_compute import NsightComputeCsv
from tests.builtin.nsight_tables import IDENTITY, LONG, SASS, csv_text, long_rows, read_text

METRICS = (
    ("gpu__time_duration.sum", "ns"),
    ("dram__bytes_read.sum", "Mbyte"),
    ("dram__bytes_write.sum", "Mbyte"),
    ("dram__bytes.sum.per_second", "Gbyte/s"),
    ("lts__t_sectors_srcunit_tex.sum", "sector"),
    ("l1tex__t_bytes.sum", "byte"),
    ("smsp__cycles_elapsed.avg", "cycle"),
    ("smsp__cycles_elapsed.avg.per_second", "Ghz"),
    ("sm__inst_executed_pipe_tensor.sum", "inst"),
    ("sm__ops_path_tensor_src_fp16_dst_fp32.sum", ""),
    ("sm__throughput.avg.pct_of_peak_sustained_elapsed", "%"),
    *((SASS.format(letter + kind), "inst") for letter in "fdh" for kind in ("add", "mul", "fma")),
)  # fmt: skip
ODD = (
    "",
    "",
    "n/a",
    "(!) nan",
    "no data",
    "1,234 (1,000; 234)",
    "1e5",
    "12,34",
    "-3",
    "what",
    "123456789012345678",
)


def raw_page(rows, metrics=METRICS, name="k(int)"):
    """Table with one row per launch, from cells by launch."""
    head = [*IDENTITY, *(metric for metric, _ in metrics)]
    units = ["" for _ in IDENTITY] + [unit for _, unit in metrics]
    body = [
        [
            i,
            1,
            "app",
            "127.0.0.1",
            name,
            1,
            7,
            "(256, 1, 1)",
            f"({i % 7}, 1, 1)",
            0,
            "8.0" if i % 3 else "7.0",
            *cells,
        ]
        for i, cells in enumerate(rows)
    ]
    return csv_text([head, units, *body])


def cells(rng, metrics=METRICS):
    """One launch: mostly plain numbers, now and then something else."""
    found = []
    for _, unit in metrics:
        kind = rng.random()
        if kind < 0.04:
            found.append(rng.choice(ODD))
        elif kind < 0.15:
            found.append(rng.choice(("0", "0.00")))
        elif unit in ("Mbyte", "Gbyte/s", "Ghz", "%") or kind < 0.25:
            found.append(f"{rng.uniform(0, 10 ** rng.randint(0, 6)):,.2f}")
        else:
            found.append(f"{rng.randint(0, 10 ** rng.randint(1, 12)):,}")
    return found


def one_by_one(path, monkeypatch):
    """Read with every launch on its own."""
    with monkeypatch.context() as patch:
        patch.setattr(building, "_WORTH_IT", 1 << 60)
        return reading.read_file(path, columns=False)


def assert_same(path, monkeypatch):
    together, alone = NsightComputeCsv().read(path), one_by_one(path, monkeypatch)
    assert len(together.measurements) == len(alone.measurements)
    for one, other in zip(together.measurements, alone.measurements, strict=True):
        assert one == other
    assert together.warnings == alone.warnings
    return together


# ------------------------------------------------------------------------------------------- cells


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.one_of(st.text("0123456789.,", max_size=14), st.text(max_size=5), st.sampled_from(ODD),
                       st.integers(0, 10**15).map("{:,}".format)), min_size=1, max_size=40),
    st.sampled_from(".,"),
)  # fmt: skip
@example(["1.234,5", "1,234.5", "0,123", "00,1", "1,2345", ".5", "5.", "1.2.3", "1,,234", ",123", "1,"], ".")
@example(["12", "1,234", "é", "1\u00a0234", "٣", "²"], ",")
def test_a_block_of_cells_reads_each_like_a_single_one_or_hands_it_back(texts, mark):
    texts = [text.replace(SEPARATOR, "").encode("utf-8", "replace").decode() for text in texts]

    block = parse_block("".join(text + SEPARATOR for text in texts), len(texts), mark)

    odd = {cell.column: cell.text for cell in block.odd}
    for column, text in enumerate(texts):
        value, number = block.values[0, column], read_number(text, mark)
        if column in odd:
            assert odd[column] == text
            assert math.isnan(value)
        elif not text or text == "n/a":
            assert math.isnan(value)
            assert block.absent[0, column] == bool(text)
        else:
            assert number is not None
            assert (value, block.decimals[0, column]) == (number.value, len(number.decimals))


def test_numbers_as_the_profiler_prints_them_are_not_handed_back():
    rng = random.Random(1)
    texts = [f"{rng.randint(0, 10 ** rng.randint(1, 15)):,}" for _ in range(500)]
    texts += [f"{rng.uniform(0, 10 ** rng.randint(1, 9)):,.{rng.randint(1, 5)}f}" for _ in range(500)]

    assert parse_block("".join(text + SEPARATOR for text in texts), 10, ".").odd == []


# -------------------------------------------------------------------------------------- questions


def test_a_question_is_answered_for_all_or_splits():
    import numpy as np

    numbers = Vector(np.array([1.0, 2.0, 0.0]))

    assert bool(numbers >= 0)
    assert not numbers < 0
    with pytest.raises(Split) as caught:
        bool(numbers > 1)
    assert caught.value.mask.tolist() == [False, True, False]
    with pytest.raises(Split):
        bool(numbers)


# ----------------------------------------------------------------------------------------- tables


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**9))
def test_a_raw_page_read_as_columns_gives_what_its_launches_give_alone(seed, tmp_path_factory, monkeypatch):
    rng = random.Random(seed)
    metrics = tuple(rng.sample(METRICS, rng.randint(3, len(METRICS))))
    path = tmp_path_factory.mktemp("columns") / "raw.csv"
    path.write_text(raw_page([cells(rng, metrics) for _ in range(60)], metrics))

    assert_same(path, monkeypatch)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**9))
def test_a_long_table_gives_what_its_launches_give_alone(seed, tmp_path_factory, monkeypatch):
    rng = random.Random(seed)
    metrics = tuple(rng.sample(METRICS, rng.randint(3, 10)))
    rows = []
    for launch in range(80):
        printed = [
            (name, unit, text) for (name, unit), text in zip(metrics, cells(rng, metrics), strict=True)
        ]
        rows += long_rows(printed, launch=launch, cc="8.0" if launch % 3 else "7.0")
    path = tmp_path_factory.mktemp("columns") / "long.csv"
    path.write_text(csv_text([LONG, *rows]))

    assert_same(path, monkeypatch)


def test_small_blocks_make_no_difference(tmp_path, monkeypatch):
    rng = random.Random(7)
    path = tmp_path / "raw.csv"
    path.write_text(raw_page([cells(rng) for _ in range(100)]))
    whole = NsightComputeCsv().read(path)
    monkeypatch.setattr(wide, "_CELLS_PER_BLOCK", 1)

    assert NsightComputeCsv().read(path) == whole


def test_all_columns_are_kept_as_numbers(tmp_path):
    metrics = (*METRICS[:1], ("unit__thing.max", "%"), ("launch__cache", ""))
    rows = [
        ["1,000", "12.50", "CachePreferNone"],
        ["2,000", "n/a", "CachePreferNone"],
        ["3,000", "1 (2; 3)", ""],
    ]

    file = read_text(raw_page(rows, metrics), tmp_path)

    assert list(file.columns) == ["gpu__time_duration.sum", "unit__thing.max", "launch__cache"]
    assert file.columns["gpu__time_duration.sum"].tolist() == [1000, 2000, 3000]
    assert [x if x == x else None for x in file.columns["unit__thing.max"].tolist()] == [12.5, None, 1.0]
    assert all(math.isnan(x) for x in file.columns["launch__cache"])
    assert file.columns.units["unit__thing.max"] == "%"
    with pytest.raises(KeyError):
        file.columns["nothing"]
    again = pickle.loads(pickle.dumps(file))
    assert again == file
    assert again.columns["gpu__time_duration.sum"].tolist() == [1000, 2000, 3000]


def test_columns_of_two_tables_stand_in_the_order_of_the_file(tmp_path):
    text = (
        raw_page([["1,000.5"]], METRICS[:1])
        + "==PROF== again\n"
        + raw_page([["7"], ["8"]], (("x__y.sum", ""),))
    )

    file = read_text(text, tmp_path)

    assert file.columns["gpu__time_duration.sum"].tolist()[0] == 1000.5
    assert file.columns["x__y.sum"].tolist()[1:] == [7, 8]
    assert math.isnan(file.columns["x__y.sum"][0])


def test_names_with_quotes_and_short_rows_go_the_longer_way(tmp_path, monkeypatch):
    rng = random.Random(3)
    text = raw_page([cells(rng) for _ in range(20)], name='k<"a","b">(int)')
    lines = text.splitlines()
    lines[5] = lines[5].rpartition(',"')[0]
    path = tmp_path / "raw.csv"
    path.write_text("\n".join(lines) + "\n")

    file = assert_same(path, monkeypatch)

    assert len(file.measurements) == 20
    assert file.measurements[0].kernel == 'k<"a","b">(int)'


def test_a_file_whose_first_rows_mislead_is_read_again(tmp_path, monkeypatch):
    # 400 launches with whole numbers leave the format open and are taken for decimal points; then a comma shows.
    rows = [["1000", "5"]] * 4000 + [["27.595.520", "65,77"]] * 3
    path = tmp_path / "raw.csv"
    path.write_text(raw_page(rows, (("gpu__time_duration.sum", "ns"), ("dram__bytes.sum", "Mbyte"))))
    monkeypatch.setattr(wide, "_ROWS_WEIGHED", 100_000)

    file = assert_same(path, monkeypatch)

    assert file.measurements[-1].time_s == 27_595_520 / 1e9
    assert file.measurements[-1].dram_bytes == pytest.approx(65.77e6)


def test_a_separator_among_the_cells_harms_nothing(tmp_path, monkeypatch):
    text = (
        raw_page([["1,000"], ["2,000"]], METRICS[:1])
        .replace("127.0.0.1", "127\x1f0")
        .replace("2,000", "2,0\x1f00")
    )
    path = tmp_path / "raw.csv"
    path.write_text(text)

    assert assert_same(path, monkeypatch).measurements[0].time_s == 1e-6


def test_what_counts_as_missing_is_no_number():
    for text in ("no data", "(!) nan", "inf", "N/A"):
        assert is_missing(text)
        assert len(parse_block(text + SEPARATOR, 1, ".").odd) == 1
