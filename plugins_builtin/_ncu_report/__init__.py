"""Nsight Compute's binary reports, read without any library of others; not part of the public interface."""
