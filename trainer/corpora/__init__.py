"""Annotated texts: where names are mentioned, and of which concept."""
