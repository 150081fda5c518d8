from hypothesis import given
from hypothesis import strategies as st

from termexplorer.importers.records import NameRecord
from termexplorer.importers.text.text import NameCleaner

text = st.text(st.sampled_from("aAb \t\x01\u00a0"), max_size=4)
records = st.builds(NameRecord, text, st.sampled_from(["preferred", "synonym"]))


@given(st.lists(st.lists(records, max_size=6), max_size=3))
def test_names_are_kept_once_and_the_rest_is_counted(concepts):
    cleaner = NameCleaner()
    dropped = 0
    for names in concepts:
        distinct_names = cleaner.distinct(names)
        cleaned = [" ".join(name.text.replace("\x01", "").split()) for name in names]
        keys = [own_text.casefold() for own_text in cleaned if own_text]
        assert sorted(name.text.casefold() for name in distinct_names) == sorted(set(keys))
        assert all(name.text in cleaned for name in distinct_names)
        assert [name.kind for name in distinct_names] == sorted(
            name.kind for name in distinct_names
        )
        dropped += len(keys) - len(distinct_names)
    assert [note.count for note in cleaner.notes()] == [dropped] * (dropped > 0)


def test_repeats_whose_white_space_differs_are_told_apart():
    cleaner = NameCleaner()
    cleaner.distinct([NameRecord(text, "synonym") for text in ("a b", "A b", "a  b", " a b", "c")])
    (note,) = cleaner.notes()
    assert note.text.startswith("3 names that repeat")
    assert note.text.endswith("in 2 of them the white space differs")


def test_names_that_differ_in_how_accents_are_typed_are_one():
    cleaner = NameCleaner()
    texts = ("Sjo\u0308gren", "Sj\u00f6gren", "m\u00b2")
    distinct_names = cleaner.distinct(NameRecord(text, "synonym") for text in texts)
    assert [name.text for name in distinct_names] == ["Sj\u00f6gren", "m\u00b2"]
    (note,) = cleaner.notes()
    assert note.text.endswith("is kept once")


def test_signs_written_as_in_xml_are_read_as_themselves():
    cleaner = NameCleaner()
    texts = ["Gunther&apos;s", "Gunther's", "A&#39;b", "x &#x3C; y", "na&iuml;ve", "&#1;c"]
    texts += ["R&D; AT&T", "&nosuch; &", "&amp;lt;"]
    distinct_names = cleaner.distinct([NameRecord(text, "synonym") for text in texts])
    assert [name.text for name in distinct_names] == [
        *("Gunther's", "A'b", "x < y", "na\u00efve", "c", "R&D; AT&T", "&nosuch; &", "&lt;")
    ]
    counts = {note.kind: note.count for note in cleaner.notes()}
    assert counts == {"repeated names": 1, "XML signs": 6}
