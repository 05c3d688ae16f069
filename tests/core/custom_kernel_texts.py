"""Kernel files for tests: what a person would write."""

from __future__ import annotations

AXPY = """\
format: rooflinestudio-kernel/1
id: my.axpy
label: AXPY
summary: y = a·x + y, element by element
parameters:
- {name: n, label: elements, default: 1000, help: Elements of x and of y.}
dtypes: {activation: fp32, output: fp32}
work:
  vector: 2 * n
tensors:
- {name: x, elements: n, role: input, dtype: activation}
- {name: y, elements: n, role: output, dtype: output, reads: 1}
launch:
  blocks: ceil_div(n, 256)
  threads: 256
notes:
- The scalar a stays in a register.
source: BLAS level 1
"""

MATMUL = """\
format: rooflinestudio-kernel/1
id: acme.matmul
label: Matmul
category: Acme
parameters:
- {name: m, default: 4096}
- {name: n, default: 4096}
- {name: k, default: 4096}
- {name: tile, label: tile, default: 128, high: 1024}
dtypes: {activation: bf16, weight: bf16, output: bf16}
work:
  compute: 2 * m * n * k
  special: 4 * m * n
tensors:
- {name: a, elements: m * k, role: input}
- {name: b, elements: k * n, role: weight}
- {name: c, elements: m * n, role: output}
traffic:
  dram_tiled:
    read_bytes: bytes(a) * m * k * ceil_div(n, tile) + bytes(b) * k * n * ceil_div(m, tile)
    write_bytes: bytes(c) * m * n
  shared: {read_bytes: 2 * (bytes(a) + bytes(b)) * m * n * k / tile}
footprint_bytes: 1e9
"""

GATHER = """\
format: rooflinestudio-kernel/1
id: my.gather
label: Gather
summary: Rows picked by an index, scaled
parameters:
- {name: rows, default: 1000000}
- {name: width, default: 128}
- {name: share, label: share of hits, default: 0.5, low: 0, high: 1}
- {name: scaled, default: true}
- {name: layout, default: row, choices: [row, column]}
dtypes: {activation: bf16, output: bf16}
work:
  vector: rows * width if scaled else 0
traffic:
  dram:
    read_bytes: rows * (4 + width * bytes(activation) * (1 - share) * (1 if layout == 'row' else 4))
    write_bytes: rows * width * bytes(output)
"""

TEXTS = {"axpy": AXPY, "matmul": MATMUL, "gather": GATHER}
