"""Which names a map is of: those below a concept, of a class, found, or on a list."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from toy_workspace import VECTORS, quiet

from termexplorer.errors import UserError
from termexplorer.services.explore.bookmarks import toggle_bookmark
from termexplorer.services.explore.release_texts import release_texts
from termexplorer.services.levels.concept_lists import (
    ListInfo,
    add_to_list,
    concept_lists,
    remove_list,
    restore_list,
)
from termexplorer.services.levels.lens import LevelChoice, level_lens
from termexplorer.services.map.choice import choice_text, classes_on, count_points
from termexplorer.services.map.points import points_of_names
from termexplorer.services.map.projection import ProjectionRequest, project, stored_map
from termexplorer.store.releases import concepts
from termexplorer.store.releases.corpus import release_names
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

REMAKES = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def asked(workspace: Workspace, **more: object) -> ProjectionRequest:
    return ProjectionRequest(workspace.folder, 1, VECTORS, method="pca", **more)  # type: ignore[arg-type]


def laid_out(workspace: Workspace, **more: object) -> list[str]:
    name_map = project(workspace, asked(workspace, **more), JobControl(), quiet)
    return list(points_of_names(workspace, 1, name_map.name_ids).names)


def test_a_search_chooses_all_that_it_finds_by_names_codes_and_synonyms(
    workspace: Workspace,
) -> None:
    names = laid_out(workspace, search="Lung left")
    with workspace.store.reading() as connection:
        every = release_names(connection, 1)
    texts: dict[int, list[str]] = {}
    for concept, text in zip(every.concept_ids.tolist(), every.texts, strict=True):
        texts.setdefault(concept, []).append(text)
    right = [
        name_texts[0]
        for name_texts in texts.values()
        if any("lung" in own_text and "left" in own_text for own_text in name_texts)
    ]
    assert sorted(names) == sorted(right)
    assert len(names) == 3 * 6 * 2
    assert count_points(workspace, asked(workspace, search="TOY:123")).concepts == 1


@REMAKES
@given(st.text(st.sampled_from("lungvira t-é:1"), max_size=12))
def test_a_search_finds_what_holds_each_of_its_words(workspace: Workspace, query: str) -> None:
    result = count_points(workspace, asked(workspace, search=query, names="all"))
    if not query:
        assert result.names == result.of_names
        return
    assert result.concepts <= result.of_concepts
    for word in query.split():
        assert result.concepts <= count_points(workspace, asked(workspace, search=word)).concepts


def test_choices_narrow_each_other_down(workspace: Workspace) -> None:
    below = set(laid_out(workspace, root="TOY:1"))
    laid_names = set(laid_out(workspace, search="viral"))
    assert set(laid_out(workspace, root="TOY:1", search="viral")) == below & laid_names


def test_it_is_said_how_many_names_are_chosen(workspace: Workspace) -> None:
    count = count_points(workspace, asked(workspace, root="TOY:1"))
    assert (count.names, count.concepts, count.of_concepts) == (94, 94, 377)
    assert count.of_names > 377
    assert count.text == f"94 of {count.of_names} names, 94 of 377 concepts"
    every = count_points(workspace, asked(workspace, names="all"))
    assert every.names == every.of_names


def test_the_classes_of_a_level_are_roots_to_choose(workspace: Workspace) -> None:
    result = classes_on(workspace, 1, 1)
    assert result.levels == 5
    assert {row.label for row in result.rows} == {
        f"{organ} disease" for organ in ("lung", "heart", "liver", "kidney")
    }
    sizes = [row.names for row in result.rows]
    assert sizes == sorted(sizes, reverse=True)
    assert classes_on(workspace, 1, 99).level == 5
    names = laid_out(workspace, root=result.rows[0].curie)
    assert result.rows[0].label in names


def test_a_list_is_kept_chosen_removed_and_made_again(workspace: Workspace) -> None:
    curies = ["TOY:1", "TOY:2", "TOY:3", "TOY:2"]
    assert add_to_list(workspace, "  my  list ", 1, curies) == "3 concepts put on the list my list"
    message = add_to_list(workspace, "my list", 1, ["TOY:3", "TOY:4"])
    assert message == "1 concept put on the list my list; 1 was on it before"
    assert concept_lists(workspace) == [ListInfo("my list", 4)]
    request = asked(workspace, list_title="my list")
    first = project(workspace, request, JobControl(), quiet)
    assert set(points_of_names(workspace, 1, first.name_ids).concepts) == {
        "TOY:1",
        "TOY:2",
        "TOY:3",
        "TOY:4",
    }
    add_to_list(workspace, "my list", 1, ["TOY:5"])
    assert stored_map(workspace, request) is None  # the list is another one
    items = remove_list(workspace, "my list")
    assert concept_lists(workspace) == []
    with pytest.raises(UserError, match=r"no list my list; there are none yet: keep what is encl"):
        stored_map(workspace, request)
    restore_list(workspace, "my list", items)
    assert count_points(workspace, request).concepts == 5


def test_bookmarks_are_a_list_and_stay_one(workspace: Workspace) -> None:
    with workspace.store.reading() as connection:
        ids = concepts.descendants(connection, concepts.find(connection, 1, "TOY:1").id)  # type: ignore[union-attr]
    for concept in sorted(ids)[:3]:
        toggle_bookmark(workspace, concept)
    assert concept_lists(workspace) == [ListInfo("bookmarks", 3)]
    assert count_points(workspace, asked(workspace, list_title="bookmarks")).concepts == 3


def test_what_cannot_be_chosen(workspace: Workspace) -> None:
    with pytest.raises(UserError, match="a list needs a title"):
        add_to_list(workspace, "  ", 1, ["TOY:1"])
    add_to_list(workspace, "one", 1, ["TOY:1"])
    with pytest.raises(UserError, match="there is no list two; there are one"):
        laid_out(workspace, list_title="two")
    with pytest.raises(UserError, match="there are 1 in the list one"):
        laid_out(workspace, list_title="one")
    with pytest.raises(UserError, match="there are 0 in TOY:1 and below, what 'xyz' finds"):
        laid_out(workspace, root="TOY:1", search="xyz")
    with pytest.raises(UserError, match="there are 0 in what '!!' finds"):
        laid_out(workspace, search="!!")


def test_choices_in_words(workspace: Workspace) -> None:
    request = asked(workspace, root="TOY:1", search="viral", list_title="mine")
    assert choice_text(request, "lung disease") == "lung disease, what 'viral' finds, the list mine"
    assert choice_text(replace(request, root="", search="", list_title=""), "") == ""


def test_a_release_is_read_once_for_all_who_look_at_its_levels(workspace: Workspace) -> None:
    choice = LevelChoice(dead_ends=False)
    lens = level_lens(workspace, 1, choice)
    assert level_lens(workspace, 1, choice.on(2)) is lens
    assert level_lens(workspace, 1, LevelChoice(depth=2)) is not lens
    assert release_texts(workspace, 1) is release_texts(workspace, 1)
    with pytest.raises(UserError, match="there is no ontology '7'"):
        level_lens(workspace, 7, choice)
