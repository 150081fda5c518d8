"""Full-text indexes of the search box: words with their prefixes, and trigrams for inside words.

Both index names and identifiers. A row of the index is `2 * id` for a name and `2 * id + 1` for
an identifier, so one index answers for both.
"""

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
# While rows are loaded, so many parts of an index are merged at once, not four: this halves the
# work. At the end `MERGE` is run until it finds nothing to do, as a search asks every part.
GATHER = "INSERT INTO {0}({0}, rank) VALUES ('automerge', 16)"
MERGE = "INSERT INTO {0}({0}, rank) VALUES ('merge', 500)"
