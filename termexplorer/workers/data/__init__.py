"""Data that children read of the store: names, classes, parts."""
