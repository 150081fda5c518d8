import pytest

from termexplorer.importers.text.curies import Curies, release_version, terminology_key
from termexplorer.importers.text.prefixes import prefix_in_title


@pytest.mark.parametrize(
    ("identifier", "curie"),
    [
        ("http://purl.obolibrary.org/obo/DOID_4", "DOID:4"),
        ("https://purl.obolibrary.org/obo/NCIT_C123", "NCIT:C123"),
        ("http://purl.obolibrary.org/obo/APOLLO_SV_00000008", "APOLLO_SV:00000008"),
        ("http://www.orpha.net/ORDO/Orphanet_558", "Orphanet:558"),
        ("http://purl.obolibrary.org/obo/doid#occurs_with", None),
        ("http://example.org/thing/7", None),
        ("HP:0000118", None),
        ("", None),
    ],
)
def test_iris_become_curies_and_the_rest_stays(identifier, curie):
    assert Curies().shorten(identifier) == (curie or identifier)


def test_a_file_s_own_prefixes_come_first_the_longest_of_them():
    own_prefixes = {"EX": "http://example.org/", "THING": "http://example.org/thing/"}
    assert Curies(own_prefixes).shorten("http://example.org/thing/7") == "THING:7"
    assert Curies(own_prefixes).shorten("http://example.org/7") == "EX:7"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("doid", "doid"),
        ("http://purl.obolibrary.org/obo/doid.owl", "doid"),
        ("http://purl.obolibrary.org/obo/DOID.owl", "doid"),
        ("http://purl.obolibrary.org/obo/uberon/basic.owl", "uberon/basic"),
        ("", ""),
    ],
)
def test_releases_in_different_formats_meet(text, key):
    assert terminology_key(text) == key


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("releases/2016-03-04", "2016-03-04"),
        ("http://purl.obolibrary.org/obo/doid/releases/2018-07-05/doid.owl", "2018-07-05"),
        (" 1.5 ", "1.5"),
    ],
)
def test_versions_are_dates_where_there_is_one(text, version):
    assert release_version(text) == version


def test_a_title_of_any_length_names_its_vocabulary():
    assert prefix_in_title("a " * 50_000 + "icd 10 code") == "ICD10"
