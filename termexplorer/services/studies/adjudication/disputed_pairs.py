"""Which pairs of a study are decided: those on which its annotators do not agree, or others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from termexplorer.errors import UserError
from termexplorer.services.studies.adjudication.decisions import Decision, decisions
from termexplorer.services.studies.ratings import rated_study
from termexplorer.services.studies.status import Judgement, asked_of, judgements
from termexplorer.services.studies.studies import find_study
from termexplorer.store.judging import studies
from termexplorer.store.judging.studies import StudyHead, StudyPair
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

    from termexplorer.trainer.agreement import Ratings

NO_MAJORITY, DISAGREEMENT = "no-majority", "disagreement"
DONT_KNOW, JUDGED = "dont-know", "judged"
WHICH = (NO_MAJORITY, DISAGREEMENT, DONT_KNOW, JUDGED)


@dataclass(frozen=True, slots=True)
class PairChoice:
    """Which judged pairs of a study are decided.

    Attributes:
        which: one of `WHICH`: those without a majority; those of which annotators said different
            things, 2 : 1 too; those of which somebody said "don't know"; or all that were judged.
        set_name: of one set; None for all.
    """

    which: str = NO_MAJORITY
    set_name: str | None = None


WITHOUT_MAJORITY = PairChoice()


@dataclass(frozen=True, slots=True)
class Disputed:
    """A pair that is to be decided.

    Attributes:
        number: of the pair in the study, from 1; the order tells nothing of sets and labels.
        pair: that is judged.
        judgements: what annotators said of it, in the order of the log.
        waiting: how many annotators who are asked about it have not answered yet.
        decision: what was decided, if it was.
    """

    number: int
    pair: StudyPair
    judgements: tuple[Judgement, ...]
    waiting: int
    decision: Decision | None


def disputed(
    workspace: Workspace,
    study_id: int,
    choice: PairChoice = WITHOUT_MAJORITY,
    *,
    dont_know_votes: bool = True,
) -> list[Disputed]:
    """The pairs to decide, by their numbers; those that still wait for answers are last.

    Args:
        workspace: that has the study.
        study_id: of it.
        choice: which pairs; by default those without a majority.
        dont_know_votes: whether "don't know" is a vote for none; else it is no vote.

    Raises:
        UserError: no such study or set, or no answer in the study yet.
    """
    from termexplorer.trainer.agreement import first_ratings

    rows = rated_study(workspace, study_id)
    ratings, firsts = first_ratings(rows.ratings, rows.pairs)
    pairs = [rows.pairs[row] for row in firsts]
    check_choice(choice, pairs)
    mask = choose_rows(ratings, choice.which, dont_know_votes=dont_know_votes)
    chosen = {
        pairs[row]
        for row in mask.nonzero()[0].tolist()
        if choice.set_name in (None, pairs[row].set_name)
    }
    judgements_by_pair: dict[StudyPair, list[Judgement]] = {pair: [] for pair in pairs}
    for judgement in judgements(workspace, study_id):
        if judgement.pair.counts:
            judgements_by_pair[judgement.pair].append(judgement)
    asked, decided = asked_of(workspace, study_id), decisions(workspace, study_id)
    disputed_pairs = [
        Disputed(
            number,
            pair,
            tuple(judgements_by_pair[pair]),
            len(asked[pair] - {vote.annotator for vote in judgements_by_pair[pair]}),
            decided.get(pair),
        )
        for pair, number in pair_numbers(workspace, study_id).items()
        if pair in chosen
    ]
    return sorted(disputed_pairs, key=lambda disputed_pair: disputed_pair.waiting > 0)


def pair_numbers(workspace: Workspace, study_id: int) -> dict[StudyPair, int]:
    """The numbers of the pairs of a study, those too that are left out, by which people call them.

    Raises:
        UserError: no such study.
    """
    head = find_study(workspace, study_id).head
    with workspace.store.reading() as connection:
        pairs = [pair for pair, _ in studies.all_pairs_of(connection, study_id) if pair.counts]
    return _number_pairs(pairs, head)


def choose_rows(ratings: Ratings, which: str, *, dont_know_votes: bool = True) -> NDArray[bool_]:
    """Tell which of n rated pairs are chosen.

    Args:
        ratings: of them, the first of each annotator.
        which: one of `WHICH`.
        dont_know_votes: whether "don't know" is a vote for none; else it is no vote.

    Returns:
        (n,) whether each is; no pair is that nobody has judged.
    """
    import numpy as np

    from termexplorer.trainer.agreement import DONT_KNOW as UNSURE
    from termexplorer.trainer.agreement import NO_MAJORITY as NOTHING
    from termexplorer.trainer.agreement import NOT_RATED, find_judged, majority

    codes = ratings.codes
    rated = find_judged(ratings)
    chosen: NDArray[bool_] = rated
    if which == NO_MAJORITY:
        chosen = rated & (majority(ratings, dont_know_votes=dont_know_votes) == NOTHING)
    if which == DONT_KNOW:
        chosen = (codes == UNSURE).any(axis=1)
    if which == DISAGREEMENT:
        answered = codes != NOT_RATED
        least = np.where(answered, codes, codes.max(initial=0)).min(axis=1)
        most = np.where(answered, codes, UNSURE).max(axis=1)
        chosen = rated & (least < most)
    return chosen


def next_open(pairs: list[Disputed]) -> Disputed | None:
    """The first one that is not decided; None when all are."""
    return next((pair for pair in pairs if pair.decision is None), None)


def _number_pairs(pairs: Iterable[StudyPair], head: StudyHead) -> dict[StudyPair, int]:
    """Numbers of the pairs of a study, from 1, in an order that tells nothing of where they are of.

    They were drawn set by set, the similar ones first, so that their own order would tell.
    """

    def at_random(pair: StudyPair) -> bytes:
        return sha256(repr((head.key, pair.subject, pair.object)).encode()).digest()

    return {pair: number for number, pair in enumerate(sorted(pairs, key=at_random), 1)}


def check_choice(choice: PairChoice, pairs: Sequence[StudyPair]) -> None:
    """Refuses a set that the study does not have.

    Raises:
        UserError: there is none of that name among the pairs.
    """
    sets = dict.fromkeys(pair.set_name for pair in pairs)
    if choice.set_name is not None and choice.set_name not in sets:
        raise UserError(
            tr(
                "the study has no set {name!r}; there are {known}",
                name=choice.set_name,
                known=", ".join(sets),
            )
        )
