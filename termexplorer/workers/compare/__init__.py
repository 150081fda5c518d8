"""Rankings of many names by several encoders, computed in a child and kept."""
