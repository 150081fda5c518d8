"""The help: topics in Markdown, one file each, and the search through them."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from termexplorer.resources import FOLDER
from termexplorer.store.indexes.folding import fold_text
from termexplorer.texts import language

FIRST_TOPIC = "first_hour"
_LAST = ("trust", "glossary", "papers")


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


def order_topics(pages: Iterable[str]) -> tuple[str, ...]:
    """Return the keys of all topics: of the first hour, of the pages, of what is everywhere.

    Args:
        pages: keys of pages, each of which has a topic, in their order.
    """
    return (FIRST_TOPIC, *pages, *_LAST)


def topics(pages: Iterable[str]) -> tuple[Topic, ...]:
    """All topics in their order, in the language in use where there are such."""
    return tuple(_read_topic(key, language()) for key in order_topics(pages))


@cache
def _read_topic(key: str, name: str) -> Topic:
    return _make_topic(key, _topic_file(key, name).read_text("utf-8"))


def _topic_file(key: str, name: str) -> Path:
    topic_path: Path = FOLDER / "help" / name / f"{key}.md"
    return topic_path if topic_path.is_file() else topic_path.parent.parent / topic_path.name


def _make_topic(key: str, text: str) -> Topic:
    return Topic(key, text.partition("\n")[0].lstrip("# "), text)


def found(words: str, pages: Iterable[str]) -> tuple[Topic, ...]:
    """The topics that hold all words, parts of words too, those with a hit in the title first."""
    wanted = fold_text(words).split()
    hits = [
        topic for topic in topics(pages) if all(word in fold_text(topic.text) for word in wanted)
    ]
    return tuple(sorted(hits, key=lambda topic: not _matches_title(topic, wanted)))


def _matches_title(topic: Topic, wanted: list[str]) -> bool:
    return bool(wanted) and all(word in fold_text(topic.title) for word in wanted)
