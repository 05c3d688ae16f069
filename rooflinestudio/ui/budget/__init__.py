"""The budget tab: where the time of a layer or a step goes, kernel by kernel."""
