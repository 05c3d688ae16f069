"""The gallery of example studies."""
