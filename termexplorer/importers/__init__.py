"""One file a format: a file streams in, concepts, names and is-a links come out."""
