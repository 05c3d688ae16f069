"""Measured files made of columns, for tests of the measured table: small ones by hand, large ones by chance."""

from __future__ import annotations

import numpy as np

from rooflinestudio.core.measurement_overlay import Overlay
from rooflinestudio.core.study import Study

__all__ = ["A", "B", "file_of", "large_file", "study_of"]

A, B = "a" * 64, "b" * 64


def file_of(*kernels, name="run.csv", digest=A):
    """A file of kernels given as records: ``kernel``, ``time_s``, ``work.fp32``, ``bytes.dram``, ``grid`` …"""
    meta = {"name": name, "path": name, "format": "x", "digest": digest, "warnings": ()}
    records = [{"launch": at, "count": 1, **one} for at, one in enumerate(kernels)]
    return Overlay.from_records(meta, records, len(records))


def large_file(count, *, names=200, name="large.csv", digest=B):
    """A file of many kernels, every tenth without work."""
    rng = np.random.default_rng(7)
    work = rng.uniform(1e6, 1e12, count)
    work[::10] = np.nan
    numbers = {
        "launch": np.arange(count, dtype=float),
        "count": np.ones(count),
        "time_s": rng.uniform(1e-6, 1e-3, count),
        "work.bf16-tensor": work,
        "bytes.dram": rng.uniform(1e3, 1e9, count),
    }
    codes = rng.integers(0, names, count).astype(np.int32)
    grids = rng.integers(0, 4, count).astype(np.int32)
    texts = {
        "kernel": (codes, tuple(f"kernel_{n}<float>" for n in range(names))),
        "grid": (grids, ("8 1 1", "128 1 1", "16 16 1", "1024 1 1")),
        "block": (np.zeros(count, dtype=np.int32), ("256 1 1",)),
    }
    meta = {"name": name, "path": name, "format": "x", "digest": digest, "warnings": ()}
    return Overlay(meta, numbers, texts, count)


def study_of(*files, **panel):
    """A study with these files, and settings of the measured tab."""
    return Study(overlays=tuple(files)).with_panel("measured", panel)
