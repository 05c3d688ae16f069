"""Parts of the LIKWID reader."""
