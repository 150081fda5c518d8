"""The IRIs that the importer knows, and what each says."""

from termexplorer.importers.text import properties
from termexplorer.importers.text.properties import OWL, RDFS, SKOS, SUBCLASS, TERMS

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

TYPE = f"{RDF}type"
THING = f"{OWL}Thing"

CLASS, CONCEPT, SCHEME, ONTOLOGY = "class", "concept", "scheme", "ontology"
TYPES = {
    f"{OWL}Class": CLASS,
    f"{RDFS}Class": CLASS,
    f"{OWL}DeprecatedClass": CLASS,
    f"{SKOS}Concept": CONCEPT,
    f"{SKOS}ConceptScheme": SCHEME,
    f"{OWL}Ontology": ONTOLOGY,
}
DEPRECATED_CLASS = f"{OWL}DeprecatedClass"

# What is counted and not read: the type of a subject -> what such things are called.
COUNTED_TYPES = {
    f"{OWL}ObjectProperty": "properties",
    f"{OWL}DatatypeProperty": "properties",
    f"{OWL}AnnotationProperty": "properties",
    f"{RDF}Property": "properties",
    f"{OWL}NamedIndividual": "individuals",
    f"{OWL}Restriction": "restrictions",
    f"{OWL}Axiom": "annotated axioms",
    f"{SKOS}Collection": "collections",
    f"{SKOS}OrderedCollection": "collections",
}
COUNTED = {f"{OWL}imports": "imports", f"{OWL}equivalentClass": "equivalence axioms"}

# Predicate -> field; what a field tells is up to `concepts` and `about`.
FIELDS = properties.FIELDS | {
    SUBCLASS: "parent",
    f"{SKOS}broader": "broader",
    f"{SKOS}inScheme": "scheme",
    f"{SKOS}topConceptOf": "top",
    f"{SKOS}notation": "notation",
    f"{OWL}versionIRI": "version iri",
    f"{OWL}versionInfo": "version",
    **{f"{namespace}license": "licence" for namespace in TERMS},
    **{f"{namespace}rights": "rights" for namespace in TERMS},
    **{f"{namespace}modified": "date" for namespace in TERMS},
    **{f"{namespace}issued": "date" for namespace in TERMS},
    f"{RDFS}comment": "comment",
}
# What leads to a node that has the text -> the field that the text is for.
_XL = "http://www.w3.org/2008/05/skos-xl#"
NODES = {f"{_XL}prefLabel": "pref", f"{_XL}altLabel": "alt", f"{_XL}hiddenLabel": "hidden"}
NODE_TEXTS = frozenset({f"{_XL}literalForm", f"{RDF}value"})
# What says the same the other way round.
INVERSE = {f"{SKOS}narrower": "broader", f"{SKOS}hasTopConcept": "top"}

# Fields whose value must be text, and those whose value must be an IRI; others take either.
TEXTS = frozenset({*properties.NAMES, "definition", "note", "deprecated", "notation"})
IRIS = frozenset({"parent", "broader", "scheme", "top"})
