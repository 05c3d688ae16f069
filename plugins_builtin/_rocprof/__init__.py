"""Parts of the rocprof-compute reader."""
