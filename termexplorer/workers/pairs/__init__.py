"""Pair sets: made, filtered, sampled."""
