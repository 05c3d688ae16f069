"""Parts of the reader of bandwidth tests."""
