"""Pairs of terms: how similarities go with ratings, and part similar pairs from others."""
