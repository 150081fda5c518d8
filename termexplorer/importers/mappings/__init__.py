"""Mappings in the forms of other programs, read as rows of SSSOM."""
