"""The board: many encoders on many open tasks, with intervals, to answer which one to take."""
