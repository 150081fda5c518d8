"""Full-text indexes of the search box: words with their prefixes, and trigrams for inside words.

Both index names and identifiers. A row of the index is `2 * id` for a name and `2 * id + 1` for
an identifier, so one index answers for both.
"""

from collections.abc import Mapping

from termexplorer.store.database.raw_sql import SqlReader

LONGEST_PREFIX = 4  # letters, of those that the index of words has at hand
CREATE = (
    """CREATE VIEW searchable AS
    SELECT 2 * id AS id, text FROM name UNION ALL SELECT 2 * id + 1, text FROM identifier""",
    """CREATE VIRTUAL TABLE search_words USING fts5(
        text, content='searchable', content_rowid='id', columnsize=0,
        tokenize='unicode61 remove_diacritics 2', prefix='1 2 3 4')""",
    """CREATE VIRTUAL TABLE search_trigrams USING fts5(
        text, content='searchable', content_rowid='id', columnsize=0, tokenize='trigram')""",
)
INDEXES = ("search_words", "search_trigrams")
ADD = {  # table -> what adds its rows from one id to another to an index
    "identifier": """INSERT INTO {0}(rowid, text)
        SELECT 2 * id + 1, text FROM identifier WHERE id BETWEEN ? AND ? ORDER BY id""",
    "name": """INSERT INTO {0}(rowid, text)
        SELECT 2 * id, text FROM name WHERE id BETWEEN ? AND ? ORDER BY id""",
}
# While rows are loaded, so many parts of an index are merged at once, not four, and never all of a
# level in one transaction, which others would have to wait for: this takes a quarter off the work.
# And what a transaction adds is gathered in memory, 16 MB of it, until it is one part.
# At the end `MERGE` is run until it finds nothing to do, as a search asks every part.
GATHER = {"automerge": 64, "crisismerge": 1000, "hashsize": 1 << 24}
USUAL = {"automerge": 4, "crisismerge": 16, "hashsize": 1 << 20}
_SET = "INSERT INTO {0}({0}, rank) VALUES (?, ?)"
MERGE = "INSERT INTO {0}({0}, rank) VALUES ('merge', 500)"


def set_merging(connection: SqlReader, settings: Mapping[str, int]) -> None:
    """Sets when parts of the indexes are merged: `GATHER` or `USUAL`."""
    for index in INDEXES:
        for setting in settings.items():
            connection.exec_driver_sql(_SET.format(index), setting)
