"""Everything about what is selected."""
