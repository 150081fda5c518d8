"""The report of a study of term pairs."""
