"""Concepts that stand a parent too high."""
