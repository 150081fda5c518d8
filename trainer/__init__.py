"""Headless library: names in, encoders, rankings and figures out."""
