"""The window: Qt, and nothing that other parts of the studio may import."""
