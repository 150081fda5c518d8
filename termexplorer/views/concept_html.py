"""The page of a concept as text with links: `concept:ID`."""

from collections.abc import Iterable
from html import escape

from termexplorer.services.explore import Concept, ConceptName, ConceptPage, ConceptRef
from termexplorer.views.level_facts import Facts
from termexplorer.views.theme import Colours

_NAME_KINDS = (("fully specified", "Fully specified name"), ("synonym", "Synonyms"))


def concept_html(page: ConceptPage, colours: Colours, facts: Facts | None = None) -> str:
    """All that is shown below a concept's title; with `facts` also its classes on a level."""
    concept = page.concept
    parts = [_line(_summary(page), colours.quiet)]
    if concept.obsolete:
        parts += _section("Obsolete", _obsolete(page), colours)
    for kind, title in _NAME_KINDS:
        names = [name for name in concept.names if name.kind == kind]
        parts += _section(title, [_name(name, colours) for name in names], colours)
    definition = escape(concept.definition) or _quiet("None in this release", colours)
    parts += _section("Definition", [definition], colours)
    if not concept.obsolete:
        parts += _paths(page, colours)
        parts += _classes(facts, colours) if facts and facts.levels else []
    parts += _section("Alternative ids", [_joined(concept.alternative_ids)], colours)
    parts += _section("Cross-references", [_joined(concept.cross_references)], colours)
    if not concept.obsolete:
        parts += _section("Associated concepts", _associated(page), colours)
    return "".join(parts)


def _summary(page: ConceptPage) -> str:
    concept = page.concept
    parts = [concept.code or concept.curie]
    if concept.code not in (concept.curie, concept.curie.partition(":")[2]):
        parts.append(concept.curie)
    parts += [concept.kind] if concept.kind else []
    if not concept.obsolete:
        parts += [
            _count(page.children, "child", "children"),
            _count(page.siblings, "sibling", "siblings"),
            _count(page.descendants, "descendant", "descendants"),
        ]
    return "&nbsp;&nbsp;·&nbsp; ".join(escape(part).replace(" ", "&nbsp;") for part in parts)


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _obsolete(page: ConceptPage) -> list[str]:
    """What an obsolete concept became, each way in a line of its own."""
    concept = page.concept
    said = (
        ("replaced by", concept.replaced_by),
        ("the same as", concept.same_as),
        ("consider", concept.consider),
    )
    lines = [
        f"Withdrawn; {what} {' or '.join(_became(page, curie) for curie in curies)}"
        for what, curies in said
        if curies
    ]
    lines += _associated(page)
    return lines or ["Withdrawn, without a replacement"]


def _associated(page: ConceptPage) -> list[str]:
    """The concepts of each kind of association, in a line of their own."""
    kinds: dict[str, list[str]] = {}
    for each in page.concept.associations:
        kind, _, curie = each.rpartition(" ")
        kinds.setdefault(kind, []).append(_became(page, curie))
    return [f"{escape(kind.capitalize())} {' · '.join(each)}" for kind, each in kinds.items()]


def _became(page: ConceptPage, curie: str) -> str:
    if ref := page.became.get(curie):
        return _link(ref, f"{ref.code} {ref.label}")
    lacking = ", which this release does not hold" if page.concept.obsolete else ""
    return escape(curie) + lacking


def _paths(page: ConceptPage, colours: Colours) -> list[str]:
    title = "Path to the root" if len(page.paths) == 1 else f"{len(page.paths)} paths to the root"
    if not page.parents:
        return _section("Path to the root", [_quiet("This is a root", colours)], colours)
    if not page.all_paths:
        title = f"The first {len(page.paths)} paths to the root"
    own = escape(page.concept.code or page.concept.curie)
    return _section(title, [_path(path, own, colours) for path in page.paths], colours)


def _classes(facts: Facts, colours: Colours) -> list[str]:
    several = len(facts.classes) > 1
    title = f"{'Classes' if several else 'Class'} on level {facts.level}"
    lines = []
    for each in facts.classes:
        text = escape(f"{each.code} {each.label}")
        link = f"<a href='concept:{each.concept_id}' style='text-decoration:none'>{text}</a>"
        below = f" · {_count(each.names, 'name', 'names')} below it" if each.names else ""
        lines.append(link + _quiet(below, colours))
    return _section(title, lines or [_quiet("None: it lies above that level", colours)], colours)


def _path(path: Iterable[ConceptRef], own: str, colours: Colours) -> str:
    arrow = f"<span style='color:{colours.quiet}'>&nbsp;&nbsp;›&nbsp; </span>"
    steps = [_link(step, f"{step.code} {step.label}") for step in path]
    return arrow.join([*steps, own])


def _name(name: ConceptName, colours: Colours) -> str:
    scope = name.scope.lower()
    aside = f" {_quiet(scope, colours)}" if scope and scope != "exact" else ""
    return escape(name.text) + aside


def _joined(texts: Iterable[str]) -> str:
    return " · ".join(escape(text) for text in texts)


def _link(ref: ConceptRef, text: str) -> str:
    return f"<a href='concept:{ref.id}' style='text-decoration:none'>{escape(text)}</a>"


def _quiet(text: str, colours: Colours) -> str:
    return f"<span style='color:{colours.quiet}'>{escape(text)}</span>"


def _line(html: str, colour: str) -> str:
    return f"<p style='margin:0 0 4px 0;color:{colour}'>{html}</p>"


def _section(title: str, lines: list[str], colours: Colours) -> list[str]:
    lines = [line for line in lines if line]
    if not lines:
        return []
    head = (
        f"<p style='margin:16px 0 4px 0;color:{colours.quiet};'>"
        f"<span style='font-size:small'>{escape(title.upper())}</span></p>"
    )
    return [head, *(f"<p style='margin:0 0 4px 0'>{line}</p>" for line in lines)]


def concept_title(concept: Concept) -> str:
    """What a concept is called, as plain text."""
    return concept.label or concept.code or concept.curie
