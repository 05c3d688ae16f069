"""The text of a small profile that has something of everything, for tests of profile files."""

from __future__ import annotations

PROFILE_TEXT = """\
format: rooflinestudio-profile/1
id: acme-one
name: Acme One 80 GB
short_name: One
vendor: Acme
architecture: A1
year: 2026
reference_ceiling: bf16-tensor

sms: {value: 100, provenance: published, source: sheet}
clocks:
  boost: {value: 1.5 GHz, provenance: published, source: [sheet, paper]}
launch_overhead: {value: 3 µs, provenance: assumed}
shared_bytes_per_sm: {value: 228 KiB, provenance: published}
matrix_tile: {tile_m: 128, tile_n: 256}

ceilings:
  bf16-tensor:
    value: 800 TFLOP/s
    provenance: published
    condition: dense
    source: [sheet, paper]
    date: 2026-11-29
    note: Half of the sparse figure.
  int8-tensor: {value: 1600 TOP/s, provenance: published, date: 2026}
  fp32: {value: 60e12, provenance: derived, source: SMs × lanes × 2 × clock}

boundaries:
  network: {label: Ethernet, bandwidth: {value: 400 Gbit/s, provenance: published}}
  dram:
    label: HBM3
    bandwidth: {value: 2 TB/s, provenance: published, source: sheet}
    capacity: {value: 80 GB, provenance: published}
    latency: {value: 600 ns, provenance: measured, date: 2026-10}
    slopes:
      gather: {value: 250 GB/s, provenance: assumed}
  register:
    label: registers
    bandwidth: {value: 300 TB/s, provenance: assumed}
    approximate: true
    feeds_matrix: false

sources:
  sheet: {title: Acme One data sheet, address: https://acme.example/one_(rev3).pdf}
  paper: Measuring Acme One
notes:
- Made up for tests.
"""


def changed(old: str, new: str) -> str:
    """Return the text with one place replaced; there must be exactly one."""
    assert PROFILE_TEXT.count(old) == 1, f"{PROFILE_TEXT.count(old)} places hold {old!r}"
    return PROFILE_TEXT.replace(old, new)
