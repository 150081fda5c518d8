"""Series of runs as tasks: the search for hidden units, and the recommended encoder."""
