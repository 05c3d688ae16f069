"""Pairing by hand: kernels that are dragged onto entries, and the dialog that says which entry a kernel may be."""
