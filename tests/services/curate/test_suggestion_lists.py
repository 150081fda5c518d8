"""Suggestions that are kept for review, who reviews them, and how far that is."""

import pytest
from toy_workspace import LEXICAL, VECTORS

from termexplorer.errors import UserError
from termexplorer.services.curate.suggestion_files import SssomRow, SuggestionSheet
from termexplorer.services.curate.suggestion_lists import (
    KeptSearch,
    by_subject,
    counts,
    describe_kept,
    find_list,
    keep_suggestions,
    kept_lists,
    read_list,
    remove_list,
    restore_list,
)
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.verdicts.log import Answer, VerdictSubject, give_verdict, judged, now
from termexplorer.services.verdicts.people import Judge, add_person, list_people
from termexplorer.workspace import Workspace

ANNA, BEN = Judge("Anna", "0000-0002-1825-0097"), Judge("Ben")


def found(workspace: Workspace, *encoders: int, term: str = "") -> SuggestionSheet:
    toy = find_ontology(workspace, "1")
    mappings = [
        SssomRow("T:1", "one", "skos:broadMatch", "T:2", "two", "semapv:X", 0.25, "why", term),
        SssomRow("T:3", "three", "skos:broadMatch", "T:2", "two", "semapv:X", None, ""),
    ]
    rows = [["T:1", 0.25, None], ["T:3", 0.5, 2]]
    return SuggestionSheet(toy, toy, encoders, ("concept", "likelihood", "agree"), rows, mappings)


def keep(workspace: Workspace, suggestions: SuggestionSheet, **parameters: object) -> int:
    facts = ["It is good."]
    return keep_suggestions(workspace, "misplaced", suggestions, parameters, facts).list_id


def say(workspace: Workspace, judge: Judge, subject: VerdictSubject, answer: str) -> None:
    give_verdict(workspace, judge, subject, Answer(answer, "", now(), now()))


def test_what_is_kept_comes_back_as_it_was(workspace: Workspace) -> None:
    suggestion_list = find_list(
        workspace, keep(workspace, found(workspace, VECTORS, term="a name"), level=2)
    )
    toy = find_ontology(workspace, "1")
    assert suggestion_list.head.title == f"Misplaced: {toy.label}, level 2, by #{VECTORS}"
    assert suggestion_list.head.encoder_ids == [VECTORS]
    assert suggestion_list.head.parameters == {"level": 2}
    assert (suggestion_list.head.facts, suggestion_list.count) == (["It is good."], 2)
    first, second = read_list(workspace, suggestion_list.id)
    assert first.about == VerdictSubject("skos:broadMatch", "T:1", "T:2", "a name")
    assert list(second.cells) == ["T:3", 0.5, 2]
    assert first.slots == {
        "subject_label": "one",
        "object_label": "two",
        "mapping_justification": "semapv:X",
        "confidence": "0.2500",
        "comment": "why",
    }
    assert "confidence" not in second.slots


def test_the_same_search_keeps_its_list_and_says_what_became_of_it(workspace: Workspace) -> None:
    before = found(workspace, VECTORS, term="old")
    first = keep_suggestions(workspace, "misplaced", before, {"level": 1}, [])
    assert (first.replaced, first.count) == (None, 2)
    assert "New list" in describe_kept(first)
    other = keep(workspace, found(workspace, VECTORS, LEXICAL), level=1)
    deeper = keep(workspace, found(workspace, VECTORS), level=2)
    fresh = found(workspace, VECTORS, term="new")
    again = keep_suggestions(workspace, "misplaced", fresh, {"level": 1}, ["Better."])
    assert again == KeptSearch(first.list_id, 2, replaced=2, unchanged=1)
    assert "2 suggestions in place of 2, 1 of them as before" in describe_kept(again)
    assert [suggestion_list.id for suggestion_list in kept_lists(workspace)] == [
        again.list_id,
        deeper,
        other,
    ]
    assert read_list(workspace, again.list_id)[0].about.term == "new"
    assert find_list(workspace, again.list_id).head.facts == ["Better."]


def test_verdicts_outlive_the_list_that_they_were_given_on(workspace: Workspace) -> None:
    list_id = keep(workspace, found(workspace, VECTORS))
    about = read_list(workspace, list_id)[0].about
    say(workspace, ANNA, about, "correct")
    removed = remove_list(workspace, list_id)
    assert removed.told.endswith("by #5”; 1 verdict on it stays in the log")
    assert kept_lists(workspace) == []
    with pytest.raises(UserError, match="no such list"):
        find_list(workspace, list_id)
    fresh = read_list(workspace, keep(workspace, found(workspace, VECTORS)))
    assert counts(fresh, by_subject(judged(workspace)), ANNA)["correct"] == 1


def test_a_list_that_was_removed_comes_back_whole(workspace: Workspace) -> None:
    suggestion_list = find_list(
        workspace, keep(workspace, found(workspace, VECTORS, term="a name"))
    )
    rows = read_list(workspace, suggestion_list.id)
    removed = remove_list(workspace, suggestion_list.id)
    assert removed.told.endswith("; nobody had judged it")
    back = restore_list(workspace, removed)
    assert (find_list(workspace, back).head, read_list(workspace, back)) == (
        suggestion_list.head,
        rows,
    )
    with pytest.raises(UserError, match="no such list"):
        remove_list(workspace, back + 1)


def test_what_was_found_anew_is_not_overwritten_by_what_was_removed(workspace: Workspace) -> None:
    removed = remove_list(workspace, keep(workspace, found(workspace, VECTORS, term="old")))
    fresh = keep(workspace, found(workspace, VECTORS, term="new"))
    assert restore_list(workspace, removed) == fresh
    assert [suggestion_list.id for suggestion_list in kept_lists(workspace)] == [fresh]
    assert read_list(workspace, fresh)[0].about.term == "new"


def test_progress_is_each_judges_own(workspace: Workspace) -> None:
    rows = read_list(workspace, keep(workspace, found(workspace, VECTORS)))
    say(workspace, ANNA, rows[0].about, "wrong")
    say(workspace, ANNA, rows[1].about, "later")
    say(workspace, BEN, rows[0].about, "correct")
    of_all = by_subject(judged(workspace))
    assert counts(rows, of_all, ANNA) == {
        "correct": 0, "also": 0, "changed": 0, "wrong": 1, "unsure": 0, "later": 1,
    }  # fmt: skip
    assert counts(rows, of_all, BEN) == {
        "correct": 1, "also": 0, "changed": 0, "wrong": 0, "unsure": 0, "later": 0,
    }  # fmt: skip
    assert [verdict.judge for verdict in of_all[rows[0].about]] == [ANNA, BEN]


@pytest.mark.parametrize("orcid", ["0000-0002-1825-0097", "https://orcid.org/0000-0002-1694-233X"])
def test_people_are_entered_once(workspace: Workspace, orcid: str) -> None:
    entered = [add_person(workspace, " Anna  Berg ", orcid) for _ in range(2)]
    assert entered[0] == entered[1] == Judge("Anna Berg", orcid.removeprefix("https://orcid.org/"))
    assert list_people(workspace) == entered[:1]


@pytest.mark.parametrize("orcid", ["0000-0002-1825-0098", "0000000218250097", "Anna"])
def test_an_orcid_that_cannot_be_is_refused(workspace: Workspace, orcid: str) -> None:
    with pytest.raises(UserError, match="is no ORCID"):
        add_person(workspace, "Anna", orcid)
    assert list_people(workspace) == []


def test_somebody_without_a_name_is_refused(workspace: Workspace) -> None:
    with pytest.raises(UserError, match="name"):
        add_person(workspace, "  ")
