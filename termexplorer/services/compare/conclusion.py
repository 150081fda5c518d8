"""What a comparison comes to against its baseline: who is ahead, and whether it may be chance."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import isnan

import numpy as np

from termexplorer.services.compare.comparison import Compared, Tally
from termexplorer.services.evaluate.conclusion_words import chance_text
from termexplorer.services.figures.corrections import ALPHA, correct_p
from termexplorer.services.figures.metric_kinds import LEAST_SHOWN
from termexplorer.texts import number, tr, trn
from termexplorer.trainer.evaluation.comparison import least_p, mcnemar


class Standing(Enum):
    """How an encoder stands to the baseline."""

    AHEAD = "ahead"
    BEHIND = "behind"
    NOT_SHOWN = "not_shown"
    TOO_FEW = "too_few"  # mentions on which the two differ or agree


@dataclass(frozen=True, slots=True)
class EncoderStanding:
    """One encoder against the baseline, over all mentions.

    Attributes:
        tally: wins, losses and ties.
        p: of the exact sign test, after Holm over the encoders that are compared; NaN where there
            are fewer than 10 mentions, of which nothing is tested.
        standing: at p < .05.
        median: rank of its best right answers; NaN where fewer than two mentions have one.
        says_otherwise: whether the medians go the other way than what is shown.
    """

    tally: Tally
    p: float
    standing: Standing
    median: float
    says_otherwise: bool


@dataclass(frozen=True, slots=True)
class ComparedConclusion:
    """What a comparison comes to.

    Attributes:
        baseline_median: rank of the baseline's best right answers.
        tests: how many p is corrected for: those of encoders with enough mentions.
    """

    baseline_id: int
    baseline_median: float
    standings: tuple[EncoderStanding, ...]
    tests: int


def conclude_comparison(
    compared: Compared, baseline_id: int, of_all: Sequence[Tally]
) -> ComparedConclusion:
    """Draw the conclusion of wins and losses, and of median ranks.

    Args:
        compared: the ranks.
        baseline_id: one of its encoders.
        of_all: the tallies of all mentions.
    """
    medians = {
        encoder_id: median_rank(compared.best[:, column])
        for column, encoder_id in enumerate(compared.encoder_ids)
    }
    base = medians[baseline_id]
    p = correct_p(
        {tally.encoder_id: mcnemar(tally.wins, tally.losses) for tally in of_all},
        {tally.encoder_id: tally.wins + tally.losses + tally.ties for tally in of_all},
    )
    tests = sum(not isnan(p_value) for p_value in p.values())
    return ComparedConclusion(
        baseline_id=baseline_id,
        baseline_median=base,
        standings=tuple(
            _encoder_standing(tally, p[tally.encoder_id], tests, medians[tally.encoder_id], base)
            for tally in of_all
        ),
        tests=tests,
    )


def comparison_text(concluded: ComparedConclusion, titles: Mapping[int, str]) -> str:
    """Return the conclusion in words.

    Args:
        concluded: what it came to.
        titles: of the encoders, by their ids.
    """
    results = "; ".join(_standing_text(standing, titles) for standing in concluded.standings)
    sentences = [
        tr(
            "Against {baseline}, by best true rank: {results}.",
            baseline=titles[concluded.baseline_id],
            results=results,
        ),
        *_tests_text(concluded.tests),
        *_medians_text(concluded, titles),
    ]
    return " ".join(sentences)


def _tests_text(tests: int) -> Iterator[str]:
    if tests:
        yield trn(
            "p is by the sign test, after Holm over {n} test.",
            "p is by the sign test, after Holm over {n} tests.",
            tests,
        )


def _encoder_standing(
    tally: Tally, p: float, tests: int, median: float, base: float
) -> EncoderStanding:
    mentions, standing = tally.wins + tally.losses + tally.ties, Standing.NOT_SHOWN
    if p < ALPHA:
        standing = Standing.AHEAD if tally.wins > tally.losses else Standing.BEHIND
    elif isnan(p) or least_p(mentions) * tests >= ALPHA:
        standing = Standing.TOO_FEW
    says_otherwise = (standing is Standing.AHEAD and median > base) or (
        standing is Standing.BEHIND and median < base
    )
    return EncoderStanding(tally, p, standing, median, says_otherwise)


def median_rank(ranks: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> float:
    """Return the median of the ranks that are defined; NaN of fewer than two."""
    defined = ranks[~np.isnan(ranks)]
    return float(np.median(defined)) if len(defined) >= LEAST_SHOWN else float("nan")


def _standing_text(standing: EncoderStanding, titles: Mapping[int, str]) -> str:
    counts = tr(
        "{encoder} wins {wins:,}, loses {losses:,}, ties {ties:,}",
        encoder=titles[standing.tally.encoder_id],
        wins=standing.tally.wins,
        losses=standing.tally.losses,
        ties=standing.tally.ties,
    )
    p = chance_text(standing.p)
    match standing.standing:
        case Standing.AHEAD:
            return tr("{counts} (ahead, p {p})", counts=counts, p=p)
        case Standing.BEHIND:
            return tr("{counts} (behind, p {p})", counts=counts, p=p)
        case Standing.NOT_SHOWN:
            return tr("{counts} (no difference shown, p {p})", counts=counts, p=p)
        case Standing.TOO_FEW:
            return tr("{counts} (too few to tell)", counts=counts)


def _medians_text(concluded: ComparedConclusion, titles: Mapping[int, str]) -> Iterator[str]:
    medians = {candidate.tally.encoder_id: candidate.median for candidate in concluded.standings}
    medians[concluded.baseline_id] = concluded.baseline_median
    listing = ", ".join(
        f"{titles[id_]} {number(median, ',.6g')}"
        for id_, median in medians.items()
        if median == median
    )
    if listing:
        yield tr("Median ranks: {medians}.", medians=listing)
    for standing in concluded.standings:
        if standing.says_otherwise:
            yield tr(
                "The median rank of {encoder} says otherwise.",
                encoder=titles[standing.tally.encoder_id],
            )
