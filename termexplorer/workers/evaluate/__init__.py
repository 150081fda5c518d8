"""Evaluation of encoders in a child: one file a family of tasks."""
