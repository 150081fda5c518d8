"""What annotators may look up: read, kept with the study, sent in the pack, found."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_studies import ANNA, make, opened, sent

from termexplorer.errors import UserError
from termexplorer.services.studies.glossary import Entry, look_up, read_glossary
from termexplorer.services.studies.packs import open_pack
from termexplorer.services.studies.studies import find_study
from termexplorer.store.judging.studies import NOWHERE, LookUp
from termexplorer.workspace import Workspace

GLOSSARY = (Entry("RSV", "a virus"), Entry("c++", "a language"), Entry("heart", "a muscle"))


def test_a_glossary_is_lines_of_a_term_and_a_text(tmp_path: Path) -> None:
    path = tmp_path / "glossary.tsv"
    path.write_text("\ufeffRSV\ta virus\n\n c++ \ta language\r\nheart\ta muscle\n", "utf-8")
    assert read_glossary(path) == GLOSSARY


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a\tb\nc", "line 2: is not a term, a tab and a text"),
        ("\tb", "line 1: is not a term"),
        ("a\t" + "b" * 2_001, "line 1: the text has 2,001 characters"),
        ("\n", "has 0 entries"),
    ],
)
def test_what_is_no_glossary_is_told_with_its_line(tmp_path: Path, text: str, kind: str) -> None:
    path = tmp_path / "glossary.tsv"
    path.write_text(text, "utf-8")
    with pytest.raises(UserError, match=kind):
        read_glossary(path)
    with pytest.raises(UserError, match="cannot be read"):
        read_glossary(tmp_path)


def test_entries_are_found_as_whole_words() -> None:
    assert look_up(GLOSSARY, "rsv bronchiolitis", "RSVs") == [GLOSSARY[0]]
    assert look_up(GLOSSARY, "Heart attack", "C++ of the hearts") == [GLOSSARY[1], GLOSSARY[2]]
    assert look_up(GLOSSARY, "hearts", "c+") == []


@given(st.text("ab c(+", min_size=1, max_size=6), st.text("ab c(+", max_size=12))
def test_an_entry_is_found_where_it_stands_between_other_words(term: str, around: str) -> None:
    entry = Entry(term, "x")
    assert look_up([entry], f"{around} {term} {around}") == [entry]
    naive = any(
        around[start:].startswith(term)
        and not (start and around[start - 1].isalnum())
        and not around[start + len(term) : start + len(term) + 1].isalnum()
        for start in range(len(around))
    )
    assert bool(look_up([entry], around)) == naive


@pytest.mark.parametrize(
    ("term", "shown"),
    [
        ("β-thalassaemia", "beta-thalassaemia minor"), ("vitamin B12", "low vitamin B₁₂"),
        ("Strasse", "Straße"), ("Crohn's", "Crohn’s disease"), ("Sjögren", "Sjogren syndrome"),
    ],
)  # fmt: skip
def test_an_entry_is_found_however_it_is_written(term: str, shown: str) -> None:
    assert look_up([Entry(term, "text")], shown) == [Entry(term, "text")]


def test_a_pack_brings_it_along(empty: Workspace, tmp_path: Path) -> None:
    allowed = LookUp(True, GLOSSARY)
    make(empty, look_up=allowed)
    make(empty, title="Another")
    assert find_study(empty, 1).head.look_up == allowed
    assert find_study(empty, 2).head.look_up == NOWHERE
    pack = sent(empty, 1, ANNA, tmp_path)
    with opened(tmp_path / "clinic") as workspace:
        result = open_pack(workspace, pack)
        assert find_study(workspace, result.study_id).head.look_up == allowed
    plain = json.loads(sent(empty, 2, ANNA, tmp_path).read_text("utf-8"))
    assert "look_up" not in plain["content"]
