"""What the hash of a release is made of: kept hashes are compared with it for ever."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from termexplorer.importers.records import ConceptRecord, NameRecord

TEXTS = st.text(max_size=12)
LISTS = st.lists(TEXTS, max_size=3).map(tuple)
NAMES = st.lists(st.builds(NameRecord, TEXTS, TEXTS, TEXTS), max_size=3).map(tuple)
RECORDS = st.builds(
    ConceptRecord, TEXTS, TEXTS, TEXTS, NAMES, LISTS, TEXTS, LISTS, LISTS, st.booleans(), LISTS,
    LISTS, st.integers(0, 99), LISTS, LISTS, LISTS,
)  # fmt: skip


@given(RECORDS)
def test_it_is_what_releases_were_always_hashed_by(record: ConceptRecord) -> None:
    later = repr((record.same_as, record.associations))
    known = record.same_as or record.associations
    assert record.content_text() == f"{repr(record)[:-1]}, line=0){later if known else ''}"


@given(RECORDS)
def test_neither_its_line_nor_its_modules_count(record: ConceptRecord) -> None:
    moved = replace(record, line=record.line + 1, modules=("M:1",), parent_lines={"A:1": 3})
    assert moved.content_text() == record.content_text()
