"""Judging: the screens on which pairs are answered and adjudicated."""
