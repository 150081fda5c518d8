"""Where a concept is on the web: its IRI, and the pages of it in OLS and its source's browser."""

from dataclasses import dataclass
from urllib.parse import quote

from termexplorer.importers.text.curies import iri_of_prefix, known_iri
from termexplorer.importers.text.prefixes import canonical
from termexplorer.store.releases.ontologies import ontologies, prefixes
from termexplorer.workspace import Workspace

_OLS = "https://www.ebi.ac.uk/ols4/ontologies/{ontology}/classes?iri={iri}"
_OBO = "http://purl.obolibrary.org/obo/"
_ALSO_IN_OLS = {"EFO": "efo", "NCIT": "ncit", "Orphanet": "ordo", "SNOMEDCT": "snomed"}
_OBO_IRIS_IN_OLS = {"NCIT"}
_OWN_IRIS = {"SNOMEDCT": "http://snomed.info/id/"}  # where `known_iri` has another site's
_WEB = ("http://", "https://")

# Prefix -> the browser of those who make the terminology, and the page of a local id there.
_BROWSERS = {
    "CHEBI": ("ChEBI", "https://www.ebi.ac.uk/chebi/searchId.do?chebiId=CHEBI:{id}"),
    "DOID": ("Disease Ontology", "https://disease-ontology.org/term/DOID:{id}"),
    "GO": ("AmiGO", "https://amigo.geneontology.org/amigo/term/GO:{id}"),
    "HP": ("HPO", "https://hpo.jax.org/browse/term/HP:{id}"),
    "ICD10": ("WHO ICD-10", "https://icd.who.int/browse10/2019/en#/{id}"),
    "LOINC": ("LOINC", "https://loinc.org/{id}"),
    "MESH": ("MeSH Browser", "https://meshb.nlm.nih.gov/record/ui?ui={id}"),
    "MONDO": ("Monarch", "https://monarchinitiative.org/MONDO:{id}"),
    "NCBITaxon": (
        "NCBI Taxonomy", "https://www.ncbi.nlm.nih.gov/Taxonomy/Browser/wwwtax.cgi?id={id}",
    ),
    "NCIT": ("EVS Explore", "https://evsexplore.semantics.cancer.gov/evsexplore/concept/ncit/{id}"),
    "OMIM": ("OMIM", "https://omim.org/entry/{id}"),
    "OMOP": ("Athena", "https://athena.ohdsi.org/search-terms/terms/{id}"),
    "Orphanet": ("Orphanet", "https://www.orpha.net/en/disease/detail/{id}"),
    "PMID": ("PubMed", "https://pubmed.ncbi.nlm.nih.gov/{id}"),
    "SNOMEDCT": (
        "SNOMED CT Browser",
        "https://browser.ihtsdotools.org/?perspective=full&conceptId1={id}",
    ),
    "UMLS": ("UMLS", "https://uts.nlm.nih.gov/uts/umls/concept/{id}"),
}  # fmt: skip
_BY_CASE = {prefix.lower(): prefix for prefix in _BROWSERS} | {
    "mim": "OMIM", "ordo": "Orphanet", "orpha": "Orphanet",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class NamedConcept:
    """A concept as a row of a list has it.

    Attributes:
        code: what people call it; "" where the row has only its CURIE.
        name: the name in the row.
        release_id: its release; None where the row does not tell.
    """

    curie: str
    code: str = ""
    name: str = ""
    release_id: int | None = None


@dataclass(frozen=True, slots=True)
class ConceptLink:
    """A page of a concept on the web.

    Attributes:
        browser: what has the page.
        address: of http or https.
    """

    browser: str
    address: str


def find_iri(workspace: Workspace | None, concept: NamedConcept) -> str:
    """Return the IRI of a concept, by the prefixes of its release or as is known; else ""."""
    if concept.curie.startswith(_WEB):
        return concept.curie
    prefix, _, local_id = concept.curie.partition(":")
    if not local_id:
        return ""
    start = (_iri_in_releases(workspace, concept.release_id, prefix) if workspace else "") or (
        _OWN_IRIS.get(prefix) or known_iri(prefix)
    )
    return f"{start}{local_id}" if start.startswith(_WEB) else ""


def list_links(concept: NamedConcept, iri: str) -> list[ConceptLink]:
    """Return the pages of a concept: in OLS, and in the browser of its source.

    Args:
        concept: the concept.
        iri: its IRI; "" for none.
    """
    prefix, _, local_id = canonical(concept.curie).partition(":")
    links = []
    if local_id and (ols := _address_in_ols(prefix, local_id, iri)):
        links.append(ConceptLink("OLS", ols))
    if own_link := _own_page(prefix, local_id):
        links.append(own_link)
    return links


def find_address(reference: str) -> str:
    """Return the page of what a cross-reference names, of http or https; "" where none is known.

    >>> find_address("OMIM:104300"), find_address("internal:7")
    ('https://omim.org/entry/104300', '')
    """
    reference = reference.split(" ")[0]
    if reference.startswith(_WEB):
        return reference
    prefix, _, local_id = canonical(reference).partition(":")
    if own_link := _own_page(prefix, local_id):
        return own_link.address
    return _address_in_ols(prefix, local_id, "") if local_id else ""


def _own_page(prefix: str, local_id: str) -> ConceptLink | None:
    browser = _BROWSERS.get(_BY_CASE.get(prefix.lower(), prefix)) if local_id else None
    if browser is None:
        return None
    title, address = browser
    return ConceptLink(title, address.format(id=quote(local_id, safe="")))


def _address_in_ols(prefix: str, local_id: str, iri: str) -> str:
    in_library = known_iri(prefix).startswith(_OBO)
    ontology = _ALSO_IN_OLS.get(prefix) or (prefix.lower() if in_library else "")
    if not ontology:
        return ""
    if prefix in _OBO_IRIS_IN_OLS:
        iri = f"{_OBO}{prefix}_{local_id}"
    start = _OWN_IRIS.get(prefix) or iri_of_prefix(prefix)
    return _OLS.format(ontology=ontology, iri=quote(iri or f"{start}{local_id}", safe=""))


def _iri_in_releases(workspace: Workspace, release_id: int | None, prefix: str) -> str:
    with workspace.store.looking() as connection:
        ids = [release_id] if release_id else [release.id for release in ontologies(connection)]
        iris = (prefixes(connection, listed_id).get(prefix, "") for listed_id in ids)
        return next(filter(None, iris), "")
