import pytest

from termexplorer.errors import UserError
from termexplorer.services.explore.bookmarks import bookmarks, toggle_bookmark
from termexplorer.services.explore.browsing import (
    answer_search,
    concept_page,
    path_to,
    search_names,
    tree_count,
    tree_page,
)
from termexplorer.services.explore.ontologies import find_concept, find_ontology, list_ontologies
from termexplorer.store.database import raw_sql
from termexplorer.store.search import candidates
from termexplorer.store.search.typed_query import Match
from termexplorer.workspace import Workspace


def concept_id(workspace: Workspace, curie: str) -> int:
    return find_concept(workspace, find_ontology(workspace, "toy"), curie).id


def test_the_release_is_listed_with_its_counts(workspace: Workspace) -> None:
    (ontology,) = list_ontologies(workspace)
    assert (ontology.terminology, ontology.version) == ("toy", "2026-01-01")
    # 1 root, 4 organs, 12 kinds, 72 causes, 144 sides, 144 sequels
    assert (ontology.concepts, ontology.obsolete) == (377, 1)
    assert ontology.is_a == 376
    assert ontology.names == 377 + 4 + 144 + 144  # synonyms of organs, sides and sequels


def test_the_tree_opens_level_by_level(workspace: Workspace) -> None:
    (root,) = tree_page(workspace, 1, None, 10, 0)
    assert (root.label, root.has_children) == ("disease", True)
    children = tree_page(workspace, 1, root.id, 3, 1)
    assert [child.label for child in children] == [
        "heart disease",
        "liver disease",
        "kidney disease",
    ]
    assert (tree_count(workspace, 1, None), tree_count(workspace, 1, root.id)) == (1, 4)


def test_a_page_tells_all_of_a_concept(workspace: Workspace) -> None:
    hit = search_names(workspace, "viral tumour of the left heart", 1).hits[0]
    page = concept_page(workspace, hit.concept_id)
    assert page is not None
    assert [name.kind for name in page.concept.names] == ["preferred", "synonym"]
    (path,) = page.paths
    labels = [step.label for step in path]
    assert labels == ["disease", "heart disease", "heart tumour", "viral heart tumour"]
    assert page.all_paths
    assert (page.children, page.siblings, page.descendants) == (1, 1, 1)
    assert path_to(workspace, hit.concept_id) == (*(step.id for step in path), hit.concept_id)


def test_an_obsolete_concept_is_found_with_its_replacement_but_not_in_the_tree(
    workspace: Workspace,
) -> None:
    (hit,) = search_names(workspace, "old pneumonia", 1).hits
    assert hit.obsolete
    page = concept_page(workspace, hit.concept_id)
    assert page is not None
    assert [ref.curie for ref in page.became.values()] == ["TOY:1"]
    assert hit.concept_id not in {item.id for item in tree_page(workspace, 1, None, 99, 0)}


@pytest.mark.parametrize(
    ("query", "match", "first"),
    [
        ("lung disease", Match.EXACT, "lung disease"),
        ("LUNG DIS", Match.PREFIX, "lung disease"),
        ("dis lun", Match.WORD_START, "lung disease"),
        ("isease ung", Match.INSIDE, "lung disease"),
        ("toy:2", Match.EXACT, "TOY:2"),
    ],
)
def test_search_ranks_exact_prefix_word_start_inside(
    workspace: Workspace, query: str, match: Match, first: str
) -> None:
    hits = search_names(workspace, query, 1).hits
    assert (hits[0].text, hits[0].match) == (first, match)
    assert [hit.match for hit in hits] == sorted(hit.match for hit in hits)


def test_a_search_out_of_time_still_finds_what_its_index_has_at_hand(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = search_names(workspace, "disea lung", 1, limit=500)
    assert {hit.match for hit in whole.hits} == {Match.WORD_START}
    inside = search_names(workspace, "isease ung", 1)
    monkeypatch.setattr(raw_sql, "_STEPS", 1)
    monkeypatch.setattr(candidates, "_UNTIL_GATHERED", -1)
    monkeypatch.setattr(candidates, "_UNTIL_STARTING", 60)
    monkeypatch.setattr(candidates, "_UNTIL_INSIDE", -1)
    result = search_names(workspace, "disea lung", 1, limit=500).hits
    assert [hit.text for hit in result] == [hit.text for hit in whole.hits]
    assert inside.hits
    late = search_names(workspace, "isease ung", 1)
    assert late.cut  # no error: the rest is cut
    assert not late.near
    assert not late.hits
    monkeypatch.setattr(candidates, "_UNTIL_INSIDE", 60)
    assert search_names(workspace, "isease ung", 1) == inside
    assert not whole.cut | inside.cut


def test_a_search_out_of_time_finds_what_has_its_rarest_word(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And looks for nothing near, which takes a second of what is not known to be missing."""
    whole = search_names(workspace, "disease lung", 1)
    monkeypatch.setattr(raw_sql, "_STEPS", 1)
    for limit in ("_UNTIL_GATHERED", "_UNTIL_STARTING", "_UNTIL_INSIDE"):
        monkeypatch.setattr(candidates, limit, -1)
    monkeypatch.setattr(candidates, "_UNTIL_RAREST", 60)
    late = search_names(workspace, "disease lung", 1)
    assert late.cut
    assert late.hits[0].text == whole.hits[0].text
    assert answer_search(workspace, "disease lung", 1).hits == late.hits
    monkeypatch.setattr(candidates, "_RARE", 0)
    statements = traced(workspace)
    nothing = search_names(workspace, "disease lung", 1)
    assert (nothing.hits, nothing.near, nothing.cut) == ((), (), True)
    assert not [sql for sql in statements if sql.startswith("SELECT word")]


def test_words_are_read_once_for_what_is_near_and_few_queries_tried(workspace: Workspace) -> None:
    statements = traced(workspace)
    search_names(workspace, "pnuemonia bacterail lugn dsiease infectoin aucte", 1)
    assert len([sql for sql in statements if sql.startswith("SELECT word")]) == 1
    looked = [sql for sql in statements if "FROM search_folded" in sql]
    assert 1 < len(looked) <= 1 + 12 + 7  # itself, with other words, without some


def traced(workspace: Workspace) -> list[str]:
    """The statements that the next search runs."""
    statements: list[str] = []
    with workspace.store.looking() as connection:
        connection.set_trace_callback(lambda sql: statements.append(sql.strip()))
    return statements


def test_search_marks_what_it_found(workspace: Workspace) -> None:
    hit = search_names(workspace, "dis lun", 1).hits[0]
    assert [hit.text[start:end] for start, end in hit.spans] == ["lun", "dis"]


def test_search_groups_by_concept(workspace: Workspace) -> None:
    hits = search_names(workspace, "lung", 1, limit=500).hits
    ids = [hit.concept_id for hit in hits]
    assert len(ids) == len(set(ids)) > 50


@pytest.mark.parametrize("query", ["", "   ", '"', "'; DROP TABLE name; --", "NEAR(", "*", "a AND"])
def test_search_takes_any_text(workspace: Workspace, query: str) -> None:
    assert not search_names(workspace, query).cut
    assert list_ontologies(workspace)


def test_a_bookmark_is_set_and_taken_away(workspace: Workspace) -> None:
    concept = concept_id(workspace, "TOY:1")
    assert toggle_bookmark(workspace, concept)
    assert [ref.curie for ref in bookmarks(workspace)] == ["TOY:1"]
    assert not toggle_bookmark(workspace, concept)
    assert bookmarks(workspace) == []


def test_what_is_not_there_is_said(workspace: Workspace) -> None:
    with pytest.raises(UserError, match=r"no ontology 'x'; there are 1 \(toy\)"):
        find_ontology(workspace, "x")
    with pytest.raises(UserError, match="has no concept 'TOY:77777'"):
        concept_id(workspace, "TOY:77777")
