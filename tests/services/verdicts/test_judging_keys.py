from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from termexplorer.services.studies.answer_lines import check_answers
from termexplorer.services.studies.presets import find_scale
from termexplorer.services.verdicts.judging_keys import (
    ANNOTATIONS,
    COMMENT,
    GIVEN_ANSWERS,
    GUIDELINES,
    LATER,
    SAVE,
    TAKEN_LETTERS,
    UNDO_TOO,
    mapping_keys,
    scale_keys,
    suggestion_keys,
)
from termexplorer.services.verdicts.mapping_answers import predicate_title
from termexplorer.store.judging.studies import AnswerChoice

ROOT = Path(__file__).parents[3]


def choices(*answers: str) -> list[AnswerChoice]:
    return [AnswerChoice(answer) for answer in answers]


def test_answers_that_are_numbers_have_no_other_keys() -> None:
    assert scale_keys(choices("same", "not same", "don't know")) == {
        "same": ("1", "S"), "not same": ("2", "N"), "don't know": ("3", "D"),
    }  # fmt: skip
    assert scale_keys(find_scale("relatedness").answers) == {
        "0": ("0",), "1": ("1",), "2": ("2",), "3": ("3",), "don't know": ("D",),
    }  # fmt: skip
    assert scale_keys(choices("correct", "wrong", "close")) == {
        "correct": ("1",), "wrong": ("2",), "close": ("3",),
    }  # fmt: skip
    own_choices = [
        *choices("same", "broader"),
        AnswerChoice("narrower", key="B"),
        AnswerChoice("other", key="1"),
    ]
    assert scale_keys(own_choices) == {
        "same": ("S",), "broader": ("2",), "narrower": ("B",), "other": ("1",),
    }  # fmt: skip


@given(st.lists(st.text(st.sampled_from("abcgl1209 "), min_size=1, max_size=3), max_size=12))
def test_a_key_gives_one_answer_or_is_a_tool(answers: list[str]) -> None:
    keys = [key for keys in scale_keys(choices(*dict.fromkeys(answers))).values() for key in keys]
    assert len(set(keys)) == len(keys)
    assert not TAKEN_LETTERS & set(keys)


@pytest.mark.parametrize("letter", sorted(TAKEN_LETTERS))
def test_no_author_takes_the_key_of_a_tool(letter: str) -> None:
    answers = [AnswerChoice("same", value=1, key=letter), AnswerChoice("not same", value=0)]
    with pytest.raises(ValueError, match=letter):
        check_answers(answers, "nominal")


def test_suggestions_have_the_first_letters_of_the_language() -> None:
    assert list(suggestion_keys().values()) == ["C", "A", "W", "U", "L"]


def test_help_and_readme_name_these_keys() -> None:
    help_folder = ROOT / "resources" / "help"
    suggestions = ", ".join(f"{key} {answer}" for answer, key in suggestion_keys().items())
    curate = " ".join((help_folder / "curate.md").read_text("utf-8").split())
    predicates = (f"{key} {predicate_title(p).lower()}" for p, key in mapping_keys().items())
    assert suggestions in curate
    assert ", ".join(predicates) in curate
    judging = (help_folder / "judge.md").read_text("utf-8")
    assert all(f"{key}" in judging for key in (f"({GIVEN_ANSWERS})", f"; {ANNOTATIONS} "))
    readme = " ".join((ROOT / "README.md").read_text("utf-8").split())
    named = (f"({GUIDELINES} ", f"{UNDO_TOO} takes back", f"{COMMENT} comments", f"{LATER} puts",
             f"({SAVE})")  # fmt: skip
    assert [words for words in named if words not in readme] == []
