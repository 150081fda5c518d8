"""What people said of a list in parts, as a table: a row for each suggestion that was dealt out."""

from collections.abc import Iterator, Sequence

from termexplorer.services.curate.answers.list_outcomes import name_opinion
from termexplorer.services.curate.answers.list_parts import ListParts
from termexplorer.services.files.exports import Cell
from termexplorer.services.verdicts.people import Judge

__all__ = ["list_outcome_rows", "make_outcome_header"]

_HEADER = ("row", "subject", "predicate", "object", "outcome", "answer", "decided by")


def make_outcome_header(people: Sequence[Judge]) -> tuple[str, ...]:
    """Return the titles of the columns, with two for each person."""
    return (*_HEADER, *(title for p in people for title in (p.name, " ".join((p.name, "note")))))


def list_outcome_rows(parts: ListParts) -> Iterator[list[Cell]]:
    """Yield a row for each suggestion that was given to somebody, under the titles."""
    people = [part.person for part in parts.parts]
    for number, suggestion in enumerate(parts.outcomes.suggestions, 1):
        about = suggestion.about
        outcome = parts.outcomes.by_subject.get(about)
        if outcome is None:
            continue
        verdict = outcome.verdict
        by_person = {opinion.judge: opinion for opinion in outcome.opinions}
        opinions = [by_person.get(person) for person in people]
        yield [
            number,
            str(about.subject),
            about.question,
            str(about.object),
            outcome.state,
            name_opinion(verdict) if verdict else "",
            verdict.judge.name if verdict and verdict.judge not in by_person else "",
            *(
                cell
                for opinion in opinions
                for cell in ((name_opinion(opinion), opinion.answer.note) if opinion else ("", ""))
            ),
        ]
