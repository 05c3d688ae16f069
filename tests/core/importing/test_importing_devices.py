"""Whether a measured file is of a machine in view."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rooflinestudio.core.importing.devices import machine_to_show, other_machine_words
from tests.core.profiles import H100, machine

A100 = machine(
    "nvidia-a100-pcie-40gb", name="A100 PCIe 40 GB", ceilings={"fp32": 19.5e12}, boundaries={"dram": 1.555e12}
)
BIGGER = machine(
    "nvidia-a100-pcie-80gb", name="A100 PCIe 80 GB", ceilings={"fp32": 19.5e12}, boundaries={"dram": 1.935e12}
)
KNOWN = (H100, BIGGER, A100)


def test_the_machine_of_another_device_is_to_be_shown():
    match = machine_to_show(["NVIDIA A100-PCIE-40GB"], [H100], KNOWN)

    assert match is not None and match.entry is A100
    words = other_machine_words(match, [H100])
    assert words == "Measured on NVIDIA A100-PCIE-40GB; the roofs in view are those of H100 SXM5 80 GB."


@pytest.mark.parametrize(
    ("devices", "shown"),
    [
        (["NVIDIA A100-PCIE-40GB"], [A100]),
        (["NVIDIA A100-PCIE-40GB", "NVIDIA H100 80GB HBM3"], [H100]),  # one of its machines is in view
        (["NVIDIA A100-PCIE-40GB"], [replace(H100, based_on=A100.id)]),  # the same machine at another clock
        (["GPU 2"], [H100]),  # no profile is of it
        ([], [H100]),
    ],
)
def test_nothing_is_said_where_the_machine_is_in_view_or_not_known(devices, shown):
    assert machine_to_show(devices, shown, KNOWN) is None
