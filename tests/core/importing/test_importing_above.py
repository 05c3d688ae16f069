"""Kernels above the roof are spoken of when their file is imported."""

from __future__ import annotations

from rooflinestudio.core.importing.above import above_roof_words
from tests.core.measured_files import file_of
from tests.core.profiles import H100


def kernel(name, time_s, traffic, work=1e9):
    return {"kernel": name, "time_s": time_s, "work.fp32": work, "bytes.dram": traffic}


def test_kernels_above_the_roof_are_counted_with_the_farthest():
    # 3.35 TB/s: 335 MB in 100 µs are on the roof, 1 005 MB at 3.00×, 670 MB at 2.00×.
    file = file_of(kernel("on", 1e-4, 335e6), kernel("far", 1e-4, 1005e6), kernel("over", 1e-4, 670e6))
    words = above_roof_words(file, H100)
    assert words.startswith("2 kernels stand above the roof of H100 SXM5 80 GB, up to 3.00× it:")


def test_nothing_is_said_below_it_or_without_figures():
    assert above_roof_words(file_of(kernel("on", 1e-4, 335e6), kernel("rounded", 1e-4, 340e6)), H100) == ""
    assert above_roof_words(file_of({"kernel": "blind", "time_s": 1e-4}), H100) == ""
    assert above_roof_words(file_of(kernel("far", 1e-4, 1005e6)), None) == ""
