"""OWL ontologies and SKOS thesauri, as RDF/XML, Turtle or JSON-LD, in a stream of triples."""
