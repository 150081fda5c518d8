"""ClaML 2 and 3."""
