"""The command `work`, and what commands that begin studies have in common with it."""
