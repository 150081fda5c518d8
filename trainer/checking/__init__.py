"""New terms of an ontology tested against those it has."""
