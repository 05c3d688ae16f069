"""Parts of the readers of plain points: a CSV of anybody, and JSON of the studio's own form."""
