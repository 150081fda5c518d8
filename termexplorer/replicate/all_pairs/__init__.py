"""All names of an ontology ranked for each name of another, as tasks that workers share."""
