"""Child processes: the protocol, supervision, limits, and what runs in a child. No Qt."""
