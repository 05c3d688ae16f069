"""Shapes from a file. Every table is written here; what it must give is read off by eye."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rooflinestudio.core.errors import ParameterError
from rooflinestudio.core.operators import Parameter
from rooflinestudio.core.shapes import sheet as shape_sheet
from rooflinestudio.core.shapes.columns import Wishes, map_from_text, propose_columns
from rooflinestudio.core.shapes.entries import MOST_ENTRIES, entries_from_shapes
from rooflinestudio.core.shapes.sheet import ShapeTableError, open_sheet
from rooflinestudio.core.shapes.table import read_shapes
from rooflinestudio.core.study import Entry, Study
from tests.core.kernels import operator

NOTHING = Wishes({})


def product():
    made = operator(
        Parameter("m", "m", 4096),
        Parameter("n", "n", 4096),
        Parameter("k", "k", 4096),
        Parameter("batch", "batch", 1),
        Parameter("tile", "tile", 128, high=512),
    )
    made.id, made.label = "gemm", "GEMM"
    return made


def attention():
    return operator(
        Parameter("batch", "batch", 1),
        Parameter("heads", "heads", 32),
        Parameter("kv_heads", "KV heads", 8),
        Parameter("seq_q", "queries", 4096),
        Parameter("seq_kv", "keys", 4096),
        Parameter("head_dim", "head dim", 128),
        Parameter("causal", "causal", default=False),
        Parameter("implementation", "implementation", "flash", choices=("naive", "flash")),
        roles={"activation": "bf16", "kv": "bf16", "output": "bf16"},
    )


def read(text, of=None, wishes=NOTHING, **more):
    return read_shapes(text if isinstance(text, bytes) else text.encode(), of or product(), wishes, **more)


def shapes(table):
    return [tuple(row.parameters.values()) for row in table.rows()]


def refusal(text, *arguments, **more):
    with pytest.raises(ShapeTableError) as error:
        read(text, *arguments, **more)
    return str(error.value)


# ------------------------------------------------------------------------------------------ the whole


def test_a_plain_table_is_read_whole():
    table = read('m,n,k,dtype,time_us\n64,12288,128,fp16,190\n1,2,3,"bf16,weight=int4",0.5\n')
    first, second = table.rows()
    assert first.parameters == {"m": 64, "n": 12288, "k": 128}
    assert all(isinstance(value, int) for value in first.parameters.values())
    assert (first.dtype, first.time_s, first.line) == ("fp16", 190e-6, 2)
    assert (second.dtype, second.time_s, second.line) == ("bf16,weight=int4", 5e-7, 3)
    assert table.heads == {"m": "m", "n": "n", "k": "k", "dtype": "dtype", "time": "time_us"}
    assert (table.faults, table.notes) == ((), ())


def test_without_times_there_are_shapes_only():
    table = read("m,n,k\n1,2,3\n")
    assert table.time_s is None and table.row(0).time_s is None and table.row(0).dtype == ""


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_found_out(separator):
    text = separator.join("mnk") + "\n" + separator.join(("1", "2", "3")) + "\n"
    assert shapes(read(text)) == [(1, 2, 3)]


def test_a_separator_that_is_given_counts():
    assert shapes(read("m:n:k\n1:2:3\n", separator=":")) == [(1, 2, 3)]
    assert "one character" in refusal("m\n1\n", separator="::")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings(encoding):
    table = read("m;n;k;Dauer [µs]\n1;2;3;4\n".replace("Dauer", "Duration").encode(encoding))
    assert table.row(0).time_s == 4e-6


def test_line_ends_blank_lines_and_remarks():
    text = "# measured in spring\r\nm,n,k\r\n\r\n1,2,3\r\n# cold\r\n,,\r\n4,5,6\r\n"
    table = read(text)
    assert shapes(table) == [(1, 2, 3), (4, 5, 6)]
    assert table.line.tolist() == [4, 7]


def test_lines_are_counted_through_quoted_line_ends():
    table = read('m,n,k,note\n1,2,3,"two\nlines"\n4,5,6,x\n')
    assert table.line.tolist() == [2, 4]


# ------------------------------------------------------------------------------------------ columns


@pytest.mark.parametrize(
    "heads",
    [
        "M,N,K,B", "M dim,N dim,K dim,batch_size", "dim_m,dim_n,dim_k,batchSize", "rows,cols,inner,BS",
        " m , n , k , batch ", "size_m,size_n,size_k,Batch Count",
    ],
)  # fmt: skip
def test_heads_are_known_by_many_names(heads):
    assert read(f"{heads}\n1,2,3,4\n").row(0).parameters == {"m": 1, "n": 2, "k": 3, "batch": 4}


def test_one_length_serves_queries_and_keys():
    text = "num_heads,num_kv_heads,seq_len,headDim\n16,4,1024,64\n"
    found = read(text, attention()).row(0).parameters
    assert found == {"heads": 16, "kv_heads": 4, "seq_q": 1024, "seq_kv": 1024, "head_dim": 64}


def test_lengths_of_their_own_win_over_the_common_one():
    text = "heads,kv_heads,seqlen_q,seqlen_k,head_dim\n16,4,1,1024,64\n"
    found = read(text, attention()).row(0).parameters
    assert (found["seq_q"], found["seq_kv"]) == (1, 1024)


def test_the_best_fitting_head_wins():
    assert read("rows,m,n,k\n9,1,2,3\n").row(0).parameters == {"m": 1, "n": 2, "k": 3}


def test_two_heads_that_fit_equally_are_asked_for():
    told = refusal("M,m dim,M ,n,k\n1,2,9,3,4\n")
    assert "m may be 'M' or 'M'" in told
    assert read("M,m dim,M ,n,k\n1,2,9,3,4\n", wishes=Wishes({"m": "m dim"})).row(0).parameters["m"] == 2


def test_a_map_overrides_what_would_be_proposed():
    text = "m,n,k,x\n1,2,3,4\n"
    assert read(text, wishes=Wishes(map_from_text("m=k, k=m"))).row(0).parameters == {"m": 3, "n": 2, "k": 1}
    assert read(text, wishes=Wishes({"m": "4", "n": "N"})).row(0).parameters == {"m": 4, "n": 2, "k": 3}


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({"m": "nn"}, "has no column 'nn'; did you mean 'n'?"),
        ({"m": "zebra"}, "has no column 'zebra'; it has m, n, k."),
        ({"m": "4"}, "has no column '4'"),
        ({"q": "m"}, "gemm has no parameter 'q'"),
    ],
)
def test_a_map_that_leads_nowhere_is_refused(columns, told):
    assert told in refusal("m,n,k\n1,2,3\n", wishes=Wishes(columns))


@pytest.mark.parametrize("text", ["m", "m=", "=a", "m=a,m=b"])
def test_a_map_that_is_none(text):
    with pytest.raises(ShapeTableError, match=r"m=rows|mapped twice"):
        map_from_text(text)


def test_a_dimension_without_a_column_is_never_guessed():
    told = refusal("m,n,us\n1,2,3\n")
    assert "no column is k of gemm; it has m, n, us." in told and "k=COLUMN" in told and "k=4096" in told
    assert shapes(read("m,n,us\n1,2,3\n", wishes=Wishes({}, fixed=("k",)))) == [(1, 2)]
    assert read("m,n,k\n1,2,3\n").columns.parameters.keys() == {"m", "n", "k"}  # tile and batch have defaults


def test_without_heads_the_first_columns_are_the_dimensions_and_it_is_said():
    table = read("64, 12288, 128, 0.19ms, 101.7Tflops\n1, 2, 3, 2us, 1Tflops\n")
    assert shapes(table) == [(64, 12288, 128), (1, 2, 3)]
    assert table.time_s.tolist() == pytest.approx([190e-6, 2e-6], rel=1e-12)
    assert table.line.tolist() == [1, 2]
    assert "no head line" in table.notes[0] and "n = column 2" in table.notes[0]


def test_without_heads_columns_have_numbers():
    table = read("7,3,2,1\n", wishes=Wishes({"m": "4", "n": "3", "k": "2"}, time="1", time_unit="ms"))
    assert table.row(0).parameters == {"m": 1, "n": 2, "k": 3} and table.row(0).time_s == 7e-3
    assert "its first columns" not in " ".join(table.notes)


# ------------------------------------------------------------------------------------------ times


@pytest.mark.parametrize(
    ("head", "cell", "seconds"),
    [
        ("time_us", "12.5", 12.5e-6), ("Duration (ms)", "2", 2e-3), ("latency [s]", "3", 3.0), ("us", "4", 4e-6),
        ("elapsed_ns", "5", 5e-9), ("gpuTimeMs", "6", 6e-3), ("runtime µs", "7", 7e-6), ("avg time usec", "8", 8e-6),
        ("time", "9 ms", 9e-3), ("time", "10µs", 10e-6), ("time_us", "11 ms", 11e-3), ("t_ms", "1.2e1", 12e-3),
    ],
)  # fmt: skip
def test_units_of_time(head, cell, seconds):
    assert read(f"m,n,k,{head}\n1,2,3,{cell}\n").row(0).time_s == pytest.approx(seconds, rel=1e-15)


def test_a_time_without_a_unit_is_asked_for():
    text = "m,n,k,time\n1,2,3,4\n"
    told = refusal(text)
    assert "line 2, column 'time': '4' has no unit" in told and "us, ms, s or ns" in told
    assert read(text, wishes=Wishes({}, time_unit="us")).row(0).time_s == 4e-6
    assert "no unit of time" in refusal(text, wishes=Wishes({}, time_unit="h"))


def test_the_users_unit_counts_before_that_of_the_head():
    assert read("m,n,k,time_us\n1,2,3,4\n", wishes=Wishes({}, time_unit="ms")).row(0).time_s == 4e-3


def test_several_times_are_asked_for_and_a_plain_one_is_taken():
    assert "may be 'min_time_us' or 'max_time_us'" in refusal("m,n,k,min_time_us,max_time_us\n1,2,3,4,5\n")
    assert read("m,n,k,min_time_us,time_us\n1,2,3,4,5\n").row(0).time_s == 5e-6
    named = Wishes({}, time="min_time_us")
    assert read("m,n,k,min_time_us,max_time_us\n1,2,3,4,5\n", wishes=named).row(0).time_s == 4e-6
    assert read("m,n,k,time_us\n1,2,3,4\n", wishes=Wishes({}, time="")).time_s is None


@pytest.mark.parametrize("head", ["time_std_us", "predicted_time_us", "start_time", "timestamp", "GB/s", "s"])
def test_what_is_no_measured_time(head):
    assert read(f"m,n,k,{head}\n1,2,3,4\n").time_s is None


@pytest.mark.parametrize("cell", ["", "-", "n/a", "NaN", "None", " – "])
def test_rows_may_have_no_time(cell):
    table = read(f"m,n,k,time_us\n1,2,3,{cell}\n4,5,6,7\n")
    assert [row.time_s for row in table.rows()] == [None, 7e-6]
    assert table.fault_count == 0


# ------------------------------------------------------------------------------------------ numbers


@pytest.mark.parametrize(
    ("text", "shape", "seconds"),
    [
        ("m;n;k;us\n12.288;2;3;1,5\n", (12288, 2, 3), 1.5e-6),
        ("m;n;k;us\n12.288;2;3;1.234,5\n", (12288, 2, 3), 1234.5e-6),
        ('m,n,k,us\n"12,288",2,3,1.5\n', (12288, 2, 3), 1.5e-6),
        ('m,n,k,us\n"12,288",2,3,"1,234.5"\n', (12288, 2, 3), 1234.5e-6),
        ("m;n;k;us\n12 288;2;3;0,25\n", (12288, 2, 3), 0.25e-6),
        ("m,n,k,us\n12288.0,2.000,64.000,1e3\n", (12288, 2, 64), 1e-3),
        ("m,n,k,us\n4Ki,2 k,3,1\n", (4096, 2000, 3), 1e-6),
        ("m;n;k;us\n1;2;3;12.288\n", (1, 2, 3), 12.288e-6),
        ("m;n;k;us\n1.048.576;2;3;4\n", (1048576, 2, 3), 4e-6),
    ],
)
def test_decimal_marks_are_found_out_by_evidence(text, shape, seconds):
    row = read(text).row(0)
    assert tuple(row.parameters.values()) == shape and row.time_s == pytest.approx(seconds, rel=1e-12)


def test_an_undecided_comma_is_asked_for():
    text = "m;n;k;us\n1;2;3;12,288\n"
    told = refusal(text)
    assert "line 2, column 'us': '12,288'" in told and "thousands or decimals" in told
    assert read(text, mark=",").row(0).time_s == pytest.approx(12.288e-6)
    assert read(text, mark=".").row(0).time_s == pytest.approx(12288e-6)
    assert "point or a comma" in refusal(text, mark="x")


def test_one_clear_cell_decides_for_all():
    assert read("m;n;k;us\n1;2;3;12,288\n1;2;3;0,5\n").time_s.tolist() == pytest.approx([12.288e-6, 0.5e-6])


def test_marks_that_contradict_each_other_are_named():
    told = refusal("m;n;k;us\n1;2;3;0,5\n1;2;3;0.5\n")
    assert (
        "line 3, column 'us': '0.5' has a decimal point and line 2, column 'us': '0,5' a decimal comma"
        in told
    )


# ------------------------------------------------------------------------------------------ faults


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("x,2,3,4", "line 3, column 'm': 'x' is no number; write m such as 4096."),
        (",2,3,4", "line 3, column 'm': '' is empty; m needs a value."),
        ("1,2.5,3,4", "line 3, column 'n': '2.5' must be a whole number, such as 4096"),
        ("1,2,0,4", "line 3, column 'k': '0' must lie between 1 and 1e+12."),
        ("1,2,-3,4", "line 3, column 'k': '-3' must lie between 1 and 1e+12."),
        ("1,2,inf,4", "line 3, column 'k': 'inf' is no number"),
        ("1,2,1e400,4", "line 3, column 'k': '1e400' is no number"),
        ("1,2,3,soon", "line 3, column 'time_us': 'soon' is no time"),
        ("1,2,3,-4", "line 3, column 'time_us': '-4' must be above zero"),
        ("1,2,3,4 GB", "line 3, column 'time_us': '4 GB' has a unit that is no time"),
        ("1,2,3,1e-300", "line 3, column 'time_us': '1e-300' is short beyond reason"),
        ("1,2,3,1e300", "line 3, column 'time_us': '1e300' is long beyond reason"),
        ("1,2,3", "line 3: has 3 cells where the head line has 4"),
        ("1,2,3,4,5", "line 3: has 5 cells where the head line has 4"),
    ],
)
def test_every_fault_names_line_column_value_and_mend(row, told):
    table = read(f"m,n,k,time_us\n7,8,9,10\n{row}\n1,2,3,4\n")
    assert [told in str(fault) for fault in table.faults] == [True] and table.fault_count == 1
    assert table.line.tolist() == [2, 4] and shapes(table) == [(7, 8, 9), (1, 2, 3)]


def test_a_trailing_separator_is_no_fault():
    assert read("m,n,k\n1,2,3,\n").fault_count == 0


def test_words_that_are_no_value_are_faults():
    text = (
        "heads,kv_heads,seq_len,head_dim,causal,implementation,precision\n"
        "8,8,64,64,True,flash,torch.bfloat16\n8,8,64,64,0,naive,half\n"
        "8,8,64,64,perhaps,flash,fp8\n8,8,64,64,1,magic,fp8\n8,8,64,64,1,flash,fp13\n8,8,1.5,64,1,flash,fp8\n"
    )
    table = read(text, attention())
    assert [(row.parameters["causal"], row.parameters["implementation"], row.dtype) for row in table.rows()] == [
        (True, "flash", "bf16"), (False, "naive", "fp16"),
    ]  # fmt: skip
    told = [str(fault) for fault in table.faults]
    assert len(told) == table.fault_count == 4
    assert "line 4, column 'causal': 'perhaps' must be true or false." in told[0]
    assert "line 5, column 'implementation': 'magic' must be one of naive, flash." in told[1]
    assert "line 6, column 'precision': 'fp13' is no number format" in told[2]
    assert (
        "line 7, column 'seq_len': '1.5' must be a whole number" in told[3]
    )  # told once, though it is read twice


def test_a_path_is_not_taken_from_a_table():
    serving = operator(
        Parameter("model", "model", "llama", choices=("llama",), open_choices=True),
        Parameter("batch", "batch", 1),
    )
    table = read("model,batch\nllama,1\n../secret.json,2\n", serving)
    assert shapes(table) == [("llama", 1)] and "is a path" in str(table.faults[0])


def test_a_table_without_a_row_that_can_be_used_is_refused():
    assert "no row can be used. The first: line 2, column 'm': 'a'" in refusal("m,n,k\na,b,c\nd,e,f\n")


# ------------------------------------------------------------------------------------------ hostile files


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "holds no rows"),
        (b"\n\n#x\n", "holds no rows"),
        (b"m,n,k\n", "a head line and no rows"),
        (b"m,n\0,k\n1,2,3\n", "zero bytes"),
        (b'm,n,k\n1,2,"' + b"3\n" * 100_000, "never be closed"),
        (b"m,n,k\n" + b"1" * 70_000 + b",2,3\n", "line 2: more than 65536 characters"),
        (b"m,n,k\n" + b"1," * 600 + b"\n", "line 2: 601 cells; at most 512"),
        (b",".join(b"c%d" % at for at in range(600)) + b"\n", "at most 512"),
    ],
)
def test_files_that_are_no_table(data, told):
    assert told in refusal(data)


def test_files_that_cannot_be_read(tmp_path):
    for path in (tmp_path / "none.csv", tmp_path, "a\0b"):
        with pytest.raises(ShapeTableError, match=r"cannot be read"):
            open_sheet(path)


def test_limits_hold(monkeypatch):
    monkeypatch.setattr(shape_sheet, "MOST_ROWS", 10)
    monkeypatch.setattr(shape_sheet, "MOST_LINES", 20)
    assert "more than 10 rows" in refusal("m,n,k\n" + "1,2,3\n" * 11)
    assert len(read("m,n,k\n" + "1,2,3\n" * 10)) == 10
    assert "more than 20 lines" in refusal("m,n,k\n1,2,3\n" + "\n" * 30)
    monkeypatch.setattr(shape_sheet, "LIMIT_BYTES", 2**20)
    assert "1 MiB" in refusal(b"m,n,k\n" + b"1,2,3\n" * 200_000)


def test_faults_are_counted_and_only_some_are_kept():
    table = read("m,n,k\n" + "x,2,3\n" * 1500 + "1,2,3\n")
    assert (len(table.faults), table.fault_count, len(table)) == (1000, 1500, 1)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 120),
            st.sampled_from(
                [
                    b'"',
                    b",",
                    b";",
                    b"\t",
                    b"\n",
                    b"\r",
                    b"-",
                    b"e",
                    b"1e999",
                    b"nan",
                    b"\0",
                    b"\xff\xfe",
                    b"us",
                    b".",
                ]
            )
            | st.binary(max_size=3),
            st.integers(0, 12),
        ),
        max_size=8,
    )
)
def test_a_mutilated_table_is_read_or_refused(cuts):
    data = (
        b"m,n,k,dtype,time_us,batch\n64,12288,128,fp16,190.0,1\n128,128,128,bf16,200.3,2\n256,64,64,half,,1\n"
    )
    for at, put, gone in cuts:
        data = data[:at] + put + data[at + gone :]
    try:
        table = read_shapes(data, product())
    except ShapeTableError as error:
        assert str(error)
        return
    for row in table.rows():
        assert all(value >= 1 for value in row.parameters.values())
        assert row.time_s is None or (row.time_s > 0 and math.isfinite(row.time_s))


# ------------------------------------------------------------------------------------------ a dialog's way


def test_a_sheet_shows_its_head_and_first_rows_before_anything_is_decided():
    sheet = open_sheet(b"m;n;k\n1;2;3\n4;5;6\n", name="shapes.csv")
    assert (sheet.head, sheet.separator, sheet.width) == (("m", "n", "k"), ";", 3)
    assert sheet.first == ((2, ("1", "2", "3")), (3, ("4", "5", "6")))
    assert propose_columns(sheet, product(), NOTHING).parameters == {"m": 0, "n": 1, "k": 2}


# ------------------------------------------------------------------------------------------ placements


def test_shapes_become_placements_in_one_step():
    table = read("m,n,k,dtype\n1,64,64,bf16\n2,64,64,bf16\n1,64,64,bf16\n2,64,64,fp8\n")
    study = Study((Entry("gemm-1", "gemm", slot=0), Entry("gemm-3", "gemm", slot=1)))
    template = Entry("", "gemm", parameters={"batch": 4}, group="sweep", machines=("acme-one",))
    entries = entries_from_shapes(table, product(), study, template=template)
    assert [(one.id, one.parameters["m"], one.dtypes["all"], one.slot) for one in entries] == [
        ("gemm-2", 1, "bf16", 2), ("gemm-4", 2, "bf16", 3), ("gemm-5", 2, "fp8", 4),
    ]  # fmt: skip
    assert [one.label for one in entries] == ["GEMM, m 1, bf16", "GEMM, m 2, bf16", "GEMM, m 2, fp8"]
    assert all(one.parameters["batch"] == 4 and one.parameters["n"] == 64 for one in entries)
    assert all(one.group == "sweep" and one.machines == ("acme-one",) for one in entries)
    for entry in entries:
        study = study.adding(entry)
    assert len({one.id for one in study.entries}) == 5


def test_some_rows_may_be_placed():
    table = read("m,n,k\n1,2,3\n4,5,6\n7,8,9\n")
    entries = entries_from_shapes(
        table, product(), rows=(2, 0), template=Entry("", "gemm", dtypes={"all": "fp8"})
    )
    assert [one.parameters["m"] for one in entries] == [7, 1]
    assert all(one.dtypes == {"all": "fp8"} for one in entries)


def test_too_many_shapes_and_those_of_another_operator_are_refused():
    lines = (f"{at},1,1\n" for at in itertools.count(1))
    table = read("m,n,k\n" + "".join(itertools.islice(lines, MOST_ENTRIES + 1)))
    with pytest.raises(ParameterError, match=r"more than 1000 different shapes"):
        entries_from_shapes(table, product())
    assert len(entries_from_shapes(table, product(), rows=range(MOST_ENTRIES))) == MOST_ENTRIES
    with pytest.raises(ParameterError, match=r"shapes of gemm, not of op"):
        entries_from_shapes(table, attention())
