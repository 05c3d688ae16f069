"""Measured files as series: a file from before a change held against one from after it."""
