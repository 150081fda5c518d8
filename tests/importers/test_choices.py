import pytest
from importing import read, write

from termexplorer.errors import UserError
from termexplorer.importers.choices import ImportChoice, Option, chosen

SOURCES = ImportChoice(
    "sources", "Vocabularies", (Option("MSH", "MeSH", 7), Option("ICD", "ICD", 3)), ("MSH",)
)
LANGUAGE = ImportChoice(
    "language", "Language", (Option("en", "en"), Option("fr", "fr")), ("en",), False
)


def test_what_is_not_asked_for_is_as_usual():
    assert chosen((SOURCES, LANGUAGE), {}) == {"sources": ("MSH",), "language": ("en",)}
    asked = {"choices": {"sources": ("icd", "MSH", "icd")}}
    assert chosen((SOURCES, LANGUAGE), asked) == {"sources": ("ICD", "MSH"), "language": ("en",)}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"source": ("MSH",)}, "nothing called 'source' to choose; there are sources, language"),
        ({"sources": ("MSH", "X")}, "no 'X' among sources; there are MSH, ICD"),
        ({"language": ("en", "fr")}, "one value of language can be chosen, not 2"),
    ],
)
def test_what_is_not_there_is_refused(asked, message):
    with pytest.raises(UserError, match=message):
        chosen((SOURCES, LANGUAGE), {"choices": asked})


def test_a_format_without_choices_refuses_any(tmp_path):
    path = write(tmp_path, "names.txt", "1||one\n")
    with pytest.raises(UserError, match="nothing to choose of this file"):
        read("dictionary", path, choices={"sources": ("MSH",)})
