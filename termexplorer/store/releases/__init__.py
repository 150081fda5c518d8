"""Releases: concepts, names and links, loaded and read."""
