"""Encoders, runs, evaluations, ranks and projections."""
