"""Parts of the nvprof reader."""
