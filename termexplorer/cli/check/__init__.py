"""The command `check`, and its reports."""
