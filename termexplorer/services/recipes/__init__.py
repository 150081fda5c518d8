"""Recipes: presets, words and requests for runs."""
