"""The sweep tab: figures along a parameter, with the bound along each curve and the thresholds it crosses."""
