"""Frozen results in, a file out; one file a format."""
