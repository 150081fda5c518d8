"""The properties by which ontologies say what a concept is, whatever the format writes them in.

RDF gives them as IRIs, OBO and OBO Graphs as IRIs or CURIEs; what a field holds is read alike.
"""

from functools import lru_cache

from termexplorer.importers.records import NameRecord
from termexplorer.importers.text.curies import Curies

OWL = "http://www.w3.org/2002/07/owl#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
OBO = "http://purl.obolibrary.org/obo/"
OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
TERMS = ("http://purl.org/dc/terms/", "http://purl.org/dc/elements/1.1/")
_EFO = "http://www.ebi.ac.uk/efo/"
_NCIT = "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#"
_SCHEMA = ("http://schema.org/", "https://schema.org/")

SUBCLASS = f"{RDFS}subClassOf"

FIELDS = {
    f"{RDFS}label": "label",
    f"{SKOS}prefLabel": "pref",
    f"{SKOS}altLabel": "alt",
    f"{SKOS}hiddenLabel": "hidden",
    f"{OBO_IN_OWL}hasExactSynonym": "exact",
    f"{OBO_IN_OWL}hasRelatedSynonym": "related",
    f"{OBO_IN_OWL}hasSynonym": "related",
    f"{OBO_IN_OWL}hasNarrowSynonym": "narrow",
    f"{OBO_IN_OWL}hasBroadSynonym": "broad",
    f"{OBO}IAO_0000111": "exact",  # editor preferred term
    f"{OBO}IAO_0000118": "alt",  # alternative term
    f"{OBO}IAO_0000589": "exact",  # OBO foundry unique label
    f"{OBO}OBI_0001847": "alt",  # ISA alternative term
    f"{OBO}OBI_0001886": "alt",  # NIAID GSCID-BRC alternative term
    f"{OBO}OBI_9991118": "alt",  # IEDB alternative term
    f"{_EFO}alternative_term": "alt",
    f"{_NCIT}P90": "alt",
    f"{_NCIT}P107": "alt",  # display name
    f"{_NCIT}P108": "exact",  # preferred name
    **{f"{namespace}alternative": "alt" for namespace in TERMS[:1]},
    **{f"{namespace}alternateName": "alt" for namespace in _SCHEMA},
    **{f"{namespace}title": "title" for namespace in TERMS},
    f"{OBO}IAO_0000115": "definition",
    f"{SKOS}definition": "definition",
    f"{_EFO}definition": "definition",
    f"{_NCIT}P97": "definition",
    f"{SKOS}scopeNote": "note",
    f"{OWL}deprecated": "deprecated",
    f"{OBO}IAO_0100001": "replaced",
    **{f"{namespace}isReplacedBy": "replaced" for namespace in TERMS},
    f"{OBO_IN_OWL}consider": "consider",
    f"{OBO_IN_OWL}hasAlternativeId": "alternative",
    f"{OBO_IN_OWL}hasDbXref": "xref",
    f"{SKOS}exactMatch": "xref",
    f"{SKOS}closeMatch": "xref",
}
"""IRI of a property -> the field of a concept that it fills."""

NAMES = {
    "label": NameRecord("", "preferred"),
    "pref": NameRecord("", "preferred"),
    "title": NameRecord("", "preferred"),
    "exact": NameRecord("", "synonym", "EXACT"),
    "related": NameRecord("", "synonym", "RELATED"),
    "narrow": NameRecord("", "synonym", "NARROW"),
    "broad": NameRecord("", "synonym", "BROAD"),
    "alt": NameRecord("", "synonym"),
    "hidden": NameRecord("", "synonym", "RELATED"),
}
"""Fields that are names -> the kind and scope of such a name."""

LABELS = tuple(field for field, name in NAMES.items() if name.kind == "preferred")
"""Those of them that are labels, the first to count first."""
SYNONYMS = {field: name for field, name in NAMES.items() if name.kind == "synonym"}
"""Those that are none."""

_TRUE = ("true", "1")
_KEPT = 4096  # answers, as files name few properties many times
_PREFIXES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": RDFS,
    "owl": OWL,
    "skos": SKOS,
    "obo": OBO,
    "oboInOwl": OBO_IN_OWL,
    "oio": OBO_IN_OWL,
    "OIO": OBO_IN_OWL,
    "dcterms": TERMS[0],
    "terms": TERMS[0],
    "dct": TERMS[0],
    "dc": TERMS[1],
    "dce": TERMS[1],
    "efo": _EFO,
    "EFO": _EFO,
    "NCIT": _NCIT,
    "ncit": _NCIT,
    "schema": _SCHEMA[0],
    "sdo": _SCHEMA[1],
}


@lru_cache(_KEPT)
def expand_property(property_id: str) -> str:
    """Return the IRI of a property given as an IRI or a CURIE; unknown prefixes stay."""
    prefix, colon, local = property_id.partition(":")
    if not colon or local.startswith("//"):
        return property_id
    if prefix in _PREFIXES:
        return _PREFIXES[prefix] + local
    of_library = f"{OBO}{prefix}_{local}"
    return of_library if of_library in FIELDS else property_id


@lru_cache(_KEPT)
def field_of_property(property_id: str) -> str:
    """Return the field that a property fills, an IRI or a CURIE; "" where it is not known."""
    return FIELDS.get(expand_property(property_id), "")


def shorten_property(iri: str, curies: Curies) -> str:
    """Return the CURIE of a property, by the file's prefixes or else the usual ones."""
    if (short := curies.shorten(iri)) != iri:
        return short
    places = (item for item in _PREFIXES.items() if iri.startswith(item[1]))
    return next((f"{prefix}:{iri.removeprefix(namespace)}" for prefix, namespace in places), iri)


def is_true(text: str) -> bool:
    """Return whether a text is the boolean true, as RDF writes it."""
    return text.strip().lower() in _TRUE
