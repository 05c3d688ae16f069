"""Reports on paper: pictures in them, PDF pages, files, and the action of the window."""
