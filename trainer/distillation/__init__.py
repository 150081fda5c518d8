"""A static encoder made of larger ones: words fitted to names, trained on, and rounded."""
