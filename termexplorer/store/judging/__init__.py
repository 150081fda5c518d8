"""Verdicts, decisions, studies, suggestions, lists and people."""
