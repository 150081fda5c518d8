"""Qt item models: they hold ids, fetch what is seen, and know nothing of widgets."""
