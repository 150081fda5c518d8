"""IRIs to CURIEs, and what joins the releases of one terminology."""

import re
from collections.abc import Iterable, Mapping

_OBO = re.compile(r"https?://purl\.obolibrary\.org/obo/([A-Za-z][A-Za-z0-9_.-]*)_([^_/#?]+)")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_OBO_PLACE = "http://purl.obolibrary.org/obo/"
_MADE_UP = re.compile(r"(?:ns|j\.)\d*|_+|")  # prefixes that programs number as they go
_KEY = re.compile(r"(?:https?://purl\.obolibrary\.org/obo/|https?://|urn:)?(.*?)(?:\.\w{2,5})?")

# IRI -> prefix, for terminologies outside the OBO library that its files often refer to.
_KNOWN = {
    "http://id.nlm.nih.gov/mesh/": "MESH",
    "http://linkedlifedata.com/resource/umls/id/": "UMLS",
    "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#": "NCIT",
    "http://omim.org/entry/": "OMIM",
    "https://omim.org/entry/": "OMIM",
    "http://purl.bioontology.org/ontology/ICD10/": "ICD10",
    "http://purl.bioontology.org/ontology/ICD10CM/": "ICD10CM",
    "http://purl.bioontology.org/ontology/MESH/": "MESH",
    "http://purl.bioontology.org/ontology/SNOMEDCT/": "SNOMEDCT",
    "http://snomed.info/id/": "SNOMEDCT",
    "http://www.ebi.ac.uk/efo/EFO_": "EFO",
    "http://www.orpha.net/ORDO/Orphanet_": "Orphanet",
    "http://www.geneontology.org/formats/oboInOwl#": "oboInOwl",
    "http://www.w3.org/2000/01/rdf-schema#": "rdfs",
    "http://www.w3.org/2002/07/owl#": "owl",
}

# Prefixes of the OBO library that tables and mappings use without saying what they stand for.
_OBO_LIBRARY = (
    "BFO", "CHEBI", "CL", "CLO", "DOID", "DRON", "ECO", "ECTO", "EMAPA", "ENVO", "FBbt", "FMA",
    "FOODON", "FYPO", "GENO", "GO", "GSSO", "HANCESTRO", "HP", "HsapDv", "IAO", "IDO", "MA",
    "MAXO", "MF", "MONDO", "MP", "NBO", "NCBITaxon", "OAE", "OBA", "OBI", "OGMS", "OMIT", "PATO",
    "PO", "PR", "PW", "RO", "SO", "SYMP", "TO", "TRANS", "UBERON", "UO", "VO", "WBPhenotype",
    "XAO", "ZFA", "ZP",
)  # fmt: skip


class Curies:
    """Shortens ids of one file.

    Args:
        prefixes: The file's own CURIE prefix -> IRI; they come before the known ones.
    """

    def __init__(self, prefixes: Mapping[str, str] | None = None) -> None:
        own_prefixes = [(iri, prefix) for prefix, iri in (prefixes or {}).items() if iri]
        self._prefixes = sorted(own_prefixes, key=lambda item: -len(item[0]))

    def shorten(self, identifier: str) -> str:
        """The CURIE of an IRI; what is no IRI, or of an unknown place, stays as it is."""
        if not identifier.startswith(("http://", "https://")):
            return identifier
        if curie := _shorten_iri(identifier, self._prefixes):
            return curie
        if match := _OBO.fullmatch(identifier):
            return f"{match[1]}:{match[2]}"
        return _shorten_iri(identifier, _KNOWN.items()) or identifier


def telling_prefixes(prefixes: Mapping[str, str]) -> dict[str, str]:
    """Those of a file's prefixes that tell terminologies apart.

    One that only stands for a place where several have their ids would hide which one it is
    (`obo:DOID_4`), and one that a program made up is another in the next release.
    """
    places = (_OBO_PLACE, *_KNOWN)
    return {
        prefix: iri
        for prefix, iri in prefixes.items()
        if not _MADE_UP.fullmatch(prefix)
        and not any(namespace.startswith(iri) for namespace in places)
    }


def iri_of_prefix(prefix: str) -> str:
    """Return the IRI that a prefix of an OBO file stands for where the file does not say."""
    return known_iri(prefix) or f"{_OBO_PLACE}{prefix}_"


def known_iri(prefix: str) -> str:
    """Return the IRI that a prefix stands for in any file, as far as that is known; else ""."""
    if prefix in _OBO_LIBRARY:
        return f"{_OBO_PLACE}{prefix}_"
    return next((iri for iri, known in _KNOWN.items() if known == prefix), "")


def _shorten_iri(identifier: str, pairs: Iterable[tuple[str, str]]) -> str:
    for iri, prefix in pairs:
        if identifier.startswith(iri) and len(identifier) > len(iri):
            return f"{prefix}:{identifier[len(iri) :]}"
    return ""


def terminology_key(text: str) -> str:
    """The key that joins releases: `doid` for `doid`, `DOID.owl` and the IRI of either.

    An edition (`uberon/basic`) is a terminology of its own: it is not a newer `uberon`.
    """
    match = _KEY.fullmatch(text.strip())
    return (match[1] if match else text.strip()).lower()


def release_version(text: str) -> str:
    """The date in a version or version IRI (`releases/2018-07-05`), else the text itself."""
    match = _DATE.search(text)
    return match[0] if match else text.strip()
