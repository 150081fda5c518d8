"""Judged pairs that a run can learn from: those of a study, or of a file with labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.services.pairs.files import part_of_queue
from termexplorer.services.studies.studies import find_study
from termexplorer.services.studies.truth import judged_study
from termexplorer.texts import mark, number, tr, translated
from termexplorer.workers.data.judged_choice import JudgedChoice, JudgedPair
from termexplorer.workers.process.trainer_texts import translate_error
from termexplorer.workspace import Workspace

__all__ = ["FEWEST", "JudgedChoice", "JudgedPair", "judged_in_file", "judged_in_study"]

FEWEST = 10  # pairs of each kind, for something to train on, to stop by and to test


def judged_in_study(
    workspace: Workspace, study_id: int, *, dont_know_votes: bool = True
) -> JudgedChoice:
    """The pairs of a study on which its annotators have a majority, or that were adjudicated.

    Args:
        workspace: that has the study.
        study_id: of it.
        dont_know_votes: whether "don't know" is a vote for none; else it is no vote.

    Raises:
        UserError: no such study, no answer in it, answers that do not say similar or not, or too
            few pairs of a kind.
    """
    from termexplorer.trainer.agreement import NO_MAJORITY

    head = find_study(workspace, study_id).head
    truth = judged_study(workspace, study_id, dont_know_votes=dont_know_votes).truth
    labels = truth.ratings.labels
    if len(labels) != 2 or not truth.positive:
        raise UserError(
            tr(
                "study {study} has not asked whether two terms are the same or not; choose one "
                "with these two answers",
                study=study_id,
            )
        )
    positive, codes = labels.index(truth.positive), truth.codes.tolist()
    pairs = [
        JudgedPair(pair.subject, pair.object, code == positive, part_of_queue(pair.set_name))
        for pair, code in zip(truth.pairs, codes, strict=True)
        if code != NO_MAJORITY
    ]
    left_out = {
        mark("not judged yet"): truth.unjudged,
        mark("without a majority or a decision"): truth.without_truth,
    }
    return _choose_pairs(f"study {study_id}, {head.title}", pairs, left_out, head.key)


def judged_in_file(path: Path) -> JudgedChoice:
    """The pairs of a file that have a label of 1 (similar) or 0.

    Raises:
        UserError: with file and line, a file that cannot be read, another label, or too few pairs
            of a kind.
    """
    from termexplorer.trainer.files.pairs import read_pairs
    from termexplorer.trainer.term_pairs.drawn import is_pair_set, read_drawn

    rows: list[tuple[str, str, float | None, str]]
    try:
        if is_pair_set(path):
            rows = [(pair.left, pair.right, pair.label, pair.drawn) for pair in read_drawn(path)]
        else:
            rows = [
                (left, right, score, "")
                for pair_set in read_pairs(path)
                for left, right, score in zip(
                    pair_set.left, pair_set.right, pair_set.scores.tolist(), strict=True
                )
            ]
    except ValueError as error:
        raise UserError(translate_error(error)) from error
    other = next((label for *_, label, _ in rows if label not in (None, 0.0, 1.0)), None)
    if other is not None:
        raise UserError(
            tr(
                "{path}: a label is {label:g}; give 1 for similar pairs, 0 for others",
                path=path,
                label=other,
            )
        )
    pairs = [
        JudgedPair(left, right, label == 1, part)
        for left, right, label, part in rows
        if label is not None
    ]
    return _choose_pairs(str(path), pairs, {mark("without a label"): len(rows) - len(pairs)})


def _choose_pairs(
    source: str, pairs: Iterable[JudgedPair], left_out: Mapping[str, int], study: str = ""
) -> JudgedChoice:
    """Each pair once; those on which verdicts differ are left out."""
    rows_by_terms: dict[frozenset[str], list[JudgedPair]] = {}
    for pair in pairs:
        rows_by_terms.setdefault(
            frozenset((pair.left.casefold(), pair.right.casefold())), []
        ).append(pair)
    alone = [rows for terms, rows in rows_by_terms.items() if len(terms) == 1]
    repeated = [rows for terms, rows in rows_by_terms.items() if len(terms) > 1]
    agreed = [rows for rows in repeated if len({row.similar for row in rows}) == 1]
    chosen = tuple(rows[0] for rows in agreed)
    more = {
        mark("of a term with itself"): sum(map(len, alone)),
        mark("judged both ways"): sum(map(len, repeated)) - sum(map(len, agreed)),
        mark("judged alike before"): sum(map(len, agreed)) - len(agreed),
    }
    counts = {reason: count for reason, count in (dict(left_out) | more).items() if count}
    _check_enough(source, chosen, counts)
    return JudgedChoice(source, chosen, counts, study)


def _check_enough(source: str, pairs: tuple[JudgedPair, ...], left_out: Mapping[str, int]) -> None:
    similar = sum(pair.similar for pair in pairs)
    if min(similar, len(pairs) - similar) >= FEWEST:
        return
    why = "; ".join(f"{number(count)} {translated(reason)}" for reason, count in left_out.items())
    raise UserError(
        tr(
            "{source}: {similar:,} judged pairs are similar and {other:,} are not{why}, and at "
            "least {fewest} of each are needed to train on, to stop by and to test; have more "
            "pairs judged",
            source=source,
            similar=similar,
            other=len(pairs) - similar,
            why=f" ({why})" if why else "",
            fewest=FEWEST,
        )
    )
