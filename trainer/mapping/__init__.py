"""Decide for concepts of two ontologies: exact, broad, narrow or no match, with a probability."""
