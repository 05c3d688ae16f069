"""The model cards that come with the studio, one file per model; see docs/models.md."""
