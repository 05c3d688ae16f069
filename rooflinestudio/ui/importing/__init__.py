"""Dialogs of imports: what the columns of a table hold, how a file writes numbers, shapes from a table."""
