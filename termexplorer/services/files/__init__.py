"""Files: tables and JSON as they are written and read back."""
