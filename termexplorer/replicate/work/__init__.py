"""Studies whose tasks any number of workers take from one table."""
