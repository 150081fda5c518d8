"""The source of a mapping and its candidates as text with links, what differs between them marked.

Links are `concept:ID`, and `candidate:NUMBER` for what chooses one.
"""

from collections.abc import Iterable, Sequence

from termexplorer.plain_text import plain_html
from termexplorer.services.curate.mapping_candidates import (
    QUALIFIER_WORDS,
    CandidateContext,
    ConceptContext,
    NameDifferences,
    split_marked,
)
from termexplorer.services.curate.review import ReviewPair
from termexplorer.services.curate.suggestion_words import name_column, named, word_cell
from termexplorer.services.verdicts.mapping_answers import PREDICATE_WORDS
from termexplorer.texts import number, tr, translated
from termexplorer.views.widgets.theme import ThemeColours

CHOSEN_SIGN = "▸"  # before the candidate that an answer is about
_MOST_SYNONYMS = 8
_LONGEST_DEFINITION = 160  # of what is not chosen
_SHOWN_ALREADY = ("name", "concept", "other concept", "other name", "predicate", "probability")


def source_html(
    pair: ReviewPair, header: Sequence[str], chosen: CandidateContext | None, colours: ThemeColours
) -> str:
    """Return the source: of a concept its context, of a code of a list its further columns."""
    missing = chosen.differences.missing if chosen else ()
    suggestion = pair.suggestion
    label = pair.source.concept.label if pair.source else ""
    title = _marked_html(label or named(suggestion, "subject"), missing, colours)
    parts = [f"<p style='margin:0 0 2px 0'><b>{title}</b></p>"]
    if pair.source is not None:
        parts.append(_quiet_line(pair.source.concept.code or pair.source.concept.curie, colours))
        parts += _context_lines(pair.source, missing, colours)
    else:
        parts.append(_quiet_line(str(suggestion.about.subject), colours))
        parts += [
            _line_html(name_column(column), plain_html(str(word_cell(column, cell))), colours)
            for column, cell in zip(header, suggestion.cells, strict=False)
            if column not in _SHOWN_ALREADY and cell not in (None, "")
        ]
    return "".join(parts)


def candidates_html(
    candidates: Sequence[CandidateContext], chosen: int, colours: ThemeColours
) -> str:
    """Return all candidates in short, then the context of the chosen one, then the others'."""
    if not candidates:
        text = tr("No candidate was found: press / to search for one, or 0 for no match")
        return f"<p style='color:{colours.quiet}'>{plain_html(text)}</p>"
    lines = [
        _candidate_line(index, candidate, index == chosen, colours)
        for index, candidate in enumerate(candidates)
    ]
    order = sorted(range(len(candidates)), key=lambda index: index != chosen)
    contexts = [
        _context_html(index, candidates[index], index == chosen, colours) for index in order
    ]
    table = f"<table width='100%' cellpadding='3' cellspacing='0'>{''.join(lines)}</table>"
    return table + "".join(contexts)


def _candidate_line(
    index: int, candidate: CandidateContext, is_chosen: bool, colours: ThemeColours
) -> str:
    ground = colours.selected if is_chosen else colours.panel
    sign = CHOSEN_SIGN if is_chosen else ""
    title = _marked_html(candidate.label, candidate.differences.extra, colours)
    link = (
        f"<a href='candidate:{index}' style='text-decoration:none;color:{colours.text}'>"
        f"{_number_of(index)} {f'<b>{title}</b>' if is_chosen else title}</a>"
    )
    facts = _quiet_span(_facts_of(candidate), colours)
    return (
        f"<tr bgcolor='{ground}'><td width='14'>{sign}</td><td>{link}&nbsp; {facts}&nbsp;&nbsp; "
        f"{_differences_html(candidate.differences, colours)}</td></tr>"
    )


def _context_html(
    index: int, candidate: CandidateContext, is_chosen: bool, colours: ThemeColours
) -> str:
    title = f"{_number_of(index)} {plain_html(candidate.label)}"
    lines = [f"<p style='margin:8px 0 2px 0'><b>{title}</b></p>"]
    if candidate.context is None:
        lines.append(_quiet_line(tr("No ontology of this workspace has it."), colours))
    elif is_chosen:
        lines += _context_lines(candidate.context, candidate.differences.extra, colours)
    else:
        lines += _short_lines(candidate.context, colours)
    return "".join(lines)


def _number_of(index: int) -> str:
    return f"{index + 1}&nbsp;"


def _facts_of(candidate: CandidateContext) -> str:
    parts = [candidate.object]
    if candidate.by_curator:
        parts.append(tr("chosen by you"))
    if words := PREDICATE_WORDS.get(candidate.predicate):
        parts.append(translated(words))
    if candidate.probability is not None:
        parts.append(number(candidate.probability, ".2f"))
    return "  ·  ".join(parts)


def _differences_html(differences: NameDifferences, colours: ThemeColours) -> str:
    """Return what only one of the two nearest names has, and of which kind that is."""
    words = [("−", word) for word in differences.missing]
    words += [("+", word) for word in differences.extra]
    if not words:
        same = tr("Same name: {name}", name=differences.other_name)
        return f"<span style='color:{colours.up}'>= {plain_html(same)}</span>"
    html = "&nbsp;&nbsp; ".join(_word_html(sign, word, differences) for sign, word in words)
    return f"<span style='color:{colours.down}'>{html}</span>"


def _word_html(sign: str, word: str, differences: NameDifferences) -> str:
    text = f"{sign}&nbsp;{plain_html(word)}"
    kind = differences.kinds.get(word)
    if kind is None:
        return text
    return f"<b>{text}</b> ({plain_html(translated(QUALIFIER_WORDS[kind]))})"


def _context_lines(
    context: ConceptContext, words: Iterable[str], colours: ThemeColours
) -> list[str]:
    concept, words = context.concept, tuple(words)
    synonyms = [name.text for name in concept.names if name.text != concept.label]
    shown = [_marked_html(name, words, colours) for name in synonyms[:_MOST_SYNONYMS]]
    shown += ["…"] if len(synonyms) > _MOST_SYNONYMS else []
    children = [_link_html(child.id, child.label, colours) for child in context.children]
    more = context.child_count - len(context.children)
    children += [tr("{n:,} more", n=more)] if more else []
    return [
        _line_html(tr("Synonyms"), " · ".join(shown), colours),
        _line_html(tr("Definition"), plain_html(concept.definition), colours),
        _parents_line(context, colours),
        _line_html(tr("Children"), " · ".join(children), colours),
    ]


def _short_lines(context: ConceptContext, colours: ThemeColours) -> list[str]:
    definition = context.concept.definition
    if len(definition) > _LONGEST_DEFINITION:
        definition = f"{definition[:_LONGEST_DEFINITION].rstrip()}…"
    return [
        _parents_line(context, colours),
        _line_html(tr("Definition"), plain_html(definition), colours),
    ]


def _parents_line(context: ConceptContext, colours: ThemeColours) -> str:
    parents = [_link_html(parent.id, parent.label, colours) for parent in context.parents]
    return _line_html(tr("Parents"), " · ".join(parents), colours)


def _line_html(title: str, html: str, colours: ThemeColours) -> str:
    if not html:
        return ""
    head = f"<span style='color:{colours.quiet}'>{plain_html(title)}:</span>"
    return f"<p style='margin:0 0 2px 0'>{head} {html}</p>"


def _quiet_span(text: str, colours: ThemeColours) -> str:
    return f"<span style='color:{colours.quiet}'>{plain_html(text)}</span>"


def _quiet_line(text: str, colours: ThemeColours) -> str:
    return f"<p style='margin:0 0 2px 0;color:{colours.quiet}'>{plain_html(text)}</p>"


def _link_html(concept_id: int, text: str, colours: ThemeColours) -> str:
    style = f"text-decoration:none;color:{colours.accent}"
    return f"<a href='concept:{concept_id}' style='{style}'>{plain_html(text)}</a>"


def _marked_html(name: str, words: Iterable[str], colours: ThemeColours) -> str:
    style = f"color:{colours.down};text-decoration:underline"
    return "".join(
        f"<span style='{style}'>{plain_html(part)}</span>" if word else plain_html(part)
        for part, word in split_marked(name, words)
    )
