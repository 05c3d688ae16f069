"""The compare table."""
