"""The help: topics in Markdown, one file each, and the search through them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from termexplorer.resources import FOLDER
from termexplorer.store.indexes.folding import fold_text
from termexplorer.texts import language

ORDER = (
    "first_hour",
    "explore",
    "levels",
    "train",
    "evaluate",
    "compare",
    "map",
    "judge",
    "trust",
    "glossary",
    "papers",
)
"""The keys of the topics; those of pages are the pages' own."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of the help.

    Attributes:
        key: by which links lead to it.
        title: its first heading.
        text: Markdown.
    """

    key: str
    title: str
    text: str


def topics() -> tuple[Topic, ...]:
    """All topics in their order, in the language in use where there are such."""
    return _read_topics(language())


@cache
def _read_topics(name: str) -> tuple[Topic, ...]:
    return tuple(_make_topic(key, _topic_file(key, name).read_text("utf-8")) for key in ORDER)


def _topic_file(key: str, name: str) -> Path:
    topic_path: Path = FOLDER / "help" / name / f"{key}.md"
    return topic_path if topic_path.is_file() else topic_path.parent.parent / topic_path.name


def _make_topic(key: str, text: str) -> Topic:
    return Topic(key, text.partition("\n")[0].lstrip("# "), text)


def found(words: str) -> tuple[Topic, ...]:
    """The topics that hold all words, parts of words too, those with a hit in the title first."""
    wanted = fold_text(words).split()
    hits = [topic for topic in topics() if all(word in fold_text(topic.text) for word in wanted)]
    return tuple(sorted(hits, key=lambda topic: not _matches_title(topic, wanted)))


def _matches_title(topic: Topic, wanted: list[str]) -> bool:
    return bool(wanted) and all(word in fold_text(topic.title) for word in wanted)
