"""What forms of mappings call the same: SSSOM, ConceptMap of FHIR R4, OMOP and Usagi."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

MAPPING_SUFFIXES = (".sssom.tsv", ".conceptmap.json", ".stcm.csv", ".usagi.csv")
"""What names of files of mappings end with: SSSOM, FHIR, OMOP, Usagi."""
CHANGE_SUFFIXES = (".robot.tsv", ".kgcl")
"""What names of files of changes end with: ROBOT, KGCL."""
NO_TERM = "sssom:NoTermFound"
"""The object of a mapping that says that nothing matches."""
EXTENSION = "ext_termexplorer_"
"""What names of slots begin with that the standard does not have."""
FORMER = f"{EXTENSION}former_"
"""What slots begin with that hold what a stale mapping was on the older release."""
EARLIER = f"{EXTENSION}earlier_"
"""What slots begin with that hold who asserted or reviewed a mapping before it was judged anew."""
STATES = f"{EXTENSION}state"
"""The slot of a carried mapping that says why a newer release made it doubtful."""
CANDIDATES = f"{EXTENSION}candidates"
"""The slot of a mapping that holds what was weighed, in JSON."""
EXACT, CLOSE, BROAD, NARROW, RELATED = (
    f"skos:{kind}Match" for kind in ("exact", "close", "broad", "narrow", "related")
)
UNREPLACED = "skos:mappingRelation"
"""The predicate of a carried mapping of a withdrawn term that nothing replaces: it claims none."""
EQUIVALENCES = {
    EXACT: "equivalent",
    CLOSE: "inexact",
    BROAD: "wider",
    NARROW: "narrower",
    RELATED: "relatedto",
    "rdfs:subClassOf": "subsumes",
}
"""Predicates in the words of FHIR R4; the others are `relatedto`."""
PREDICATES = {word: predicate for predicate, word in EQUIVALENCES.items()} | {
    "equal": EXACT,
    "specializes": NARROW,
}
UNMATCHED, DISJOINT = "unmatched", "disjoint"
NO_TARGET = "no target"
"""In the place of an equivalence, of a code that a ConceptMap names without a target."""
NO_COMMENT = "(termexplorer: no comment)"
"""What stands as a comment where FHIR wants one and nobody made any."""
NEED_COMMENT = ("narrower", "inexact")
MANUAL = "semapv:ManualMappingCuration"
"""The justification of what a curator asserts."""
UNSPECIFIED = "semapv:UnspecifiedMatching"
"""The justification of mappings of which nobody said what they rest on."""
USAGI_EQUIVALENCES = {
    EXACT: "EQUIVALENT",
    CLOSE: "INEXACT",
    BROAD: "WIDER",
    NARROW: "NARROWER",
}
USAGI_PREDICATES = {word: predicate for predicate, word in USAGI_EQUIVALENCES.items()} | {
    "EQUAL": EXACT,
}
FHIR_SYSTEMS = {
    "SNOMEDCT": "http://snomed.info/sct",
    "LOINC": "http://loinc.org",
    "RXNORM": "http://www.nlm.nih.gov/research/umls/rxnorm",
    "ICD10CM": "http://hl7.org/fhir/sid/icd-10-cm",
    "ICD10": "http://hl7.org/fhir/sid/icd-10",
}
"""Code systems of FHIR by the prefixes of their codes."""
FHIR_EQUIVALENCE, FHIR_GROUP, FHIR_ELEMENT, FHIR_TARGET, FHIR_RESOURCE = (
    f"{EXTENSION}fhir_{part}" for part in ("equivalence", "group", "element", "target", "resource")
)
SLOT_URL = "https://termexplorer.invalid/sssom/"
"""What URLs of extensions of FHIR begin with, before the name of a slot of SSSOM."""
HEAD = "head"
SLOT_TITLE = "sssom:"
"""What titles of slots begin with in plain tables."""
OMOP = "OMOP"
OMOP_COLUMNS = (
    "source_code", "source_concept_id", "source_vocabulary_id", "source_code_description",
    "target_concept_id", "target_vocabulary_id", "valid_start_date", "valid_end_date",
    "invalid_reason",
)  # fmt: skip
USAGI_SOURCE = ("sourceCode", "sourceName", "sourceFrequency", "sourceAutoAssignedConceptIds")
USAGI_MAPPING = (
    "matchScore", "mappingStatus", "equivalence", "statusSetBy", "statusSetOn", "conceptId",
    "conceptName", "domainId", "mappingType", "comment", "createdBy", "createdOn",
    "assignedReviewer",
)  # fmt: skip
USAGI_MORE = "ADD_INFO:"
"""What titles of Usagi's further columns begin with, which it keeps as they are."""


def split_curie(identifier: str, prefixes: Mapping[str, Any]) -> tuple[str, str]:
    """Return prefix and code of a CURIE; no prefix where it is none of those that are known."""
    prefix, colon, code = identifier.partition(":")
    return (prefix, code) if colon and code and prefix in prefixes else ("", identifier)


def list_systems(head: Mapping[str, Any]) -> dict[str, str]:
    """Return the code systems of the prefixes of a set that stand for one each."""
    declared = {str(p): str(iri) for p, iri in dict(head.get("curie_map") or {}).items() if iri}
    systems = declared | {p: s for p, s in FHIR_SYSTEMS.items() if p in declared}
    counts = Counter(systems.values())
    return {prefix: system for prefix, system in systems.items() if counts[system] == 1}
