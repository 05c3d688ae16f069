"""What names say. They are made up in the habit of the libraries."""

import pytest

from rooflinestudio.core.pairing.names import read_name, says_own_name


@pytest.mark.parametrize(
    ("kernel", "best"),
    [
        ("void cutlass::Kernel2<cutlass_80_tensorop_f16_s16816gemm_f16_64x128_32x6_nn_align8>(P)", "gemm"),
        ("sm90_xmma_gemm_bf16bf16_bf16f32_f32_nn_n_tilesize128x128x64_cublas", "gemm"),
        ("ampere_sgemm_32x128_tn", "gemm"),
        ("Cijk_Ailk_Bljk_HHS_BH_MT64x96x32_SN", "gemm"),
        ("void gemvNSP_kernel<float, 1, 32>(P)", "gemm"),
        ("void my_flash::flash_bwd_dq_kernel<T>(P)", "attention"),
        ("fmha_v2_flash_attention_bf16_S_128_sm80_kernel", "attention"),
        ("void BatchDecodeWithPagedKVCacheKernel<1, 2>(T)", "attention_decode"),
        ("void flash_fwd_splitkv_kernel<T>(P)", "attention_decode"),
        ("flash_mla_fwd_kernel", "mla_decode"),
        ("void softmax_warp_forward<float, float, 9>(P)", "softmax"),
        ("void vectorized_layer_norm_kernel<float, float>(P)", "layernorm"),
        ("void rms_norm_kernel<c10::Half>(P)", "rmsnorm"),
        ("void vectorized_elementwise_kernel<4, CUDAFunctor_add<float>>(P)", "add"),
        ("void multi_tensor_apply_kernel<M<4>, AdamFunctor<float>, float>(P)", "adam"),
        ("ncclDevKernel_AllReduce_Sum_f32_TREE_LL(A)", "all_reduce"),
        ("ncclDevKernel_AllGather_RING_LL(A)", "all_gather"),
        ("triton_red_fused_mean_mul_pow_rsqrt_3", "rmsnorm"),
        ("triton_poi_fused_mul_silu_7", "swiglu"),
        ("triton_per_fused__softmax_2", "softmax"),
        ("triton_poi_fused_add_1", "add"),
        ("void cublasTransposeKernel<double>(P)", "transpose"),
        ("void embedding_kernel<float>(P)", "embedding"),
        ("void reduce_kernel<256, 2, ReduceOp<float>>(P)", "reduce"),
        ("void csrmv_kernel<int, double>(P)", "spmv"),
        ("jacobi_step(float *, float *)", "stencil"),
        ("void vector_fft<64u, EPT<4>>(P)", "fft"),
        ("sm80_xmma_fprop_implicit_gemm_f16f16_tilesize64x64x64", "conv2d"),
        ("void cross_entropy_forward<float>(P)", "cross_entropy"),
        ("void daxpy_kernel(int, double)", "axpy"),
    ],
)
def test_the_operator_that_a_name_is_of(kernel, best):
    operators = read_name(kernel).operators
    assert operators and max(operators, key=operators.get) == best


@pytest.mark.parametrize(
    "kernel",
    ["render(vec3 *)", "count_things<char>", "DeviceRadixSortKernel<P>", "convert_names", "summary_kernel",
     "randomInit", "splitKreduce_kernel<32, 16>", "", "void vectorized_elementwise_kernel<4, FillFunctor<float>>(P)"],
)  # fmt: skip
def test_a_name_that_says_nothing_of_an_operator_says_none(kernel):
    assert not read_name(kernel).operators


@pytest.mark.parametrize(
    ("kernel", "tile"),
    [
        ("cutlass_80_tensorop_f16_s16816gemm_f16_64x128_32x6_nn_align8", (64, 128, 32)),
        ("cutlass3x_sm90_tensorop_s64x128x16gemm_bf16_bf16_f32_128x256x64_2x1x1_0_tnn", (128, 256, 64)),
        ("sm90_xmma_gemm_bf16_tilesize128x64x32_cublas", (128, 64, 32)),
        ("Cijk_Ailk_Bljk_HHS_BH_MT64x96x32_SN", (64, 96, 32)),
        ("ampere_sgemm_32x128_tn", (32, 128, 0)),
        ("gemm_naive", None),
        ("gemm_2x4_toy", None),  # no tile is that small
    ],
)
def test_the_tile_of_a_product(kernel, tile):
    assert read_name(kernel).tile == tile


@pytest.mark.parametrize(
    ("kernel", "dtype"),
    [("gemm_bf16", "bf16"), ("k<__nv_bfloat16>", "bf16"), ("k<c10::Half>", "fp16"), ("ampere_sgemm_32x32_nn", "fp32"),
     ("k<double>", "fp64"), ("gemm_e4m3_bf16", "fp8"), ("ampere_tf32_s1688gemm", "tf32"), ("plain", "")],
)  # fmt: skip
def test_the_format_of_the_operands(kernel, dtype):
    assert read_name(kernel).dtype == dtype


def test_flash_attention_tells_head_block_and_direction():
    name = read_name("void flash_bwd_kernel<Flash_bwd_kernel_traits<(int)64, (int)128, (int)32, 8>>(P)")
    assert (name.head_dim, name.block_q, name.backward) == (64, 128, True)


def test_an_operator_of_ones_own_is_found_by_its_name_and_no_other_is():
    assert says_own_name("void acme::flash_thing<8>(P)", "acme.flash_thing")
    assert says_own_name("fused-norm-scale", "fused_norm_scale")
    assert not says_own_name("void flash_things<8>(P)", "acme.flash_thing")
    assert not says_own_name("abc", "a.b")  # too short to mean anything


@pytest.mark.parametrize(
    "kernel", ["x" * 100_000, "<" * 5000, "triton_poi_fused_" + "add_" * 5000, "gemm_" * 4000]
)
def test_names_of_any_length_are_read(kernel):
    read_name(kernel)
