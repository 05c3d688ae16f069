"""Parts of the reader of benchmarks: one module for each tool, which takes the lines of a file."""
