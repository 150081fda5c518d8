"""The page of a concept as text with links: `concept:ID`."""

from collections.abc import Iterable
from functools import reduce

from termexplorer.plain_text import plain_html
from termexplorer.services.explore.browsing import Concept, ConceptName, ConceptPage, ConceptRef
from termexplorer.services.explore.concept_links import find_address
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.widgets.theme import ThemeColours
from termexplorer.views.window.level_facts import Facts

_NAME_KINDS = {"fully specified": mark("Fully specified name"), "synonym": mark("Synonyms")}

_KINDS = (  # of concepts, as importers keep them; others are shown as their files have them
    mark("chapter"), mark("block"), mark("category"), mark("code"), mark("topical descriptor"),
    mark("publication type"), mark("check tag"), mark("geographic descriptor"), mark("chemical"),
    mark("protocol"), mark("disease"), mark("organism"), mark("population group"),
    mark("anatomy"), mark("semantic type"),
)  # fmt: skip


def concept_html(page: ConceptPage, colours: ThemeColours, facts: Facts | None = None) -> str:
    """All that is shown below a concept's title; with `facts` also its classes on a level."""
    concept = page.concept
    parts = [_line_html(_summary_line(page), colours.quiet)]
    if concept.obsolete:
        parts += _section_html(tr("Obsolete"), _obsolete_lines(page), colours)
    for kind, title in _NAME_KINDS.items():
        names = [name for name in concept.names if name.kind == kind]
        parts += _section_html(
            translated(title), [_name_html(name, colours) for name in names], colours
        )
    definition = plain_html(concept.definition) or _quiet_html(tr("None in this release"), colours)
    parts += _section_html(tr("Definition"), [definition], colours)
    if not concept.obsolete:
        parts += _path_section(page, colours)
        parts += _class_section(facts, colours) if facts and facts.levels else []
    parts += _section_html(tr("Alternative ids"), [_join_texts(concept.alternative_ids)], colours)
    parts += _section_html(tr("Cross-references"), [_join_references(concept)], colours)
    if not concept.obsolete:
        parts += _section_html(tr("Associated concepts"), _associated_lines(page), colours)
    return "".join(parts)


def _summary_line(page: ConceptPage) -> str:
    concept = page.concept
    parts = [concept.code or concept.curie]
    if concept.code not in (concept.curie, concept.curie.partition(":")[2]):
        parts.append(concept.curie)
    parts += [translated(concept.kind)] if concept.kind else []
    if not concept.obsolete:
        parts += [
            trn("{n:,} child", "{n:,} children", page.children),
            trn("{n:,} sibling", "{n:,} siblings", page.siblings),
            trn("{n:,} descendant", "{n:,} descendants", page.descendants),
        ]
    return "&nbsp;&nbsp;·&nbsp; ".join(plain_html(part).replace(" ", "&nbsp;") for part in parts)


def _obsolete_lines(page: ConceptPage) -> list[str]:
    """What an obsolete concept became, each way in a line of its own."""
    concept = page.concept
    replacements = (
        (mark("Withdrawn; replaced by {concepts}"), concept.replaced_by),
        (mark("Withdrawn; the same as {concepts}"), concept.same_as),
        (mark("Withdrawn; consider {concepts}"), concept.consider),
    )
    lines = [
        translated(
            template,
            concepts=reduce(_either_of, (_replacement_html(page, curie) for curie in curies)),
        )
        for template, curies in replacements
        if curies
    ]
    lines += _associated_lines(page)
    return lines or [tr("Withdrawn, without a replacement")]


def _either_of(first: str, second: str) -> str:
    return tr("{one} or {other}", one=first, other=second)


def _associated_lines(page: ConceptPage) -> list[str]:
    """The concepts of each kind of association, in a line of their own."""
    kinds: dict[str, list[str]] = {}
    for association in page.concept.associations:
        kind, _, curie = association.rpartition(" ")
        kinds.setdefault(kind, []).append(_replacement_html(page, curie))
    return [
        f"{plain_html(kind.capitalize())} {' · '.join(concepts)}"
        for kind, concepts in kinds.items()
    ]


def _replacement_html(page: ConceptPage, curie: str) -> str:
    if ref := page.became.get(curie):
        return _link_html(ref, f"{ref.code} {ref.label}")
    if not page.concept.obsolete:
        return plain_html(curie)
    return tr("{concept}, which this release does not hold", concept=plain_html(curie))


def _path_section(page: ConceptPage, colours: ThemeColours) -> list[str]:
    if not page.parents:
        return _section_html(
            tr("Path to the root"), [_quiet_html(tr("This is a root"), colours)], colours
        )
    title = trn("Path to the root", "{n} paths to the root", len(page.paths))
    if not page.all_paths:
        title = tr("The first {n} paths to the root", n=len(page.paths))
    own_html = plain_html(page.concept.code or page.concept.curie)
    return _section_html(
        title, [_path_html(path, own_html, colours) for path in page.paths], colours
    )


def _class_section(facts: Facts, colours: ThemeColours) -> list[str]:
    level = facts.level
    title = tr("Class on level {level}", level=level)
    if len(facts.classes) > 1:
        title = tr("Classes on level {level}", level=level)
    lines = []
    for class_name in facts.classes:
        text = plain_html(f"{class_name.code} {class_name.label}")
        link = f"<a href='concept:{class_name.concept_id}' style='text-decoration:none'>{text}</a>"
        below = trn("{n:,} name below it", "{n:,} names below it", class_name.names)
        lines.append(link + (_quiet_html(f" · {below}", colours) if class_name.names else ""))
    return _section_html(
        title, lines or [_quiet_html(tr("None: it lies above that level"), colours)], colours
    )


def _path_html(path: Iterable[ConceptRef], own_html: str, colours: ThemeColours) -> str:
    arrow = f"<span style='color:{colours.quiet}'>&nbsp;&nbsp;›&nbsp; </span>"
    steps = [_link_html(step, f"{step.code} {step.label}") for step in path]
    return arrow.join([*steps, own_html])


def _name_html(name: ConceptName, colours: ThemeColours) -> str:
    scope = name.scope.lower()
    aside = f" {_quiet_html(scope, colours)}" if scope and scope != "exact" else ""
    return plain_html(name.text) + aside


def _join_texts(texts: Iterable[str]) -> str:
    return " · ".join(plain_html(text) for text in texts)


def _join_references(concept: Concept) -> str:
    """Cross-references; those that a page on the web is known of are links to it."""
    return " · ".join(map(_reference_html, concept.cross_references))


def _reference_html(reference: str) -> str:
    text, address = plain_html(reference), find_address(reference)
    return (
        f"<a href='{plain_html(address)}' style='text-decoration:none'>{text}</a>"
        if address
        else text
    )


def _link_html(ref: ConceptRef, text: str) -> str:
    return f"<a href='concept:{ref.id}' style='text-decoration:none'>{plain_html(text)}</a>"


def _quiet_html(text: str, colours: ThemeColours) -> str:
    return f"<span style='color:{colours.quiet}'>{plain_html(text)}</span>"


def _line_html(html: str, colour: str) -> str:
    return f"<p style='margin:0 0 4px 0;color:{colour}'>{html}</p>"


def _section_html(title: str, lines: list[str], colours: ThemeColours) -> list[str]:
    lines = [line for line in lines if line]
    if not lines:
        return []
    head = (
        f"<p style='margin:16px 0 4px 0;color:{colours.quiet};'>"
        f"<span style='font-size:small'>{plain_html(title.upper())}</span></p>"
    )
    return [head, *(f"<p style='margin:0 0 4px 0'>{line}</p>" for line in lines)]


def concept_title(concept: Concept) -> str:
    """What a concept is called, as plain text."""
    return concept.label or concept.code or concept.curie
