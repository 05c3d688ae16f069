"""Parts of the Nsight Compute reader: tables, numbers and units, recipes. Private to the built-in plugins."""
