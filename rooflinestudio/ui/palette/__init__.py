"""The operators that can be placed."""
