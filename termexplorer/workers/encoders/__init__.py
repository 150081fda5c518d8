"""Encoders: which there are, made without training, exported."""
