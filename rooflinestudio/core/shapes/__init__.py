"""Tables of shapes: their columns, and the placements that become of them."""
