"""Pages of concepts on the web are of http or https, and only where they are known."""

import pytest

from termexplorer.services.explore.concept_links import (
    NamedConcept,
    find_address,
    find_iri,
    list_links,
)


@pytest.mark.parametrize(
    ("curie", "iri"),
    [
        ("DOID:4", "http://purl.obolibrary.org/obo/DOID_4"),
        ("SNOMEDCT:75570004", "http://snomed.info/id/75570004"),
        ("my_codes:7", ""),
        ("https://example.org/7", "https://example.org/7"),
        ("plain", ""),
    ],
)
def test_iris_are_known_by_prefix(curie: str, iri: str) -> None:
    assert find_iri(None, NamedConcept(curie)) == iri


def test_a_concept_is_shown_by_ols_and_its_own_browser() -> None:
    concept = NamedConcept("HP:0002090")
    links = list_links(concept, find_iri(None, concept))
    assert [link.browser for link in links] == ["OLS", "HPO"]
    assert links[0].address.endswith(
        "/hp/classes?iri=http%3A%2F%2Fpurl.obolibrary.org%2Fobo%2FHP_0002090"
    )
    assert links[1].address.endswith("/HP:0002090")


def test_ols_has_ncit_below_the_iris_of_the_library() -> None:
    concept = NamedConcept("NCIT:C3262")
    (ols, _) = list_links(concept, find_iri(None, concept))
    assert ols.address.endswith("obo%2FNCIT_C3262")


@pytest.mark.parametrize("curie", ["my_codes:7", "plain", "HP:", "file:///etc/passwd", ""])
def test_nothing_is_offered_where_no_page_is_known(curie: str) -> None:
    assert list_links(NamedConcept(curie), "") == []
    assert find_address(curie) == ""


@pytest.mark.parametrize(
    ("reference", "address"),
    [
        ("UMLS_CUI:C0000039", "https://uts.nlm.nih.gov/uts/umls/concept/C0000039"),
        (
            "NCI2004_11_17:C3088",
            "https://evsexplore.semantics.cancer.gov/evsexplore/concept/ncit/C3088",
        ),
        ("MIM:104300", "https://omim.org/entry/104300"),
        ("https://example.org/a b", "https://example.org/a"),
        ("OMIM:1/../x?y", "https://omim.org/entry/1%2F..%2Fx%3Fy"),
    ],
)
def test_cross_references_lead_to_their_sources(reference: str, address: str) -> None:
    assert find_address(reference) == address
