"""The shipped profiles against a base of facts about hardware, where one is at hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.builtin.shipped import IDS, profile

FACTS = os.environ.get("ROOFLINESTUDIO_HARDWARE_FACTS", "")
GOLDEN = os.environ.get("ROOFLINESTUDIO_GOLDEN_CASES", "")

needs_facts = pytest.mark.skipif(
    not Path(FACTS).is_file(), reason="ROOFLINESTUDIO_HARDWARE_FACTS names no YAML file of facts"
)
needs_golden = pytest.mark.skipif(
    not Path(GOLDEN).is_file(), reason="ROOFLINESTUDIO_GOLDEN_CASES names no YAML file of cases"
)

IDS_OF_FACTS = {"nvidia-p100-sxm2": "nvidia-p100-sxm2-16gb"}
PIPES = {
    "fp64_tensor": "fp64-tensor", "fp32_fma": "fp32", "fp16_vector": "fp16", "bf16_vector": "bf16",
    "int32_vector": "int32", "fp32_matrix": "fp32-tensor", "fp32_tensor": "fp32-tensor", "dp4a": "int8",
    "fp32_no_fma": "fp32-no-fma", "sfu": "special", "fp64": "fp64",
}  # fmt: skip
BOUNDARIES = {
    "register_file": "register", "shared_l1": "shared", "shared_lds": "shared", "l1_vector": "l1", "l1": "l1",
    "l2": "l2", "sram_l2": "l2", "infinity_cache": "l3", "hbm": "dram", "gddr": "dram", "dram": "dram",
    "vmem": "shared", "nvlink_c2c": "c2c", "in_package_fabric": "c2c", "xgmi_cpu": "pcie",
}  # fmt: skip
NOTED = ("fp32_packed", "tensor_shipping_clock", "tensor_marketing", "scalar_sfu")  # kept in notes
# The H100's on-chip bandwidths are the round readings of the literature, its latency too.
ROUND = {("nvidia-h100-sxm5", one) for one in ("register", "shared", "l2")}


def facts():
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return {one["id"]: one for one in yaml.load(Path(FACTS).read_text(), loader)["devices"]}


def pipe_of(id_, row):
    pipe, dtype = row["pipe"], row["dtype"]
    if id_ == "intel-gaudi3" and pipe == "fp32_fma":
        return "fp32-tensor"  # on the matrix engines
    if pipe in ("tensor", "matrix"):
        return f"{dtype}-tensor"
    if pipe == "tensor_fp16acc":
        return f"{dtype}-tensor-fp16acc"
    return dtype if pipe == "vector" else PIPES[pipe]


@needs_facts
def test_every_device_has_a_profile():
    assert sorted(IDS_OF_FACTS.get(id_, id_) for id_ in facts()) == list(IDS)


@needs_facts
def test_every_rate_is_there():
    for fact_id, device in facts().items():
        one = profile(IDS_OF_FACTS.get(fact_id, fact_id))
        for row in device["compute"]:
            if row["pipe"] not in NOTED:
                found = one.ceiling(pipe_of(one.id, row))
                assert found.stated.value == pytest.approx(row["tflops"] * 1e12, rel=1e-3), (one.id, found.id)
                assert found.stated.confidence == "low" or row["confidence"] != "low", (one.id, found.id)


@needs_facts
def test_every_known_bandwidth_is_there():
    for fact_id, device in facts().items():
        one = profile(IDS_OF_FACTS.get(fact_id, fact_id))
        for row in device["boundaries"]:
            name, bandwidth = row["name"], row["bandwidth_bytes_per_s"]
            id_ = {"sram": "l2" if one.id == "intel-gaudi2" else "dram"}.get(name, BOUNDARIES.get(name, name))
            if bandwidth is None or name == "cpu_lpddr5x" or (one.id, id_) in ROUND:
                continue
            found = one.boundary(id_)
            assert found.bytes_per_s == pytest.approx(bandwidth, rel=1e-3), (one.id, id_)
            if row["capacity_bytes"] is not None:
                assert found.capacity.value == pytest.approx(row["capacity_bytes"], rel=1e-3), (one.id, id_)


@needs_facts
def test_power_is_there_where_a_vendor_states_it():
    for fact_id, device in facts().items():
        one = profile(IDS_OF_FACTS.get(fact_id, fact_id))
        if device["tdp_w"] is not None and device["tdp_source"] != ["recall"]:
            assert one.tdp.value == device["tdp_w"], one.id


@needs_golden
def test_ridge_points_and_boundaries_hold():
    import yaml

    golden = yaml.safe_load(Path(GOLDEN).read_text())
    for id_, machine in golden["ridge_points"].items():
        for ceiling, figures in machine["ceilings"].items():
            assert profile(id_).ridge(ceiling) == pytest.approx(figures["ridge"], rel=0.01), (id_, ceiling)
    for boundary, figures in golden["h100_boundaries"].items():
        ridge = profile("nvidia-h100-sxm5").ridge("bf16-tensor", boundary)
        assert ridge == pytest.approx(figures["ridge_bf16"], rel=0.01), boundary
