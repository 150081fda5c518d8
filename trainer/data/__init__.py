"""Training data: splits, positives, negatives."""
