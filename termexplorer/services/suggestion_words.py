"""What a suggestion asks, in words."""

from termexplorer.store.suggestions import KeptList, Suggested
from termexplorer.texts import mark, translated

_SAME = mark("Do {subject} and {object} mean the same?")
_QUESTIONS = {
    "skos:exactMatch": _SAME,
    "skos:closeMatch": _SAME,
    "skos:broadMatch": mark("Is {object} broader than {subject}?"),
    "skos:narrowMatch": mark("Is {object} narrower than {subject}?"),
    "skos:relatedMatch": mark("Is {object} related to {subject}?"),
}
_OTHER = mark("Is {subject} {predicate} {object}?")
_OF_KIND = {
    "misplaced": mark("Does {subject} belong below {object} rather than where it is?"),
    "names": mark("Is “{term}” a name of {object} rather than of {subject}?"),
    "duplicates": mark("Are {subject} and {object} one and the same concept?"),
}


def question_on(kept: KeptList, suggestion: Suggested) -> str:
    """The question on a suggestion of a list, with its concepts by name."""
    about = suggestion.about
    return translated(
        _words(kept, about.question),
        subject=named(suggestion, "subject"),
        object=named(suggestion, "object"),
        term=about.term,
        predicate=about.question,
    )


def question_on_sides(kept: KeptList, predicate: str) -> str:
    """The same question on whatever stands at the left and at the right.

    It is in English in any window: it is part of what tells studies apart.
    """
    return _words(kept, predicate).format(
        subject="the left one", object="the right one", term="the left name", predicate=predicate
    )


def named(suggestion: Suggested, side: str) -> str:
    """What a side of a suggestion is called: `subject` or `object`."""
    return suggestion.slots.get(f"{side}_label", "") or str(getattr(suggestion.about, side))


def _words(kept: KeptList, predicate: str) -> str:
    words = _OF_KIND.get(kept.head.kind) or _QUESTIONS.get(predicate)
    return words or _OTHER
