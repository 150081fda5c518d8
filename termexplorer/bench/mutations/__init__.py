"""Sound files of every kind that the program reads, damaged, and read in a limited child."""
