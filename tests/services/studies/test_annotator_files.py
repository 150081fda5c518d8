"""Each annotator's file has a name of its own on whatever file system."""

import unicodedata
from pathlib import Path

import pytest

from termexplorer.services.files.annotator_files import name_files


@pytest.mark.parametrize(
    "people",
    [
        ("Anna", "ANNA", "anna."),
        ("a/b", "a:b", "a?b", "a-b"),
        ("Zoë", unicodedata.normalize("NFD", "Zoë"), "ZOË"),
        ("…", "..", "", "annotator"),
        ("x" * 300 + "1", "x" * 300 + "2"),
        ("ß", "ss", "SS"),
        ("Anna (2)", "Anna", "anna"),
    ],
)
def test_no_two_people_have_a_file_that_a_file_system_takes_for_one(
    people: tuple[str, ...],
) -> None:
    names = name_files(people)
    assert list(names) == list(people)
    folded = {unicodedata.normalize("NFKD", name).casefold() for name in names.values()}
    assert len(folded) == len(people)


def test_file_names_are_allowed_everywhere(tmp_path: Path) -> None:
    for name in name_files(["a\\b", "con", "nul.x", ". ", "ä" * 200, "a\nb"]).values():
        assert not set(name) & set('\\/:*?"<>|\n')
        assert name.lower() not in {"con", "nul.x"}
        (tmp_path / f"{name}.termstudy").touch()
    assert len(list(tmp_path.iterdir())) == 6
