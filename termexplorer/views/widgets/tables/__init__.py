"""Tables, sorted and in groups."""
