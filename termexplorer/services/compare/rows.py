"""A comparison for people: its first mentions as rows, who won, and what was compared in a line."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from termexplorer.services.compare.comparison import (
    Compared,
    Tally,
    differences,
    gains,
    losses,
    order_mentions,
    tallies,
)
from termexplorer.services.compare.conclusion import (
    ComparedConclusion,
    comparison_text,
    conclude_comparison,
)
from termexplorer.services.compare.side_by_side import classes_of, defined
from termexplorer.services.explore.ontologies import Ontology, find_ontology
from termexplorer.texts import number, tr, translated
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """One mention; a value is None where nothing is right for it, or too few encoders know it.

    Attributes:
        place: among the mentions of the comparison.
        best: the rank of its best right answer by each encoder.
        rbo: the lowest overlap of two encoders.
        seen: the encoders that were trained on it.
    """

    place: int
    mention: str
    name_id: int
    classes: tuple[str, ...]
    best: dict[int, float | None]
    rbo: float | None
    mean_rbo: float | None
    difference: float | None
    gain: float | None
    loss: float | None
    seen: tuple[int, ...]

    @property
    def numbers(self) -> tuple[float | None, ...]:
        """The ranks by each encoder, then all else that was measured, as tables show it."""
        measured = (self.rbo, self.mean_rbo, self.difference, self.gain, self.loss)
        return *self.best.values(), *measured


@dataclass(frozen=True, eq=False)
class Summary:
    """What a comparison came to against a baseline.

    Attributes:
        titles: of the encoders, by their ids.
        tallies: of all mentions, then of each class.
        rows: the mentions to be looked at first.
        concluded: what all mentions come to.
    """

    ontology: Ontology
    compared: Compared
    baseline_id: int
    titles: dict[int, str]
    tallies: tuple[Tally, ...]
    rows: tuple[ComparedRow, ...]
    concluded: ComparedConclusion

    @property
    def conclusion(self) -> str:
        """Who is ahead of the baseline, in words."""
        return comparison_text(self.concluded, self.titles)

    @property
    def text(self) -> str:
        """What was compared, in a line."""
        subject, compared = self.compared.request.subject, self.compared
        task_text = translated(subject.task)
        if compared.classes:
            task_text = tr("{task} on level {level}", task=task_text, level=subject.level or 1)
        return tr(
            "{what}, {ontology}: {mentions:,} mentions, {names:,} names ranked for each",
            what=task_text,
            ontology=self.ontology.label,
            mentions=len(compared.mentions),
            names=len(compared.candidate_ids),
        )


def summary(
    workspace: Workspace, compared: Compared, baseline_id: int, sort: str, most: int
) -> Summary:
    """Who won against a baseline, and the first mentions in an order of `SORTS`."""
    order = order_mentions(compared, sort, baseline_id)[:most]
    all_tallies = tallies(compared, baseline_id)
    of_all = [tally for tally in all_tallies if not tally.label]
    return Summary(
        ontology=find_ontology(workspace, str(compared.request.subject.ontology_id)),
        compared=compared,
        baseline_id=baseline_id,
        titles=dict(zip(compared.encoder_ids, compared.titles, strict=True)),
        tallies=all_tallies,
        rows=tuple(mention_rows(compared, baseline_id, order.tolist())),
        concluded=conclude_comparison(compared, baseline_id, of_all),
    )


def number_text(value: float | None) -> str:
    """A rank or an overlap as it is shown."""
    if value is None or value != value:
        return "–"
    return number(value, ".3f") if 0 < abs(value) < 1 else number(value + 0.0, ",.6g")  # no -0


def mention_rows(
    compared: Compared, baseline_id: int, places: Sequence[int]
) -> Iterator[ComparedRow]:
    """Some mentions by their places, in that order."""
    apart = differences(compared)
    gained, lost = (select(compared, baseline_id) for select in (gains, losses))
    for row in places:
        ranks = zip(compared.encoder_ids, compared.best[row], strict=True)
        saw = zip(compared.encoder_ids, compared.seen[row], strict=True)
        yield ComparedRow(
            place=row,
            mention=compared.mentions[row],
            name_id=int(compared.mention_ids[row]),
            classes=classes_of(compared, row),
            best={encoder_id: defined(rank) for encoder_id, rank in ranks},
            rbo=defined(compared.lowest[row]),
            mean_rbo=defined(compared.mean[row]),
            difference=defined(apart[row]),
            gain=defined(gained[row]),
            loss=defined(lost[row]),
            seen=tuple(encoder_id for encoder_id, seen in saw if seen),
        )
