"""Pair sets of similar and dissimilar terms, made from a terminology as in [MTS] 3."""
