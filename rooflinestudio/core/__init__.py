"""The model: quantities, hardware, operators, placement and studies. Knows no Qt and no pluggy."""
