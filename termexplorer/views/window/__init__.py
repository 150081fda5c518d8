"""The window around the pages, and what all pages share."""
