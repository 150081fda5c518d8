"""Child processes: protocol, supervision, limits."""
