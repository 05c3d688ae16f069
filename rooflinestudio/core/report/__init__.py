"""Reports on a study: what it says and what that rests on, as a document that any writer can put on paper."""
