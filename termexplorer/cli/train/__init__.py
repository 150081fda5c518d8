"""Commands that train, and those about runs and vectors."""
