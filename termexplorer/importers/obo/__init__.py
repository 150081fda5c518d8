"""OBO and OBO Graphs."""
