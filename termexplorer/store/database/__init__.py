"""The SQLite file: connections, locks, copies, checksums."""
