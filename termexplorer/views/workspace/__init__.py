"""Workspace: backups, checks, room and upkeep."""
