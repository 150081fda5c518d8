"""Texts, ids and dates as importers clean them."""
