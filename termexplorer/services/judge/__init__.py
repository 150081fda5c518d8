"""Judge: studies and pair sets."""
