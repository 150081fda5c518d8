"""Widgets, one a page or a part of one; they get what they work with through the constructor."""
