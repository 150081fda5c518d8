"""Suggestions on their way from a file into a list, which need no memory however many they are."""

import json
from collections.abc import Iterator
from hashlib import blake2b

from termexplorer.store.judging.suggestions import Suggestion
from termexplorer.store.judging.verdict_spool import TemporaryTables
from termexplorer.store.judging.verdicts import Judge, VerdictSubject

_CREATE = """
CREATE TABLE suggestion (
    place INTEGER PRIMARY KEY, question TEXT, subject TEXT, object TEXT, term TEXT, cells TEXT,
    slots TEXT
);
CREATE TABLE said (suggestion INTEGER, judge TEXT, PRIMARY KEY (suggestion, judge)) WITHOUT ROWID;
CREATE TABLE mapped (place INTEGER PRIMARY KEY, id TEXT UNIQUE);
"""
_ADD = "INSERT INTO suggestion VALUES (NULL, ?, ?, ?, ?, ?, ?)"
_ALL = "SELECT question, subject, object, term, cells, slots FROM suggestion ORDER BY place"
_ADD_ID = "INSERT OR IGNORE INTO mapped (id) VALUES (?)"
_IDS = "SELECT id FROM mapped ORDER BY place"
_NOBODY = ""


class SuggestionSpool(TemporaryTables):
    """The suggestions of a file in its order, and which were judged by whom.

    Rows of several judges on one suggestion are one suggestion; a further row of a judge is the
    next one.
    """

    def __init__(self) -> None:
        super().__init__(_CREATE)

    def add(self, suggested: Suggestion, shown: Suggestion, *, judged: bool) -> None:
        """Take a mapping.

        Args:
            suggested: what tells it from others.
            shown: as it is kept.
            judged: whether verdicts came with it, which those of further rows are put to.
        """
        self._add_suggestion(shown)
        if judged:
            self._begin_anew(_hash_suggestion(suggested))

    def add_judged(self, suggested: Suggestion, shown: Suggestion, judge: Judge) -> None:
        """Take a mapping that a judge said something of, unless that was taken already."""
        key, who = _hash_suggestion(suggested), repr(judge)
        known = self.run("SELECT 1 FROM said WHERE suggestion = ?", (key,)).fetchone()
        twice = "SELECT 1 FROM said WHERE suggestion = ? AND judge = ?"
        if not known or self.run(twice, (key, who)).fetchone():
            self._add_suggestion(shown)
            self._begin_anew(key)
        self.run("INSERT INTO said VALUES (?, ?)", (key, who))

    def count(self) -> int:
        """Return how many there are."""
        return int(self.run("SELECT count(*) FROM suggestion").fetchone()[0])

    def add_id(self, identifier: str) -> None:
        """Take the id of what is mapped."""
        self.run(_ADD_ID, (identifier,))

    def iterate_ids(self) -> Iterator[str]:
        """Yield the ids of what is mapped, each once, in the order in which they come first."""
        for (identifier,) in self.run(_IDS):
            yield identifier

    def __iter__(self) -> Iterator[Suggestion]:
        """Yield all in the order of the file."""
        for question, subject, to, term, cells, slots in self.run(_ALL):
            about = VerdictSubject(question, subject, to, term)
            yield Suggestion(about, json.loads(cells), json.loads(slots))

    def _add_suggestion(self, shown: Suggestion) -> None:
        about = shown.about
        cells, slots = json.dumps(list(shown.cells)), json.dumps(dict(shown.slots))
        self.run(_ADD, (about.question, about.subject, about.object, about.term, cells, slots))

    def _begin_anew(self, key: int) -> None:
        self.run("DELETE FROM said WHERE suggestion = ?", (key,))
        self.run("INSERT INTO said VALUES (?, ?)", (key, _NOBODY))


def _hash_suggestion(suggested: Suggestion) -> int:
    key = repr((suggested.about, list(suggested.cells), sorted(suggested.slots.items())))
    digest = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)
