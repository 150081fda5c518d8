"""The help: topics in Markdown, one file each, and the search through them."""

from dataclasses import dataclass
from functools import cache

from termexplorer.resources import FOLDER

ORDER = (
    "first_hour",
    "explore",
    "levels",
    "train",
    "evaluate",
    "compare",
    "map",
    "judge",
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


@cache
def topics() -> tuple[Topic, ...]:
    """All topics in their order."""
    return tuple(_topic(key, (FOLDER / "help" / f"{key}.md").read_text("utf-8")) for key in ORDER)


def _topic(key: str, text: str) -> Topic:
    return Topic(key, text.partition("\n")[0].lstrip("# "), text)


def found(words: str) -> tuple[Topic, ...]:
    """The topics that hold all words, parts of words too, those with a hit in the title first."""
    wanted = words.casefold().split()
    hits = [each for each in topics() if all(word in each.text.casefold() for word in wanted)]
    return tuple(sorted(hits, key=lambda each: not _titled(each, wanted)))


def _titled(topic: Topic, wanted: list[str]) -> bool:
    return bool(wanted) and all(word in topic.title.casefold() for word in wanted)
