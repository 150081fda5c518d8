"""The log of verdicts, and who gave them."""
