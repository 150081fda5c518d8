"""Windows under load, each in a process of its own."""
