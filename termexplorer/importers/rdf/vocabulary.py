"""The IRIs that the importer knows, and what each says."""

from termexplorer.importers.records import NameRecord

OWL = "http://www.w3.org/2002/07/owl#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
_OBO = "http://purl.obolibrary.org/obo/"
_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
_EFO = "http://www.ebi.ac.uk/efo/"
_NCIT = "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#"
_TERMS = ("http://purl.org/dc/terms/", "http://purl.org/dc/elements/1.1/")

TYPE, SUBCLASS = f"{RDF}type", f"{RDFS}subClassOf"
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
    "http://www.w3.org/2008/05/skos-xl#Label": "labels of SKOS-XL",
}
COUNTED = {f"{OWL}imports": "imports", f"{OWL}equivalentClass": "equivalence axioms"}

# Predicate -> field; what a field tells is up to `concepts` and `about`.
FIELDS = {
    f"{RDFS}label": "label",
    f"{SKOS}prefLabel": "pref",
    f"{SKOS}altLabel": "alt",
    f"{SKOS}hiddenLabel": "hidden",
    f"{_IN_OWL}hasExactSynonym": "exact",
    f"{_IN_OWL}hasRelatedSynonym": "related",
    f"{_IN_OWL}hasSynonym": "related",
    f"{_IN_OWL}hasNarrowSynonym": "narrow",
    f"{_IN_OWL}hasBroadSynonym": "broad",
    f"{_OBO}IAO_0000118": "alt",
    f"{_EFO}alternative_term": "alt",
    f"{_NCIT}P90": "alt",
    f"{_OBO}IAO_0000115": "definition",
    f"{SKOS}definition": "definition",
    f"{_EFO}definition": "definition",
    f"{_NCIT}P97": "definition",
    f"{SKOS}scopeNote": "note",
    SUBCLASS: "parent",
    f"{SKOS}broader": "broader",
    f"{SKOS}inScheme": "scheme",
    f"{SKOS}topConceptOf": "top",
    f"{OWL}deprecated": "deprecated",
    f"{_OBO}IAO_0100001": "replaced",
    **{f"{place}isReplacedBy": "replaced" for place in _TERMS},
    f"{_IN_OWL}consider": "consider",
    f"{_IN_OWL}hasAlternativeId": "alternative",
    f"{_IN_OWL}hasDbXref": "xref",
    f"{SKOS}exactMatch": "xref",
    f"{SKOS}closeMatch": "xref",
    f"{SKOS}notation": "notation",
    f"{OWL}versionIRI": "version iri",
    f"{OWL}versionInfo": "version",
    **{f"{place}title": "title" for place in _TERMS},
    **{f"{place}license": "licence" for place in _TERMS},
    **{f"{place}rights": "rights" for place in _TERMS},
    **{f"{place}modified": "date" for place in _TERMS},
    **{f"{place}issued": "date" for place in _TERMS},
    f"{RDFS}comment": "comment",
}
# What says the same the other way round.
INVERSE = {f"{SKOS}narrower": "broader", f"{SKOS}hasTopConcept": "top"}

# Fields that are names -> the kind and scope of such a name.
NAMES = {
    "label": NameRecord("", "preferred"),
    "pref": NameRecord("", "preferred"),
    "exact": NameRecord("", "synonym", "EXACT"),
    "related": NameRecord("", "synonym", "RELATED"),
    "narrow": NameRecord("", "synonym", "NARROW"),
    "broad": NameRecord("", "synonym", "BROAD"),
    "alt": NameRecord("", "synonym"),
    "hidden": NameRecord("", "synonym", "RELATED"),
}
# Fields whose value must be text, and those whose value must be an IRI; others take either.
TEXTS = frozenset({*NAMES, "definition", "note", "deprecated", "notation"})
IRIS = frozenset({"parent", "broader", "scheme", "top"})
