"""Queries of the search box."""
