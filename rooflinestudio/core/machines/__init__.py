"""Machines held against each other: figure by figure, over the years, and with a rate that is not there yet."""
