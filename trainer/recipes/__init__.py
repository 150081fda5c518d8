"""One file a published method, each read from top to bottom like its paper."""
