"""One file a task; each returns named figures, the primary one first."""
