"""The fusion bench: operators as cards in a row, kernel boundaries between them that a click takes away or puts back."""
