"""The roofline itself: what is drawn (scene), where (labels, axis) and how (painter), and the view around it."""
