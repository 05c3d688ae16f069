"""Parts of the Intel Advisor reader."""
