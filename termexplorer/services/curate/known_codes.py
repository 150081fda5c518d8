"""How well a list was mapped, measured by rows whose code of the ontology is known.

A list often has a part that somebody mapped by hand. The rest can be trusted as far as that part
came out right.
"""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from termexplorer.trainer.errors import Message
from termexplorer.trainer.evaluation.shares import ShareFigure
from termexplorer.workers.curate.deciding import DecidedMapping
from termexplorer.workers.process import kept_texts

__all__ = ["KnownAnswer", "KnownCodes", "describe_known", "measure_known"]

_BETWEEN = re.compile(r"[|;,\s]+")


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """A row whose concept is known, and what was decided for it.

    Attributes:
        curie: of the row's code in its list.
        text: what is known: CURIEs or codes, each of them right, with signs between.
        decision: what was decided.
    """

    curie: str
    text: str
    decision: DecidedMapping


@dataclass(frozen=True, slots=True)
class KnownCodes:
    """How codes were mapped whose concept is known; a code of several rows counts once.

    Attributes:
        mapped: of all known codes, those that are mapped exactly to what is known.
        right: of the exact mappings among them, those to what is known.
        first: of all known codes, those whose first candidate it is, whatever it was taken for.
        found: of all known codes, those that have it among their candidates.
        probability: the mean of the exact mappings among them; NaN of none.
        missing: what is said to be known, and is no code of the ontology.
    """

    mapped: ShareFigure
    right: ShareFigure
    first: ShareFigure
    found: ShareFigure
    probability: float
    missing: tuple[str, ...]


def measure_known(answers: Iterable[KnownAnswer], curies: Iterable[str]) -> KnownCodes:
    """Return how well codes were mapped whose concept is known.

    Args:
        answers: rows; those whose text is empty, or names nothing of the ontology, count nowhere.
        curies: of the concepts of the ontology.
    """
    written = _index_codes(curies)
    known: dict[str, set[str]] = {}
    decisions: dict[str, DecidedMapping] = {}
    missing: dict[str, None] = {}
    for answer in answers:
        for text in filter(None, _BETWEEN.split(answer.text)):
            if curie := written.get(text.casefold()):
                known.setdefault(answer.curie, set()).add(curie)
                decisions[answer.curie] = answer.decision
            else:
                missing[text] = None
    first = {code for code, wanted in known.items() if decisions[code].object in wanted}
    listed = {code for code, wanted in known.items() if _has_candidate(decisions[code], wanted)}
    exact = {code for code, decision in decisions.items() if decision.predicate == "exact"}
    probabilities = [decisions[code].probability for code in exact]
    return KnownCodes(
        ShareFigure.of(len(exact & first), len(known)),
        ShareFigure.of(len(exact & first), len(exact)),
        ShareFigure.of(len(first), len(known)),
        ShareFigure.of(len(listed), len(known)),
        math.fsum(probabilities) / len(exact) if exact else math.nan,
        tuple(missing),
    )


def describe_known(figures: KnownCodes) -> list[Message]:
    """Return sentences on how well known codes were mapped, and how sure that was."""
    mapped, right, facts = figures.mapped, figures.right, []
    if mapped.n:
        facts.append(
            kept_texts.KNOWN_CODES.fill(
                count=mapped.n, share=mapped.value, low=mapped.low, high=mapped.high
            )
        )
    if right.n:
        facts.append(
            _judge_sureness(figures).fill(
                count=right.n, share=right.value, low=right.low, high=right.high,
                probability=figures.probability,
            )
        )  # fmt: skip
    if figures.missing:
        count, first = len(figures.missing), figures.missing[0]
        facts.append(kept_texts.KNOWN_MISSING.fill(count=count, first=first))
    return facts


def _judge_sureness(figures: KnownCodes) -> kept_texts.CountTemplate:
    if figures.probability > figures.right.high:
        return kept_texts.KNOWN_TOO_SURE
    if figures.probability < figures.right.low:
        return kept_texts.KNOWN_TOO_UNSURE
    return kept_texts.KNOWN_AS_SURE


def _index_codes(curies: Iterable[str]) -> Mapping[str, str]:
    """Return how concepts may be written, to their CURIEs; whole CURIEs before codes alone."""
    whole, local, undotted = {}, {}, {}
    for curie in curies:
        code = curie.partition(":")[2].casefold()
        whole[curie.casefold()] = local[code] = curie
        undotted[code.replace(".", "")] = curie  # as bills have codes of the ICD
    return undotted | local | whole


def _has_candidate(decision: DecidedMapping, wanted: set[str]) -> bool:
    objects = {candidate.object for candidate in decision.candidates} | {decision.object}
    return not wanted.isdisjoint(objects)
