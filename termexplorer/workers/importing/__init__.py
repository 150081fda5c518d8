"""Import: files into releases."""
