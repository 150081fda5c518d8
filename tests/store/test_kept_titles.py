"""Titles that the program gave are told in German; a user's own stay as they are."""

import pytest

from termexplorer.store.kept_titles import tell_title


@pytest.mark.parametrize(
    ("title", "message"),
    [
        ("few-shot, 15 names a class, level 1", "few-shot, 15 Bezeichnungen je Klasse, Ebene 1"),
        ("dan, level 2 + 3 lists", "dan, Ebene 2 + 3 Listen"),
        (
            "fastText mean, ICD-10-CM 2026, epochs 2 (2)",
            "fastText-Mittel, ICD-10-CM 2026, 2 Epochen (2)",
        ),
        ("encode, synonym sets below DOID:4", "encode, Synonymmengen unter DOID:4"),
        ("toy mean #5 + 0.3 TF-IDF", "toy-Mittel #5 + 0.3 TF-IDF"),
        ("Edit distance", "Editierdistanz"),
        ("the one we like", "the one we like"),
        ("", ""),
    ],
)
@pytest.mark.usefixtures("german")
def test_titles_of_the_program_are_german(title: str, message: str) -> None:
    assert tell_title(title) == message


def test_titles_stay_english_for_commands() -> None:
    assert tell_title("few-shot, 15 names a class, level 1").endswith("level 1")
