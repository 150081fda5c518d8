"""Mappings in the forms of other programs."""
