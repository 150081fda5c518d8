"""What a search finds though it is written otherwise, and what it finds near where nothing is."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from termexplorer.errors import UserError
from termexplorer.services.explore.browsing import (
    SearchAnswer,
    SearchResult,
    answer_search,
    search_names,
)
from termexplorer.services.explore.ontologies import (
    find_concept,
    find_ontology,
    import_report,
)
from termexplorer.services.importing.releases import import_release
from termexplorer.services.workspace.removal import remove_ontology
from termexplorer.store.search.typed_query import Match
from termexplorer.workers.importing.request import ImportRequest
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

OBO = """format-version: 1.2
ontology: toy

[Term]
id: TOY:1
name: β-thalassaemia
xref: UMLS_CUI:C0005283
xref: ICD10CM:D56.1

[Term]
id: TOY:2
name: ﬁbrosis of the lung

[Term]
id: TOY:3
name: vitamin B₁₂ deficiency

[Term]
id: TOY:4
name: Straße syndrome

[Term]
id: TOY:5
name: Łódź fever

[Term]
id: TOY:6
name: Crohn’s disease

[Term]
id: TOY:7
name: viral pneumonia

[Term]
id: TOY:8
name: heart failure

[Term]
id: TOY:9
name: TNFα deficiency

[Term]
id: TOY:10
name: diabetes mellitus
alt_id: ICD10CM:E11.9
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("forms")
    (folder / "toy.obo").write_text(OBO, encoding="utf-8")
    opened_workspace = Workspace(folder / "ws")
    request = ImportRequest(opened_workspace.folder, str(folder / "toy.obo"))
    import_release(opened_workspace, request, JobControl(), lambda _message: None)
    yield opened_workspace
    opened_workspace.close()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("beta thalassaemia", "TOY:1"), ("β thal", "TOY:1"), ("beta", "TOY:1"),
        ("fibrosis", "TOY:2"), ("lung ﬁbrosis", "TOY:2"), ("b12", "TOY:3"), ("B₁₂", "TOY:3"),
        ("strasse", "TOY:4"), ("straße", "TOY:4"), ("lodz", "TOY:5"), ("Łódź", "TOY:5"),
        ("crohns", "TOY:6"), ("Crohn's disease", "TOY:6"), ("crohn", "TOY:6"),
        ("tnf alpha", "TOY:9"), ("TNFα", "TOY:9"),
        ("http://purl.obolibrary.org/obo/TOY_7", "TOY:7"),
        ("<http://purl.obolibrary.org/obo/TOY_7>", "TOY:7"), ("TOY_7", "TOY:7"),
        ("UMLS:C0005283", "TOY:1"), ("c0005283", "TOY:1"), ("D561", "TOY:1"),
        ("ß-thalassaemia", "TOY:1"), ("ẞ thal", "TOY:1"),
        ("obo:TOY_7", "TOY:7"), ("https://bioregistry.io/TOY:7", "TOY:7"),
        ("https://identifiers.org/toy:7", "TOY:7"), ("purl.obolibrary.org/obo/TOY_7", "TOY:7"),
        ("https://purl.obolibrary.org/obo/TOY_7", "TOY:7"), ('"heart failure"', "TOY:8"),
        ("ICD10CM:D56.1", "TOY:1"), ("E119", "TOY:10"), ("ICD10CM:E119", "TOY:10"),
    ],
)  # fmt: skip
def test_a_name_or_code_is_found_however_it_is_written(
    workspace: Workspace, query: str, expected: str
) -> None:
    answer = search_names(workspace, query)
    assert [hit.curie for hit in answer.hits] == [expected]
    assert not answer.near


def _answers(workspace: Workspace, query: str) -> list[SearchResult | SearchAnswer]:
    return [search_names(workspace, query), answer_search(workspace, query, 1)]


@pytest.mark.parametrize(
    ("query", "expected", "missing"),
    [
        ("TOY:8, TOY:7", ["TOY:8", "TOY:7"], ()),
        (
            "TOY:7;obo:TOY_8 | <http://purl.obolibrary.org/obo/TOY_6>",
            ["TOY:7", "TOY:8", "TOY:6"],
            (),
        ),
        ("TOY:7\tTOY:99", ["TOY:7"], ("TOY:99",)),
        ("E119 C0005283", ["TOY:10", "TOY:1"], ()),
        ("TOY:98 TOY:99", [], ()),
    ],
)
def test_each_code_of_a_list_is_looked_up(
    workspace: Workspace, query: str, expected: list[str], missing: tuple[str, ...]
) -> None:
    for answer in _answers(workspace, query):
        assert [hit.curie for hit in answer.hits] == expected
        assert (answer.near, answer.missing) == ((), missing)


def test_a_code_among_words_is_found_and_called_near(workspace: Workspace) -> None:
    for answer in _answers(workspace, "TOY:7 ! inflammation of the lung"):
        assert [hit.curie for hit in answer.hits] == ["TOY:7"]
        assert answer.near == ("TOY:7",)


def test_a_beta_that_was_typed_as_sharp_s_stays_a_beta(workspace: Workspace) -> None:
    (hit,) = search_names(workspace, "ß-thalassaemia").hits
    assert [hit.text[start:end] for start, end in hit.spans] == ["β", "thalassaemia"]
    assert [hit.curie for hit in search_names(workspace, "Straße").hits] == ["TOY:4"]


def test_what_was_found_is_marked_where_it_stands(workspace: Workspace) -> None:
    (hit,) = search_names(workspace, "thalassaemia beta").hits
    assert [hit.text[start:end] for start, end in hit.spans] == ["β", "thalassaemia"]
    (hit,) = search_names(workspace, "crohns").hits
    assert [hit.text[start:end] for start, end in hit.spans] == ["Crohn’s"]


def test_another_prefix_or_a_part_of_a_code_is_not_taken_for_a_code(workspace: Workspace) -> None:
    assert not [h for h in search_names(workspace, "MESH:C0005283").hits if h.match == Match.CODE]
    assert not [hit for hit in search_names(workspace, "1").hits if hit.match == Match.CODE]


@pytest.mark.parametrize(
    ("query", "expected", "near"),
    [
        ("pnuemonia", "TOY:7", "pneumonia"),
        ("pneumonias", "TOY:7", "pneumonia"),
        ("diabetic", "TOY:10", "diabetes"),
        ("hart failure", "TOY:8", "heart failure"),
        ("heartfailure", "TOY:8", "heart failure"),
        ("thalassemia", "TOY:1", "thalassaemia"),
        ("fibroses", "TOY:2", "fibrosis"),
        ("thallasae", "TOY:1", "thalassae"),
        ("viral pneumonia of zebras", "TOY:7", "viral pneumonia of"),
        ("E119.5", "TOY:10", "ICD10CM:E11.9"),
    ],
)
def test_where_nothing_is_found_the_nearest_is_and_is_called_near(
    workspace: Workspace, query: str, expected: str, near: str
) -> None:
    for answer in (search_names(workspace, query), answer_search(workspace, query, 1)):
        assert answer.near, "it says that this is not what was asked for"
        assert answer.hits[0].curie == expected
    if "zebras" not in query:
        assert near in answer.near


def test_nothing_is_near_to_everything(workspace: Workspace) -> None:
    assert search_names(workspace, "xyzzyplugh").hits == ()
    assert search_names(workspace, "xy").hits == ()
    assert search_names(workspace, " ").hits == ()


def test_a_concept_is_found_by_its_code_without_dots_and_by_its_iri(workspace: Workspace) -> None:
    toy = find_ontology(workspace, "1")
    assert find_concept(workspace, toy, "E119").curie == "TOY:10"
    assert find_concept(workspace, toy, "http://purl.obolibrary.org/obo/TOY_7").curie == "TOY:7"
    with pytest.raises(UserError, match=r"pnuemonia.*viral pneumonia"):
        find_concept(workspace, toy, "pnuemonia")


ADDED_SINCE = (
    ("evaluation", "items"), ("evaluation", "name"), ("evaluation", "set_hash"),
    ("projection", "title"),
    ("study_seat", "pack_signature"),
)  # fmt: skip
TABLES_SINCE = (
    "search_folded",
    "lookup_key",
    "name_word",
    "signing_key",
    "set_aside_answers",
    "team_row",
    "team_membership",
    "team_list",
)


def test_what_an_older_workspace_holds_is_found_so_too(
    workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "ws").mkdir()
    path = tmp_path / "ws" / "workspace.sqlite"
    with closing(sqlite3.connect(workspace.store.path)) as whole:
        whole.execute("VACUUM INTO ?", (str(path),))
    with closing(sqlite3.connect(path)) as older, older:
        for table in TABLES_SINCE:
            older.execute(f"DROP TABLE {table}")
        for table, column in ADDED_SINCE:
            for event in ("insert", "update", "delete"):
                older.execute(f"DROP TRIGGER IF EXISTS copy_of_{table}_{event}")
            older.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        older.execute("UPDATE import_remark SET text = '10 roots: concepts without a parent'")
        older.execute("UPDATE alembic_version SET version_num = '0015'")
        older.execute("DROP INDEX verdict_by")
        older.execute("PRAGMA user_version = 0")  # it had no seal
    opened_workspace = Workspace(path.parent)
    try:
        for query in ("crohns", "UMLS:C0005283", "pnuemonia"):
            hits = search_names(opened_workspace, query).hits
            assert hits == search_names(workspace, query).hits
            assert hits
        remarks = import_report(opened_workspace, 1)
        assert [remark.text.values for remark in remarks] == [{"count": 10}]
        remove_ontology(opened_workspace, 1, JobControl(), lambda _message: None)
    finally:
        opened_workspace.close()
    with closing(sqlite3.connect(path)) as emptied:
        for table in ("search_folded", "lookup_key", "name_word"):
            assert emptied.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


THESAURUS = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://ex.org/v/foo1> a skos:Concept ; skos:prefLabel "first" .
<http://ex.org/v/foo12> a skos:Concept ; skos:prefLabel "second" .
"""


@pytest.fixture(scope="module")
def thesaurus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("iris")
    (folder / "toy.obo").write_text(OBO.replace("TOY:", "EX:"), encoding="utf-8")
    (folder / "toy.ttl").write_text(THESAURUS, encoding="utf-8")
    opened_workspace = Workspace(folder / "ws")
    for name in ("toy.obo", "toy.ttl"):
        request = ImportRequest(opened_workspace.folder, str(folder / name))
        import_release(opened_workspace, request, JobControl(), lambda _message: None)
    yield opened_workspace
    opened_workspace.close()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("http://ex.org/v/foo1", ["http://ex.org/v/foo1"]),
        ("<https://ex.org/v/foo12>", ["http://ex.org/v/foo12"]),
        ("ex.org/v/foo1", ["http://ex.org/v/foo1"]),
        ("http://ex.org/v/E11.9", []), ("http://other.org/EX:7", []), ("http://ex.org/EX_7/b", []),
    ],
)  # fmt: skip
def test_an_iri_without_a_prefix_is_found_and_nothing_near_it(
    thesaurus: Workspace, query: str, expected: list[str]
) -> None:
    for answer in _answers(thesaurus, query):
        assert [hit.curie for hit in answer.hits] == expected
        assert not answer.near
        assert all(hit.match == Match.EXACT for hit in answer.hits)
