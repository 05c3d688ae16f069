"""The tab that asks six questions of a measured kernel."""
