from dataclasses import replace

import pytest

from rooflinestudio.core.fusion_notation import parse_chain
from rooflinestudio.core.measurement import MeasuredFigure
from rooflinestudio.core.pairing.choice import matching, pair_choices
from rooflinestudio.core.pairing.edits import with_pair
from rooflinestudio.core.pairing.new_entries import new_entries
from rooflinestudio.core.pairing.suggest import kernels_for, suggestions, the_one
from rooflinestudio.core.study import Entry
from rooflinestudio.core.study_edits import with_new_chain
from tests.core.diagnosing import measured
from tests.core.pairing.desk import (
    DEVICE,
    FLASH,
    ONE,
    PRODUCT,
    add_kernel,
    held,
    product,
    profile,
    study_with,
)
from tests.ui.shell_helpers import H100, gemm, registry

CHAINED = {"parameters": {}, "dtypes": {}, "label": "Chain"}


def suggested(kernel, entries=None):
    placed = held(study_with(kernel, entries=entries))
    return suggestions(placed, placed.study.overlays[0], 0, H100)


def test_a_product_is_known_by_its_name_and_by_its_tiles():
    found = suggested(product())
    assert [one.entry_id for one in found] == ["gemm-1"]
    assert found[0].reasons[0] == "name says gemm"
    assert "512 blocks are 32 × 16 tiles of 128 × 256" in found[0].reasons
    assert "Q of 588.0 MB lies between compulsory and tiled" in found[0].reasons
    assert not any(reason.startswith("W ") for reason in found[0].reasons)  # it was not counted


def test_among_several_products_the_one_of_the_same_work_comes_first():
    entries = (gemm("small", m=1024), gemm("right"), gemm("wide", n=8192, k=2048))
    kernel = product(work={"bf16-tensor": 1.001 * PRODUCT}, grid=(512, 1, 1))
    found = suggested(kernel, entries)
    assert found[0].entry_id == "right" and "W agrees to 1% (137.6 GFLOP)" in found[0].reasons
    assert the_one(found).entry_id == "right"
    assert "small" not in [one.entry_id for one in found]  # a quarter of the work, other tiles


def recorded(text, work=PRODUCT):
    figure = MeasuredFigure(work, f"model, not measured: aten::mm, {text} from the input shapes", "estimated")
    return replace(product(work={"bf16-tensor": work}, grid=None), figures={"work.bf16-tensor": figure})


def test_recorded_shapes_tell_two_products_of_the_same_work_apart():
    up, down = gemm("up", n=16384, k=1024), gemm("down", n=1024, k=16384)
    found = suggested(recorded("2·4096·1024·16384"), (up, down))
    assert found[0].entry_id == "down" and "the recorded shapes are its own" in found[0].reasons
    other = next(one for one in found if one.entry_id == "up")
    assert (
        "recorded was m = 4096, n = 1024, k = 16384" in other.reasons and other.score < found[0].score - 0.3
    )


def test_the_head_of_a_model_is_known_by_its_tiles_as_well():
    head = Entry(
        "head", "lm_head", parameters={"tokens": 4096, "width": 4096, "vocabulary": 4096}, label="Head"
    )
    (one,) = suggested(product(), (head,))
    assert "512 blocks are 32 × 16 tiles of 128 × 256" in one.reasons


def test_where_two_fit_equally_none_is_the_one():
    found = suggested(product(), (gemm("a"), gemm("b")))
    assert len(found) == 2 and found[0].score == found[1].score and the_one(found) is None


def test_a_kernel_that_no_name_tells_is_found_by_its_work_alone_and_only_exactly():
    kernel = product(kernel="esmm_shmem(int, float *)", work={"bf16-tensor": PRODUCT})
    (one,) = suggested(kernel)
    assert one.entry_id == "gemm-1" and one.reasons[:2] == (
        "the name says nothing",
        "W agrees to 1% (137.4 GFLOP)",
    )
    assert suggested(replace(kernel, work={"bf16-tensor": 1.5 * PRODUCT})) == ()


@pytest.mark.parametrize(
    "kernel",
    [
        measured(kernel="render(vec3 *)", time=1e-3, dram=1e9),
        measured(kernel="void softmax_forward<float>(P)", time=1e-3, dram=1e9),  # no softmax in the study
        # a product, but faster than the matrix pipe can do that one
        product(time=100e-6),
    ],
)
def test_where_nothing_fits_nothing_is_suggested(kernel):
    assert suggested(kernel) == ()


def test_another_device_is_not_held_against_the_bound():
    assert [one.entry_id for one in suggested(product(time=100e-6, device="NVIDIA B200"))] == ["gemm-1"]


def test_an_addition_is_known_by_its_elements_and_its_traffic():
    (one,) = suggested(add_kernel(0))
    assert one.entry_id == "add-1"
    assert "Q agrees to 1% (3.221 GB)" in one.reasons and "W agrees to 1% (536.9 MFLOP)" in one.reasons
    # 65 536 · 8192 elements, 4 for each of 128 threads
    words = "blocks × 128 threads × 4 are its 536\u202f870\u202f912 elements"
    assert any(reason.endswith(words) for reason in one.reasons)


def test_attention_is_known_by_heads_and_blocks_and_not_by_another_width():
    # 4096 queries in blocks of 64, 32 heads
    kernel = measured(kernel=FLASH, time=400e-6, dram=90e6, grid=(64, 1, 32), device=DEVICE)
    (one,) = suggested(kernel)
    assert one.entry_id == "attention-1"
    assert "heads of 128" in one.reasons
    assert "2\u202f048 blocks are its blocks of 64 queries, heads and batch" in one.reasons
    narrow = Entry("narrow", "attention", parameters={"head_dim": 64}, label="Narrow")
    assert [x.entry_id for x in suggested(kernel, (narrow,))] in ([], ["narrow"])
    wide = Entry("right", "attention", label="Right")
    assert suggested(kernel, (narrow, wide))[0].entry_id == "right"


def test_the_backward_pass_is_told_from_the_forward_one():
    name = FLASH.replace("fwd", "bwd")
    kernel = measured(kernel=name, time=2e-3, dram=300e6, grid=(64, 1, 32), device=DEVICE)
    both = (
        Entry("forward", "attention", label="Forward"),
        Entry("backward", "attention", parameters={"direction": "backward"}, label="Backward"),
    )
    assert suggested(kernel, both)[0].entry_id == "backward"


def test_a_fused_kernel_is_known_in_a_chain():
    study, id_ = with_new_chain(study_with(measured()), parse_chain("add + rmsnorm"), **CHAINED)
    kernel = measured(kernel="triton_red_fused_add_mean_mul_pow_rsqrt_0", time=2e-3, device=DEVICE)
    placed = held(replace(study, overlays=study_with(kernel).overlays))
    assert id_ in [one.entry_id for one in suggestions(placed, placed.study.overlays[0], 0, H100)]


# The other way round


def test_the_kernels_of_an_entry_are_told_once_for_each_kind_and_without_those_that_have_a_pair():
    made = study_with(product(0), product(1), product(2, grid=(1024, 1, 1)), add_kernel(3))
    first, second = kernels_for(held(made), "gemm-1", H100)
    assert (first.index, first.alike) == (0, 2) and (second.index, second.alike) == (2, 1)
    assert first.score > second.score and "name says gemm" in first.words
    paired = kernels_for(held(with_pair(made, ONE, 0, "gemm-1")), "gemm-1", H100)
    assert [(one.index, one.alike) for one in paired] == [(1, 1), (2, 1)]
    assert kernels_for(held(made), "attention-1", H100) == ()


# Operators that are not placed yet


def of_new(kernel):
    return new_entries(kernel, registry(), profile())


def test_recorded_shapes_become_sizes():
    kernel = recorded("2·4096·4096·4096")
    first = of_new(kernel)[0]
    assert (first.operator, first.sized) == ("gemm", True)
    assert first.parameters == {"m": 4096, "n": 4096, "k": 4096, "tile_m": 128, "tile_n": 256}
    assert first.dtypes == {"all": "bf16"} and "sizes from the recorded shapes" in first.reasons
    assert first.name == "GEMM m = 4\u202f096, n = 4\u202f096, k = 4\u202f096"


def test_recorded_batches_are_read():
    text = "model, not measured: aten::bmm, 1,200 × 2·64·32·128 from the input shapes"
    figure = MeasuredFigure(1200 * 2.0 * 64 * 32 * 128, text, "estimated")
    kernel = measured(kernel="bmm_kernel_bf16", work={"bf16-tensor": figure.value}, grid=(1200, 1, 1))
    first = of_new(replace(kernel, figures={"work.bf16-tensor": figure}))[0]
    assert dict(first.parameters) == {"m": 64, "n": 32, "k": 128, "batch": 1200}


def test_tiles_grid_and_counted_work_become_sizes_where_k_comes_out_whole():
    kernel = product(work={"bf16-tensor": PRODUCT}, grid=(32, 16, 1))
    first = of_new(kernel)[0]
    assert (first.parameters["m"], first.parameters["n"], first.parameters["k"]) == (4096, 4096, 4096)
    assert any("if every tile is full" in reason for reason in first.reasons)
    odd = of_new(product(work={"bf16-tensor": 1.0003 * PRODUCT}, grid=(32, 16, 1)))
    assert [one.sized for one in odd] == [False]


def test_traffic_becomes_a_size_where_one_scales_it():
    (add, *_) = [one for one in of_new(add_kernel(0)) if one.operator == "add"]
    assert dict(add.parameters) == {"tokens": 65536}  # of the default width, 8192


def test_what_the_file_does_not_tell_is_to_be_set_and_the_words_say_so():
    (one,) = of_new(product(grid=None))
    assert not one.sized and dict(one.parameters) == {"tile_m": 128, "tile_n": 256}
    assert "set them afterwards" in one.words


def test_a_name_that_says_nothing_offers_nothing():
    assert of_new(measured(kernel="render(vec3 *)")) == ()


# The list to choose from


def test_the_list_has_what_fits_then_what_is_new_then_the_rest_with_what_speaks_against_it():
    placed = held(with_pair(study_with(product()), ONE, 0, "add-1"))
    lines = pair_choices(placed, registry(), ONE, 0, H100)
    assert [one.kind for one in lines] == ["fits", "new", "other", "other"]
    assert [one.entry_id for one in lines] == ["gemm-1", "", "attention-1", "add-1"]
    assert [one.is_pair for one in lines] == [False, False, False, True]
    # 3.22 GB in 196 µs would be 4.9 times the bandwidth
    assert "4.91× faster than the bound" in lines[3].reason
    assert [one.entry_id for one in matching(lines, "ATT")] == ["attention-1"]
    assert matching(lines, "") == lines and matching(lines, "nothing of that") == ()
    assert pair_choices(placed, registry(), "f" * 64, 0, H100) == ()
