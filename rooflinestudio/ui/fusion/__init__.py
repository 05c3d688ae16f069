"""The fusion bench: operators as cards in a row, and kernel boundaries that a click takes away or puts back."""
