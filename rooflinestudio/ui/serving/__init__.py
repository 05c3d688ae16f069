"""Decoding and serving of a language model: what streams, what fits, what would help, what it costs."""
