"""Map: names laid out in two dimensions."""
