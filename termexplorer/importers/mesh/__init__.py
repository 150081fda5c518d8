"""MeSH."""
