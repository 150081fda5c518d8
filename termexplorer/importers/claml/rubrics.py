"""What rubrics of ClaML say of a class: names, and notes as its definition, in one language."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from termexplorer.importers.files.xml_events import Element, children, name_of
from termexplorer.importers.records import NameRecord
from termexplorer.importers.text.text import clean

LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
PREFERRED, LONG = "preferred", "preferredlong"
_KINDS = {
    PREFERRED: "preferred",
    LONG: "fully specified",
    "inclusion": "synonym",
    "synonym": "synonym",
    "shorttitle": "synonym",
    "short": "synonym",
}
_HEADS = (PREFERRED, LONG)
_TITLES = {
    "definition": "",
    "text": "",
    "note": "Note",
    "exclusion": "Excludes",
    "coding-hint": "Coding hint",
}
_MODIFIER_LINK = "modifierlink"  # says where the modifiers of a class are
_APART = {"Para", "Fragment", "ListItem", "Cell", "Include", "IncludeDescendants"}
_REFERENCE = "Reference"
_CODE = re.compile(r"[0-9A-Z][0-9A-Z.]*[0-9A-Z]|[0-9A-Z]")
_MARKS = " †*+!()-."


@dataclass(frozen=True, slots=True)
class RubricContent:
    """What the rubrics of a class say.

    Attributes:
        names: As they stand in the file, the preferred one first; () where there is none.
        definition: Its notes.
        referred: Codes that its preferred name refers to, as those of a dagger and its asterisk.
        foreign: Whether its preferred name is in another language than was asked for.
    """

    names: tuple[NameRecord, ...]
    definition: str
    referred: tuple[str, ...]
    foreign: bool


def said(owner: Element, language: str, titles: Mapping[str, str]) -> RubricContent:
    """What a class says.

    Args:
        owner: The class.
        language: Of the labels that are taken, and of those that tell none; the preferred name in
            another where there is none in it.
        titles: Kind of rubric -> what it is called, where the file tells.
    """
    every = list(_rubric_labels(owner))
    in_language = [rubric for rubric in every if (rubric[1].get(LANGUAGE) or language) == language]
    heads = [rubric for rubric in in_language if rubric[0].casefold() in _HEADS]
    other_heads = [rubric for rubric in every if rubric[0].casefold() in _HEADS][: not heads]
    names = [
        NameRecord(_label_text(label, False), _KINDS[kind.casefold()])
        for kind, label in in_language + other_heads
        if kind.casefold() in _KINDS
    ]
    notes: dict[str, list[str]] = {}
    for kind, label in in_language:
        if kind.casefold() not in (*_KINDS, _MODIFIER_LINK):
            notes.setdefault(kind, []).append(clean(_label_text(label, True)))
    referred = (code for _, label in heads + other_heads for code in _referred_codes(label))
    definition = _join_definition(notes, titles)
    return RubricContent(tuple(_order_names(names)), definition, tuple(referred), bool(other_heads))


def languages(owner: Element) -> Iterator[str]:
    """The language of each label of a class, "" where it is not told."""
    return (label.get(LANGUAGE) or "" for _, label in _rubric_labels(owner))


def linked_modifiers(owner: Element) -> Iterator[str]:
    """Yield the codes of the modifiers that the text of a class links to."""
    for kind, label in _rubric_labels(owner):
        if kind.casefold() == _MODIFIER_LINK:
            for reference in label.iter(f"{{*}}{_REFERENCE}"):
                yield clean(reference.get("code") or "".join(map(str, reference.itertext())))


def _rubric_labels(owner: Element) -> Iterator[tuple[str, Element]]:
    """Each label, with the kind of its rubric."""
    for rubric in children(owner, "Rubric"):
        for label in children(rubric, "Label"):
            yield rubric.get("kind") or "", label


def _order_names(names: list[NameRecord]) -> Iterator[NameRecord]:
    """One preferred name first: the long one where there is no other, else the first name."""
    named = [name for name in names if clean(name.text)]
    order = ("preferred", "fully specified", "synonym")
    named.sort(key=lambda name: order.index(name.kind))
    for index, name in enumerate(named):
        kind = "synonym" if index and name.kind == "preferred" else name.kind
        yield NameRecord(name.text, kind if index else "preferred")


def _join_definition(notes: Mapping[str, Iterable[str]], titles: Mapping[str, str]) -> str:
    parts = []
    for kind, texts in notes.items():
        known = kind.casefold()
        title = titles.get(kind) or _TITLES.get(known, kind.replace("-", " ").capitalize())
        text = "; ".join(text for text in texts if text).rstrip(".")
        if text:
            parts.append(f"{title}: {text}." if title else f"{text}.")
    return " ".join(parts)


def _label_text(label: Element, references: bool) -> str:
    """The text of a label; a reference in brackets has them around it, a name has none at all."""
    text = "".join(_text_pieces(label, references))
    return text if references else re.sub(r"\(\s*\)", "", text)


def _text_pieces(node: Element, references: bool) -> Iterator[str]:
    name = name_of(node)
    if name == _REFERENCE and not references:
        return
    brackets = name == _REFERENCE and "bracket" in (node.get("class") or "")
    yield " (" if brackets else " " if name in _APART else ""
    yield str(node.text or "")
    for child in node:
        yield from _text_pieces(child, references)
        yield str(child.tail or "")
    yield ")" if brackets else " " if name in _APART else ""


def _referred_codes(label: Element) -> Iterator[str]:
    """Codes, not ranges of them; the mark of a dagger or asterisk is no part of a code."""
    for reference in label.iter(f"{{*}}{_REFERENCE}"):
        code = clean(reference.get("code") or "".join(map(str, reference.itertext()))).strip(_MARKS)
        if _CODE.fullmatch(code):
            yield code
