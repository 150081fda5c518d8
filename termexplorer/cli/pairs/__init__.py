"""Commands about pair sets."""
