"""The typed tables, one file a group."""
