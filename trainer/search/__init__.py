"""Exact and approximate neighbours, and the order of ties."""
