"""OWL ontologies and SKOS thesauri in RDF/XML, Turtle or N-Triples, read as a stream of triples."""
