"""Plain Python that the windows and the commands both call, one file a subject."""
