"""Curate: suggestions, mappings and what changed between releases."""
