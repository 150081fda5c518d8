"""Compare: rankings of encoders side by side."""
