"""Numerics: losses, random state, optimiser, speed."""
