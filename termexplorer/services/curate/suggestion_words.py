"""What a suggestion asks, in words."""

from dataclasses import replace

from termexplorer.mapping_terms import FORMER, NO_TERM, UNREPLACED
from termexplorer.services.curate.mapping_states import STATE, word_states
from termexplorer.services.verdicts.mapping_answers import ChosenMapping, is_denied
from termexplorer.store.judging.suggestions import KeptList, ListHead, Suggestion
from termexplorer.texts import mark, tr, translated

_SAME = mark("Do {subject} and {object} mean the same?")
_QUESTIONS = {
    "skos:exactMatch": _SAME,
    "skos:closeMatch": _SAME,
    "skos:broadMatch": mark("Is {object} broader than {subject}?"),
    "skos:narrowMatch": mark("Is {object} narrower than {subject}?"),
    "skos:relatedMatch": mark("Is {object} related to {subject}?"),
}
_OTHER = mark("Is {subject} {predicate} {object}?")
_NOTHING = mark("Is there nothing that means the same as {subject}?")
_SAME_STATED = mark("{subject} and {object} mean the same")
_STATEMENTS = {
    "skos:exactMatch": _SAME_STATED,
    "skos:closeMatch": _SAME_STATED,
    "skos:broadMatch": mark("{object} is broader than {subject}"),
    "skos:narrowMatch": mark("{object} is narrower than {subject}"),
    "skos:relatedMatch": mark("{object} is related to {subject}"),
}
_OTHER_STATED = "{subject} {predicate} {object}"
_NOTHING_STATED = mark("Nothing means the same as {subject}")
_NOT_SAME = mark("{subject} and {object} do not mean the same")
_DENIALS = {
    "skos:exactMatch": _NOT_SAME,
    "skos:closeMatch": _NOT_SAME,
    "skos:broadMatch": mark("{object} is not broader than {subject}"),
    "skos:narrowMatch": mark("{object} is not narrower than {subject}"),
    "skos:relatedMatch": mark("{object} is not related to {subject}"),
}
_OTHER_DENIED = mark("{subject} is not {predicate} {object}")
_NOT_REPLACED = mark("No replacement was found of what is withdrawn: {subject} → {object}")
_NOTHING_DENIED = mark("Something means the same as {subject}")
_COLUMNS = {  # also those of lists that earlier versions have kept
    text: text
    for text in (
        mark("agree"),
        mark("below"),
        mark("best"),
        mark("better"),
        mark("better class"),
        mark("code"),
        mark("comment"),
        mark("concept"),
        mark("concept name"),
        mark("confidence"),
        mark("cross-references"),
        mark("evidence"),
        mark("frequency"),
        mark("its label"),
        mark("its name"),
        mark("justification"),
        mark("known"),
        mark("label"),
        mark("likelihood"),
        mark("line"),
        mark("margin"),
        mark("name"),
        mark("negated"),
        mark("nearest name"),
        mark("object"),
        mark("other"),
        mark("other concept"),
        mark("other name"),
        mark("predicate"),
        mark("probability"),
        mark("relation"),
        mark("remark"),
        mark("rule"),
        mark("severity"),
        mark("state"),
        mark("former concept"),
        mark("former name"),
        mark("difference"),
        mark("same name"),
        mark("similarity"),
    )
}
_YES_OR_NO = {"yes": mark("yes"), "no": mark("no")}
_CELLS = {  # of columns that hold one of a few words
    "negated": _YES_OR_NO,
    "same name": _YES_OR_NO,
    "known": _YES_OR_NO,
    "predicate": {
        "exact": mark("exact"), "broad": mark("broader"), "narrow": mark("narrower"),
        "related": mark("related"), "none": mark("no match"),
    },
    "relation": {
        "parent": mark("parent"), "child": mark("child"), "sibling": mark("sibling"),
    },
}  # fmt: skip
_TITLES = {
    "misplaced": mark("Misplaced: {ontologies}"),
    "deeper": mark("Deeper: {ontologies}"),
    "names": mark("Names: {ontologies}"),
    "duplicates": mark("Duplicates: {ontologies}"),
    "mappings": mark("Mappings: {ontologies}"),
    "carried": mark("Carried over: {ontologies}"),
}
_OF_KIND = {
    "misplaced": mark("Does {subject} belong below {object} rather than where it is?"),
    "deeper": mark("Does {subject} belong below {object}, deeper than where it is?"),
    "names": mark("Is “{term}” a name of {object} rather than of {subject}?"),
    "duplicates": mark("Are {subject} and {object} one and the same concept?"),
}


_STATED_OF_KIND = {
    "misplaced": mark("{subject} belongs below {object} rather than where it is"),
    "deeper": mark("{subject} belongs below {object}, deeper than where it is"),
    "names": mark("“{term}” is a name of {object} rather than of {subject}"),
    "duplicates": mark("{subject} and {object} are one and the same concept"),
}


def statement_on(suggestion_list: KeptList, suggestion: Suggestion) -> str:
    """What a suggestion of a list says, with its concepts by name: this is correct or wrong.

    A mapping that is denied says that it is none.
    """
    about = suggestion.about
    if is_unreplaced(suggestion):
        stated = nothing = _NOT_REPLACED
    elif is_denied(suggestion.slots):
        stated = _DENIALS.get(about.question, _OTHER_DENIED)
        nothing = _NOTHING_DENIED if stated == _NOT_SAME else stated
    else:
        of_predicate = _STATEMENTS.get(about.question, _OTHER_STATED)
        stated = _STATED_OF_KIND.get(suggestion_list.head.kind, of_predicate)
        nothing = _NOTHING_STATED
    return translated(
        nothing if about.object == NO_TERM else stated,
        subject=named(suggestion, "subject"),
        object=named(suggestion, "object"),
        term=about.term,
        predicate=about.question,
    )


def is_unreplaced(suggestion: Suggestion) -> bool:
    """Return whether a carried mapping has a withdrawn term, and nothing in its place."""
    was_other = f"{FORMER}predicate_id" in suggestion.slots
    return was_other and suggestion.about.question == UNREPLACED


def state_chosen(suggestion: Suggestion, chosen: ChosenMapping) -> str:
    """Return what a curator says of a mapping, with its concepts by name."""
    template = _STATEMENTS.get(chosen.predicate, _OTHER_STATED)
    return translated(
        _NOTHING_STATED if chosen.object == NO_TERM else template,
        subject=named(suggestion, "subject"),
        object=chosen.object_label or chosen.object,
        predicate=chosen.predicate,
    )


def question_on(suggestion_list: KeptList, suggestion: Suggestion) -> str:
    """The question on a suggestion of a list, with its concepts by name."""
    about = suggestion.about
    is_none = about.object == NO_TERM and _QUESTIONS.get(about.question) == _SAME
    return translated(
        _NOTHING if is_none else _words_of_predicate(suggestion_list, about.question),
        subject=named(suggestion, "subject"),
        object=named(suggestion, "object"),
        term=about.term,
        predicate=about.question,
    )


def question_on_sides(suggestion_list: KeptList, predicate: str) -> str:
    """The same question on whatever stands at the left and at the right.

    It is in English in any window: it is part of what tells studies apart.
    """
    return _words_of_predicate(suggestion_list, predicate).format(
        subject="the left one", object="the right one", term="the left name", predicate=predicate
    )


def name_column(column: str) -> str:
    """Return the title of a column of a list, as a window shows it."""
    title = translated(_COLUMNS[column]) if column in _COLUMNS else column
    return f"{title[:1].upper()}{title[1:]}"


def word_cell(column: str, cell: object) -> object:
    """Return what a window shows in a cell of a column."""
    if column == STATE and isinstance(cell, str):
        return word_states(cell)
    words = _CELLS.get(column, {})
    return translated(words[cell]) if isinstance(cell, str) and cell in words else cell


PART_TITLE = mark(", part of {person}")
"""What ends the title of a part of a list, in the store."""


def name_list(head: ListHead) -> str:
    """Return what a list is called in a window; one from a file keeps its title."""
    if person := str(head.parameters.get("person", "")):
        parameters = {key: value for key, value in head.parameters.items() if key != "person"}
        title = head.title.removesuffix(PART_TITLE.format(person=person))
        whole = replace(head, title=title, parameters=parameters)
        return tr("{title}, part of {person}", title=name_list(whole), person=person)
    template = _TITLES.get(head.kind)
    ontologies = _ontologies_of(head) if template else None
    if template is None or ontologies is None:
        return head.title
    title = translated(template, ontologies=ontologies)
    if level := head.parameters.get("level"):
        title = tr("{title}, level {level}", title=title, level=level)
    if root := head.parameters.get("root"):
        title = tr("{title} below {root}", title=title, root=root)
    if not head.encoder_ids:
        return title
    return tr("{title}, by {encoders}", title=title, encoders=_encoders_of(head))


def _ontologies_of(head: ListHead) -> str | None:
    """Return what the English title names between its kind and all else; None if it is another."""
    level, root = head.parameters.get("level"), head.parameters.get("root")
    end = f", level {level}" if level else ""
    end += f" below {root}" if root else ""
    end += f", by {_encoders_of(head)}" if head.encoder_ids else ""
    start = f"{head.kind.capitalize()}: "
    sound = head.title.startswith(start) and head.title.endswith(end)
    return head.title[len(start) :].removesuffix(end) if sound else None


def _encoders_of(head: ListHead) -> str:
    return " ".join(f"#{encoder_id}" for encoder_id in head.encoder_ids)


def named(suggestion: Suggestion, side: str) -> str:
    """What a side of a suggestion is called: `subject` or `object`."""
    return suggestion.slots.get(f"{side}_label", "") or str(getattr(suggestion.about, side))


def _words_of_predicate(suggestion_list: KeptList, predicate: str) -> str:
    words = _OF_KIND.get(suggestion_list.head.kind) or _QUESTIONS.get(predicate)
    return words or _OTHER
