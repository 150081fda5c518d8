"""Train: runs, base vectors and what they come to."""
