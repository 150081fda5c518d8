"""What figures have in common: metrics, corrections, coverage."""
