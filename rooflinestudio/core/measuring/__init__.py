"""Measuring the machine that the studio runs on: bandwidth by working set, rates of matrix products.

The timing runs in worker processes of its own (:mod:`~rooflinestudio.core.measuring.worker`), since the number of
threads of a BLAS is fixed when it is loaded. NumPy is imported there alone.
"""
