"""Levels: the classes on each level of the hierarchy."""
