"""Help: topics, keys and about."""
