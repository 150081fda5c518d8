"""The built-in encoder made anew: its data, its making, its model card."""
