"""A team on one log: who is in it, what is shared, and how it goes out and comes in."""
