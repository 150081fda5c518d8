"""SSSOM mapping sets."""
