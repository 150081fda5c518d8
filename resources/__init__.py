"""Icons, themes and presets that are installed with the program."""
