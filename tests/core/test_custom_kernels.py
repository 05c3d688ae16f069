"""Custom kernels: a YAML file behaves like any other operator, and what is wrong with it is told, all at once."""

from __future__ import annotations

import copy
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooflinestudio.core.custom.arithmetic import ARITY
from rooflinestudio.core.custom.document import BLOCKED, KEYS, LAUNCH
from rooflinestudio.core.custom.kernels import (
    KernelError,
    dump_kernel,
    kernel_from_document,
    kernel_to_document,
    kernels_in,
    load_kernel,
    save_kernel,
    with_kernel,
)
from rooflinestudio.core.custom.parameters import PARAMETER_KEYS
from rooflinestudio.core.custom.syntax import LONGEST
from rooflinestudio.core.custom.tensors import TENSOR_KEYS
from rooflinestudio.core.dtypes import parse_dtypes
from rooflinestudio.core.errors import ParameterError, RefusedError
from rooflinestudio.core.placement import place_estimate
from rooflinestudio.core.resolution import resolve_dtypes, resolve_parameters
from rooflinestudio.core.settings import Settings
from rooflinestudio.core.study import Study
from rooflinestudio.core.study_files import load_study, save_study
from rooflinestudio.core.traffic import compulsory_bytes, crossing_bytes
from tests.core.custom_kernel_texts import AXPY, GATHER, MATMUL, TEXTS
from tests.core.profiles import H100, TINY


def estimate_of(kernel, dtype=None, **parameters):
    return kernel.estimate(
        resolve_parameters(kernel, parameters), resolve_dtypes(kernel, parse_dtypes(dtype))
    )


def placed(kernel, on=H100, dtype=None, settings=None, **parameters):
    return place_estimate(
        estimate_of(kernel, dtype, **parameters), on, settings or Settings(), operator=kernel.id
    )


def document(text=AXPY, **changes):
    made = kernel_to_document(load_kernel(text))
    return {**made, **changes}


def faults(made):
    with pytest.raises(KernelError) as caught:
        kernel_from_document(made)
    return {".".join(map(str, one.place)): one.text for one in caught.value.faults}


# --------------------------------------------------------------------------------------------------- figures


def test_axpy_by_hand():
    estimate = estimate_of(load_kernel(AXPY), n=1000)

    assert estimate.work == {"fp32": 2000}
    assert estimate.main_pipe == "fp32"
    assert compulsory_bytes(estimate) == (8000, 4000)  # x and y are read, y is written: 12 bytes an element
    assert estimate.footprint_bytes == 8000
    assert estimate.launch.blocks == 4
    assert estimate.launch.threads == 256
    assert estimate.launch.kernels == 1


def test_axpy_on_a_machine_takes_the_time_of_its_bytes():
    placement = placed(load_kernel(AXPY), n=1e9)

    assert placement.time_s == pytest.approx(12e9 / 3.35e12)
    assert placement.bound == "memory"
    assert placement.intensity == pytest.approx(1 / 6)


def test_the_built_in_matrix_product_is_matched():
    from tests.builtin.evaluating import estimate_of as built_in

    sizes = {"m": 1000, "n": 3000, "k": 500}
    mine, theirs = estimate_of(load_kernel(MATMUL), tile=128, **sizes), built_in("gemm", **sizes)

    assert mine.work["bf16-tensor"] == theirs.work["bf16-tensor"]
    assert compulsory_bytes(mine) == compulsory_bytes(theirs)
    assert mine.blocked["dram"] == theirs.blocked["dram"]


def test_boundaries_have_counts_of_their_own():
    estimate = estimate_of(load_kernel(MATMUL), m=256, n=256, k=256, tile=64)

    # Tiled: A crosses 4 times and B 4 times, 131072 bytes each; C once.
    assert estimate.blocked["dram"] == (2 * 4 * 131072, 131072)
    assert crossing_bytes(estimate, "shared") == (2 * 4 * 256**3 / 64, 0)
    assert (
        crossing_bytes(estimate, "l2") == estimate.blocked["dram"]
    )  # no count of its own: the next one outward
    assert estimate.footprint_bytes == 1e9


def test_special_work_stands_beside_the_work():
    placement = placed(load_kernel(MATMUL), m=64, n=64, k=64)

    assert placement.work_flop == 2 * 64**3
    assert placement.estimate.work["special"] == 4 * 64 * 64


def test_plain_bytes_are_the_traffic():
    kernel = load_kernel(GATHER)

    read, written = compulsory_bytes(estimate_of(kernel, rows=10, width=8, share=0.25, scaled=False))

    assert (read, written) == (10 * (4 + 8 * 2 * 0.75), 10 * 8 * 2)


def test_plain_bytes_follow_the_formats_that_they_are_counted_in():
    kernel = load_kernel(GATHER)

    half, full = (estimate_of(kernel, one, rows=10, width=8, share=0) for one in ("bf16", "fp32"))

    assert compulsory_bytes(half) == (10 * (4 + 16), 10 * 16)
    assert compulsory_bytes(full) == (10 * (4 + 32), 10 * 32)
    assert [(one.name, one.elements, one.dtype.id) for one in full.tensors] == [
        ("read activation", 80, "fp32"),
        ("read", 40, "int8"),  # the indices, in bytes
        ("written output", 80, "fp32"),
    ]


@pytest.mark.parametrize("formula", ["n / bytes(activation)", "n * bytes(activation) * bytes(output)"])
def test_bytes_that_are_no_sum_over_formats_are_counted_all_the_same(formula):
    kernel = kernel_from_document(document(tensors=None, traffic={"dram": {"read_bytes": formula}}))

    expected = {"n / bytes(activation)": 25, "n * bytes(activation) * bytes(output)": 1600}[formula]
    assert compulsory_bytes(estimate_of(kernel, n=100)) == (expected, 0)


def test_choices_and_switches_steer_formulas():
    kernel = load_kernel(GATHER)

    assert estimate_of(kernel, rows=10, width=8, scaled=False).work == {"fp32": 0}
    row, column = (
        compulsory_bytes(estimate_of(kernel, rows=10, width=8, layout=one))[0] for one in ("row", "column")
    )
    assert column - row == 10 * 8 * 2 * 0.5 * 3


# --------------------------------------------------------------------------------------------------- formats


def test_the_shorthand_reaches_every_role():
    estimate = estimate_of(load_kernel(MATMUL), "fp8", m=10, n=10, k=10)

    assert list(estimate.work) == ["fp8-tensor", "special"]
    assert compulsory_bytes(estimate) == (200, 100)


def test_compute_follows_the_widest_operand_and_can_be_named():
    kernel = load_kernel(MATMUL)

    assert estimate_of(kernel, "bf16,weight=int4").main_pipe == "bf16-tensor"
    assert estimate_of(kernel, "fp8,compute=bf16").main_pipe == "bf16-tensor"


def test_vector_work_runs_on_fp32_up_to_32_bits_and_on_fp64_beyond():
    kernel = load_kernel(AXPY)

    assert estimate_of(kernel, "bf16").main_pipe == "fp32"
    assert estimate_of(kernel, "fp64").main_pipe == "fp64"
    assert estimate_of(kernel, "bf16,compute=bf16").main_pipe == "bf16"


def test_vector_work_beside_a_product_stays_on_the_vector_units():
    kernel = kernel_from_document(
        document(MATMUL, work={"compute": "2*m*n*k", "vector": "m*n", "fp32": "m*n"})
    )

    assert estimate_of(kernel, "bf16", m=2, n=3, k=4).work == {"bf16-tensor": 48, "fp32": 12}


def test_a_pinned_role_keeps_its_format():
    kernel = kernel_from_document(document(pinned=["output"]))

    estimate = estimate_of(kernel, "bf16", n=100)

    assert [one.dtype.id for one in estimate.tensors] == ["bf16", "fp32"]


def test_a_tensor_may_have_a_format_for_good():
    tensors = [
        {"name": "index", "elements": "n", "dtype": "int32"},
        {"name": "y", "elements": "n", "role": "output"},
    ]
    kernel = kernel_from_document(document(tensors=tensors, work={"vector": "bytes(index) * n"}))

    estimate = estimate_of(kernel, "bf16", n=10)

    assert compulsory_bytes(estimate) == (40, 20)
    assert estimate.work == {"fp32": 40}


def test_formats_may_be_left_out():
    made = document()
    del made["dtypes"]

    assert dict(kernel_from_document(made).dtype_roles) == {
        "activation": "bf16",
        "output": "bf16",
        "compute": "fp32",
    }


# ---------------------------------------------------------------------------------------------------- arrays


@pytest.mark.parametrize("name", TEXTS)
def test_a_kernel_passes_the_conformance_kit(name):
    from rooflinestudio.plugins.testing import check_operator

    assert check_operator(load_kernel(TEXTS[name])) == []


def test_a_sweep_is_one_call():
    n = np.array([1.0, 1000.0, 1e9])

    placement = placed(load_kernel(AXPY), n=n)

    assert placement.time_s == pytest.approx(12 * n / 3.35e12)


# -------------------------------------------------------------------------------------------------- formulas


def test_figures_show_how_they_come_about():
    formulas = {one.figure: one for one in estimate_of(load_kernel(MATMUL), m=8, n=4, k=2, tile=2).formulas()}

    assert formulas["work"].symbols == "W on bf16-tensor = 2·m·n·k"
    assert formulas["work"].values == "2·8·4·2"
    assert formulas["compulsory"].symbols == "Qc = s_a·m·k + s_b·k·n + s_c·m·n"
    assert formulas["compulsory"].values == "2·8·2 + 2·2·4 + 2·8·4"
    assert formulas["tiled"].symbols == "Qt = s_a·m·k·⌈n/tile⌉ + s_b·k·n·⌈m/tile⌉ + s_c·m·n"
    assert formulas["tiled"].values == "2·8·2·⌈4/2⌉ + 2·2·4·⌈8/2⌉ + 2·8·4"
    assert formulas["shared"].symbols == "Q_shared = 2·(s_a + s_b)·m·n·k/tile"


def test_crossings_of_a_tensor_are_summed_and_the_source_is_named():
    formulas = {one.figure: one for one in estimate_of(load_kernel(AXPY), n=5).formulas()}

    assert formulas["compulsory"].symbols == "Qc = s_x·n + 2·s_y·n"
    assert formulas["compulsory"].values == "4·5 + 2·4·5"
    assert formulas["work"].source == "BLAS level 1"


NOTATION = {
    "n - (n - 3)": "n − (n − 3)",
    "n / (2 * n)": "n/(2·n)",
    "(n + 1) * 2": "(n + 1)·2",
    "n ** 2 ** 3": "n^2^3",
    "(n ** 2) ** 3": "(n^2)^3",
    "5 - -(n + 1)": "5 − −(n + 1)",
    "n // 3 + n % 4": "⌊n/3⌋ + n mod 4",
    "ceil_div(n + 1, 2 * n)": "⌈(n + 1)/(2·n)⌉",
    "max(n, 1) * sqrt(n) + abs(n)": "max(n, 1)·√(n) + |n|",
    "n if n >= 2 and not n == 3 else 0": "n if n ≥ 2 and not n = 3 else 0",
    "2 * (n if n > 1 else 0)": "2·(n if n > 1 else 0)",
}


@pytest.mark.parametrize(("text", "shown"), NOTATION.items())
def test_brackets_stand_where_they_are_needed(text, shown):
    kernel = kernel_from_document(document(work={"vector": text}))

    assert estimate_of(kernel, n=5).formulas()[0].symbols == f"W = {shown}"


def test_values_are_left_out_for_arrays():
    formulas = estimate_of(load_kernel(AXPY), n=np.array([1.0, 2.0])).formulas()

    assert {one.values for one in formulas} == {""}


def test_notes_are_passed_on():
    assert estimate_of(load_kernel(AXPY)).notes() == ("The scalar a stays in a register.",)


# ------------------------------------------------------------------------------------------------ impossible figures


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("n - 2000", ("my.axpy", "work on vector", "'n - 2000'", "-1000", "n = 1000", "max(0, …)")),
        ("1 / (n - 1000)", ("my.axpy", "divides by zero", "n = 1000")),
        ("log2(n - 1000)", ("my.axpy", "logarithm")),
        ("n ** 64 ** 2", ("my.axpy", "beyond the largest number")),
    ],
)
def test_an_impossible_figure_is_refused_by_name(formula, words):
    kernel = kernel_from_document(document(work={"vector": formula}))

    with pytest.raises(RefusedError) as caught:
        estimate_of(kernel, n=1000)

    assert all(one in str(caught.value) for one in words)


@pytest.mark.parametrize("formula", ["n - 5", "1 / (n - 2)", "sqrt(n - 5)"])
def test_an_impossible_element_of_a_sweep_is_refused_with_its_place(formula):
    kernel = kernel_from_document(document(work={"vector": formula}))

    with pytest.raises(RefusedError, match=r"my.axpy: work on vector: .* at element [01]; it must be finite"):
        estimate_of(kernel, n=np.array([9.0, 2.0]))


def test_a_tiled_count_below_the_compulsory_one_is_raised_and_said():
    traffic = {"dram_tiled": {"read_bytes": "2 * n", "write_bytes": "n"}}
    kernel = kernel_from_document(document(traffic=traffic))

    estimate = estimate_of(kernel, n=100)

    assert estimate.blocked["dram"] == (800, 400)
    assert "below the compulsory one" in estimate.notes()[0]
    assert "below" not in estimate_of(kernel_from_document(document()), n=100).notes()[0]


def test_only_the_elements_below_are_raised():
    traffic = {"dram_tiled": {"read_bytes": "n * n", "write_bytes": "4 * n"}}
    kernel = kernel_from_document(document(traffic=traffic))

    read, written = estimate_of(kernel, n=np.array([2.0, 100.0])).blocked["dram"]

    assert read.tolist() == [16, 10000]
    assert np.broadcast_to(written, 2).tolist() == [8, 400]


def test_parameters_keep_their_ranges():
    kernel = load_kernel(MATMUL)

    with pytest.raises(ParameterError, match="tile = 2048 must lie between 1 and 1024"):
        estimate_of(kernel, tile=2048)


def test_neither_work_nor_traffic_is_refused_when_it_is_placed():
    kernel = kernel_from_document(
        document(work={"vector": "0 * n"}, tensors=None, traffic={"dram": {"read_bytes": 0}})
    )

    with pytest.raises(RefusedError, match="nothing to place"):
        placed(kernel, on=TINY)


# ------------------------------------------------------------------------------------------------------ files


@pytest.mark.parametrize("name", TEXTS)
def test_a_kernel_is_written_as_it_was_read(name):
    kernel = load_kernel(TEXTS[name])

    again = load_kernel(dump_kernel(kernel))

    assert kernel_to_document(again) == kernel_to_document(kernel)
    assert again.version == kernel.version


@given(
    n=st.one_of(st.integers(1, 10**12), st.floats(1, 1e12)),
    formula=st.sampled_from(["2 * n", "n", 7, 0.1, "1e5", "'  n  '"]),
    label=st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=40),
)
def test_values_survive_the_way_through_yaml(n, formula, label):
    made = document(label=label)
    made["parameters"][0]["default"] = n
    made["launch"]["blocks"] = "n" if formula == "'  n  '" else formula

    kernel = kernel_from_document(made)

    assert kernel_to_document(load_kernel(dump_kernel(kernel))) == made


def test_the_document_of_a_kernel_is_a_copy():
    kernel = load_kernel(AXPY)

    kernel_to_document(kernel)["work"]["vector"] = "open('x')"

    assert kernel_to_document(kernel)["work"] == {"vector": "2 * n"}


def test_a_file_is_told_with_line_field_formula_place_and_mend(tmp_path):
    path = tmp_path / "axpy.yaml"
    path.write_text(AXPY.replace("2 * n", "2 * q"))

    with pytest.raises(KernelError) as caught:
        load_kernel(path)

    assert str(caught.value) == (
        "axpy.yaml, line 9: work.vector is '2 * q': at character 5 it names 'q', which is no parameter. There are n."
    )


EVERY_FAULT = {
    "id": ("axpy", "my.axpy"),
    "label": (None, "missing"),
    "category": (3, "text"),
    "summary": ("a\nb", "one line"),
    "parameters": ("n", "list"),
    "dtypes": ({"activation": "bf61"}, "bf16"),
    "pinned": (["weight"], "no format"),
    "work": ({"vektor": 1}, "vector"),
    "main_pipe": ("fp64", "no work"),
    "tensors": ([{"name": "x", "elements": "2n"}], "Write the product out"),
    "traffic": ({"dram": {"read_bytes": 1}}, "dram_tiled"),
    "launch": ({"block": 1}, "blocks"),
    "footprint_bytes": (True, "number or a formula"),
    "notes": ([3], "text"),
    "lunch": (1, "launch"),
}


@pytest.mark.parametrize(("key", "case"), EVERY_FAULT.items())
def test_a_wrong_field_is_named_with_a_mend(key, case):
    value, words = case

    told = faults(document(**{key: value}))

    assert any(place.partition(".")[0] == key and words in text for place, text in told.items()), told


def test_all_faults_are_told_at_once():
    told = faults(document(**{key: value for key, (value, _) in EVERY_FAULT.items() if key != "parameters"}))

    assert {place.partition(".")[0] for place in told} == EVERY_FAULT.keys() - {"parameters"}


PARAMETER_FAULTS = {
    "name": ("2n", "letter"),
    "default": ("x", "plain number"),
    "low": (2000, "outside its range"),
    "high": (10, "outside its range"),
    "unit": ("GB", "Did you mean B?"),
    "integer": (1, "true or false"),
    "choises": (["a"], "choices"),
    "choices": (["a", "b"], "none of its choices"),
}


@pytest.mark.parametrize(("key", "case"), PARAMETER_FAULTS.items())
def test_a_wrong_parameter_is_named_with_a_mend(key, case):
    value, words = case
    made = document()
    made["parameters"][0][key] = value

    assert any(place.startswith("parameters.0.") and words in text for place, text in faults(made).items())


@pytest.mark.parametrize(
    "parameters",
    [
        [{"name": "n", "default": 1}, {"name": "n", "default": 2}],
        [{"name": "min", "default": 1}, {"name": "n", "default": 1}],
        [{"name": "n"}],
        [{"default": 4}],
        [{"name": "n", "default": -3}],
        [{"name": "n", "default": float("nan")}],
        [{"name": "n", "default": 10**400}],
        [{"name": "n", "default": True, "low": 3}],
        [{"name": "n", "default": "a", "choices": ["a", "a"]}],
        ["n"],
    ],
)
def test_parameters_that_cannot_be_are_refused(parameters):
    assert any(place.startswith("parameters") for place in faults(document(parameters=parameters)))


def test_tensors_and_bytes_cannot_both_say_what_crosses_and_one_must():
    assert "traffic.dram" in faults(document(traffic={"dram": {"read_bytes": 1}}))
    assert "missing" in faults(document(tensors=[]))["traffic.dram"]


def test_two_tensors_of_one_name_are_refused():
    tensor = {"name": "x", "elements": "n"}

    assert "second time" in faults(document(tensors=[tensor, tensor]))["tensors.1.name"]


def test_a_product_needs_a_compute_format():
    tensors = [{"name": "x", "elements": "n", "dtype": "fp32"}]

    told = faults(document(dtypes={"output": "fp32"}, tensors=tensors, work={"compute": "n"}))

    assert "activation, weight, kv and compute" in told["work.compute"]


@pytest.mark.parametrize(
    "id_", ["gemm", "axpy", "My.axpy", "my..axpy", "my.axpy ", "my axpy", ".x", "my.2", ""]
)
def test_an_id_cannot_be_that_of_a_built_in(id_):
    if id_.strip() == "my.axpy":
        assert kernel_from_document(document(id=id_)).id == "my.axpy"  # a space at the end is nothing
        return
    assert "my." in faults(document(id=id_))["id"]


@pytest.mark.parametrize("value", [None, 3, "text", [1], {}, {"format": "rooflinestudio-kernel/2"}])
def test_what_is_no_kernel_says_how_one_begins(value):
    with pytest.raises(KernelError, match="rooflinestudio-kernel/1"):
        kernel_from_document(value)


def test_a_newer_format_is_told_alone():
    assert list(faults(document(format="rooflinestudio-kernel/2", id="x"))) == ["format"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\xff\xfe\x00", "no UTF-8 text"),
        (b"format: [", "cannot be read as YAML"),
        (b"a: &x 1\nb: *x\n", "alias"),
        (b"work: !!python/object:os.system x\nformat: rooflinestudio-kernel/1\n", "tag"),
        (b"x: " + b"y" * 300_000, "at most 200000"),
        (b"[" * 2000, "nest"),
    ],
)
def test_a_hostile_file_is_refused_with_the_reason(tmp_path, content, words):
    path = tmp_path / "hostile.yaml"
    path.write_bytes(content)

    with pytest.raises(KernelError, match=words) as caught:
        load_kernel(path)

    assert "hostile.yaml" in str(caught.value)


def test_a_file_that_is_not_there_says_so(tmp_path):
    with pytest.raises(KernelError, match="No such file"):
        load_kernel(tmp_path / "nowhere.yaml")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
        max_leaves=6,
    ),
    st.sampled_from([*document(), "traffic", "main_pipe", "pinned", "footprint_bytes"]),
)
def test_whatever_stands_in_a_field_it_is_a_kernel_or_a_kernel_error(value, key):
    made = document(**{key: value})

    try:
        kernel = kernel_from_document(made)
    except KernelError as error:
        assert error.faults
    else:
        assert kernel_to_document(kernel) == made


# ------------------------------------------------------------------------------------------ the user's folder


def test_a_folder_gives_its_kernels_and_what_is_wrong_with_the_others(tmp_path):
    (tmp_path / "b.yaml").write_text(AXPY)
    (tmp_path / "c.yml").write_text("format: 3")
    (tmp_path / "d.yaml").write_text(AXPY)
    (tmp_path / "a.yaml").write_text(MATMUL)
    (tmp_path / "readme.txt").write_text("not a kernel")

    files = kernels_in(tmp_path)

    assert [(one.path.name, one.kernel.id if one.kernel else None) for one in files] == [
        ("a.yaml", "acme.matmul"),
        ("b.yaml", "my.axpy"),
        ("c.yml", None),
        ("d.yaml", None),
    ]
    assert "c.yml" in files[2].problem
    assert "as b.yaml has" in files[3].problem


def test_a_folder_that_is_not_there_holds_nothing(tmp_path):
    assert kernels_in(tmp_path / "nowhere") == ()


def test_a_kernel_is_saved_in_place_of_the_one_with_its_id(tmp_path):
    (tmp_path / "sums.yaml").write_text(AXPY)
    changed = kernel_from_document(document(label="Sum"))

    path = save_kernel(changed, tmp_path)

    assert path == tmp_path / "sums.yaml"
    assert [one.kernel.label for one in kernels_in(tmp_path)] == ["Sum"]


def test_a_new_kernel_gets_a_file_and_its_folder(tmp_path):
    path = save_kernel(load_kernel(AXPY), tmp_path / "new" / "kernels")

    assert path.name == "my.axpy.yaml"
    assert load_kernel(path).id == "my.axpy"


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(KernelError, match="cannot be written"):
        save_kernel(load_kernel(AXPY), tmp_path / "file")


# ------------------------------------------------------------------------------------------------- in a study


def test_a_study_keeps_kernels_as_they_are_broken_ones_included(tmp_path):
    broken = {
        "format": "rooflinestudio-kernel/1",
        "work": {"vector": "open('x')"},
        "tomorrow": [1, {"a": None}],
    }
    study = with_kernel(Study(kernels={"my.broken": copy.deepcopy(broken)}), load_kernel(AXPY))

    save_study(study, tmp_path / "one.study")

    kernels = load_study(tmp_path / "one.study").kernels
    assert kernels["my.broken"] == broken
    assert kernels["my.axpy"] == kernel_to_document(load_kernel(AXPY))


def test_importing_loads_nothing_heavy():
    code = (
        "import sys, rooflinestudio.core.custom.kernels, rooflinestudio.core.custom.estimate\n"
        "print({'numpy', 'simpleeval', 'yaml', 'pydantic'} & set(sys.modules))"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )

    assert done.stdout.strip() == "set()", done.stderr


# --------------------------------------------------------------------------------------------------- the page

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "custom-kernels.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("block", re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))
def test_every_kernel_of_the_page_is_one(block):
    from rooflinestudio.plugins.testing import check_operator

    assert check_operator(load_kernel(block)) == []


def test_the_page_names_every_key_function_and_limit():
    words = {
        *KEYS,
        *PARAMETER_KEYS,
        *TENSOR_KEYS,
        *BLOCKED,
        *LAUNCH,
        *ARITY,
        "read_bytes",
        "write_bytes",
        "dram",
    }

    assert [word for word in sorted(words) if not re.search(rf"`[^`]*\b{word}\b[^`]*`", PAGE)] == []
    assert f"more than {LONGEST} characters" in PAGE
