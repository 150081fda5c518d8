"""Workers of a study that are killed at random: nothing is lost, and nothing is done twice."""
