"""What a report calls pair sets, and how it tells where they come from."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from termexplorer.services.pairs.sets import SOURCES
from termexplorer.trainer.term_pairs.kinds import EASY, HARD, STRATEGIES

_SHORT = {
    "preferred_synonym": "preferred – synonym",
    "synonym_synonym": "synonym – synonym",
    "consider": "to consider",
    "replaced_by": "replaced by",
    "same_as": "same as",
}
_NOT_RECORDED = "not recorded"  # older studies, and pairs of other files
_UNKNOWN = "not in this workspace when the study was made"


def readable_set(name: str) -> str:
    """Return what a set made here is called in words, in English; other names stay as they are."""
    stem, _, part = name.partition(", ")
    source, _, kinds = stem.partition("-")
    difficulty, _, strategy = kinds.partition("-")
    if source not in _SHORT or difficulty not in (EASY, HARD) or strategy not in STRATEGIES:
        return name
    return ", ".join(word for word in (_SHORT[source], difficulty, strategy, part) if word)


def describe_sources(sources: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield the release and the rules of pair sets in words, in English."""
    if not sources:
        yield "Release", _NOT_RECORDED
        yield "Rules of the pair sets", _NOT_RECORDED
    for source in sources:
        release = source["release"] or _UNKNOWN
        yield "Release", f"{release}, content hash {source['content_hash']}"
        similar = "; ".join(SOURCES.get(name, name) for name in source["sources"])
        threshold = source["threshold"]
        yield (
            "Similar pairs",
            f"two terms of one concept or of linked ones: {similar}. Easy up to an edit distance "
            f"of {threshold:,}, hard above",
        )
        how = {"random": "drawn at random", "nearest": "nearest in spelling"}
        strategies = " or ".join(how.get(name, name) for name in source["strategies"])
        left_out = [
            words
            for name, words in (
                ("ancestors", "concepts of which one is below the other"),
                ("siblings", "concepts with a parent in common"),
            )
            if source[name]
        ]
        rule = f"; none of {', nor of '.join(left_out)}" if left_out else ""
        yield "Dissimilar pairs", f"two terms of different concepts, {strategies}{rule}"
        yield "Seed of the sets", f"{source['seed']}"
