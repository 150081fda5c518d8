"""How the cost of import, search, neighbours, evaluation and mapping grows with the names."""
