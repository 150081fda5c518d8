"""Made-up releases of the real sizes."""
