"""Evaluate: tasks, figures and their conclusions."""
