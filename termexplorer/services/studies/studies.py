"""Studies of term pairs: made from pair sets, and found again."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from termexplorer.errors import UserError
from termexplorer.services.files.plain_texts import check_text, fold_name
from termexplorer.services.pairs.filter import (
    KEEP_ALL,
    PairFilter,
    add_counts,
    filter_pool,
    told_counts,
)
from termexplorer.services.pairs.sampling import PairPool, SampledPairs, SetDrawn, draw
from termexplorer.services.studies.answer_lines import check_answers
from termexplorer.services.studies.content import (
    LONGEST_LINE,
    LONGEST_NAME,
    LONGEST_TEXT,
    checked_content,
    pack_content,
)
from termexplorer.services.studies.known_answers import KnownChecks, find_checks, tell_practice
from termexplorer.services.studies.presets import Scale
from termexplorer.services.studies.turns import hand_out
from termexplorer.services.verdicts.log import now
from termexplorer.store.judging import studies
from termexplorer.store.judging.studies import (
    NOWHERE,
    KeptStudy,
    LookUp,
    Seat,
    StudyHead,
    StudyPair,
    Turn,
)
from termexplorer.store.judging.verdicts import json_hash
from termexplorer.texts import tr, trn
from termexplorer.workers.process.trainer_texts import translate_error
from termexplorer.workspace import Workspace

__all__ = [
    "KeptStudy",
    "LookUp",
    "NewStudy",
    "StudyPlan",
    "find_seat",
    "find_study",
    "new_study",
    "sets_of",
    "studies_of",
]


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """What a study is to be.

    Attributes:
        title: for people.
        annotators: who judge.
        scale: what is asked, with guidelines and answers.
        each: how many similar pairs, and as many dissimilar ones, of each set.
        practice: pairs before, which do not count.
        repeat: the share of an annotator's pairs that is shown twice, from 0 to a half.
        overlap: how many judge each pair; None for all.
        seed: of everything random.
        look_up: where annotators may look terms up.
        shared: the share of the pairs that so many judge; the others are judged by one each, and
            agreement is not of these.
        sources: how the pair sets were made that it is drawn from, as `tell_sources` tells.
        leave_out: what pairs of the sets are left out for, before any is drawn.
        tell_practice: whether annotators are told, after each practice pair, what was right.
    """

    title: str
    annotators: Sequence[str]
    scale: Scale
    each: int
    practice: int = 0
    repeat: float = 0.0
    overlap: int | None = None
    seed: int = 0
    look_up: LookUp = NOWHERE
    shared: float = 1.0
    sources: Sequence[Mapping[str, Any]] = ()
    leave_out: PairFilter = KEEP_ALL
    tell_practice: bool = False


@dataclass(frozen=True, slots=True)
class NewStudy:
    """A study that was made.

    Attributes:
        id: of the study.
        pairs: how many are judged, besides practice.
        practice: how many come before.
        sets: what was drawn from each.
        turns: how often each annotator is asked.
        overlapping: how many pairs two or more judge, which agreement is of.
        checks: how many pairs with a known answer are mixed in.
        checks_left_out: how many pairs of the sets of checks are not, by set and reason.
        practice_asked: how many practice pairs were asked for.
    """

    id: int
    pairs: int
    practice: int
    sets: tuple[SetDrawn, ...]
    turns: Mapping[str, int]
    overlapping: int
    checks: int
    checks_left_out: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    practice_asked: int = 0

    def shortfalls(self) -> Iterator[str]:
        """Yield sentences on what was asked for and is not there, and on what was left out."""
        for pair_set in self.sets:
            if pair_set.short:
                yield pair_set.short
            if pair_set.left_out:
                yield f"{pair_set.name}: {told_counts(pair_set.left_out)}"
        if self.practice < self.practice_asked:
            yield trn(
                "{n:,} practice pair, not the {asked:,} that were asked for: practice takes pairs "
                "of the sets that are not judged, and all others are; judge fewer pairs of each "
                "set, or add a set",
                "{n:,} practice pairs, not the {asked:,} that were asked for: practice takes pairs "
                "of the sets that are not judged, and all others are; judge fewer pairs of each "
                "set, or add a set",
                self.practice,
                asked=self.practice_asked,
            )
        for name, counts in self.checks_left_out.items():
            yield tr("{name}, known answers: {told}", name=name, told=told_counts(counts))


def new_study(
    workspace: Workspace,
    plan: StudyPlan,
    pools: Iterable[PairPool],
    checks: Iterable[PairPool] = (),
) -> NewStudy:
    """Draws pairs from sets and hands them out; the same plan on the same sets is the same study.

    Args:
        workspace: that is to have it.
        plan: what it is to be.
        pools: the sets, gone through once.
        checks: sets of which all labelled pairs are mixed in for everybody, to see whether they
            attend; these count in no figure.

    Raises:
        UserError: a plan that cannot be carried out, sets without a pair that could be judged, or
            a study that is there already; then nothing was kept.
    """
    annotators = [" ".join(name.split()) for name in plan.annotators]
    _check_plan(plan, annotators)
    drawn, known = _draw_pairs(plan, pools, checks)
    overlap = plan.overlap or len(annotators)
    turns = hand_out(drawn.pairs, annotators, overlap, plan.repeat, plan.seed, plan.shared)
    if any(all(turn.practice for turn in own_turns) for own_turns in turns.values()):
        raise UserError(
            tr("there are fewer pairs than annotators; name fewer, or more of each set")
        )
    head = _make_head(plan, overlap, drawn, turns)
    head = replace(head, plan={**head.plan, "checks_left_out": known.left_out})
    study_id = _keep_study(workspace, head, drawn.pairs, turns)
    practice = sum(pair.practice for pair in drawn.pairs)
    checked = len(known.pairs)
    counts = {annotator: len(own_turns) for annotator, own_turns in turns.items()}
    return NewStudy(
        study_id, len(drawn.pairs) - practice - checked, practice, drawn.sets, counts,
        _count_overlapping(drawn.pairs, turns), checked, known.left_out, plan.practice,
    )  # fmt: skip


def _draw_pairs(
    plan: StudyPlan, pools: Iterable[PairPool], checks: Iterable[PairPool]
) -> tuple[SampledPairs, KnownChecks]:
    """Draw the pairs of a study, with those to practise and those with known answers among them.

    Raises:
        UserError: the sets hold no pair that could be judged.
    """
    left_out: dict[str, Mapping[str, int]] = {}
    drawn = draw(_filter_pools(pools, plan, left_out), plan.each, plan.practice, plan.seed)
    sets = tuple(
        replace(
            pair_set, left_out=add_counts({"": left_out[pair_set.name], " ": pair_set.left_out})
        )
        for pair_set in drawn.sets
    )
    pairs = tell_practice(drawn.pairs, plan.scale) if plan.tell_practice else drawn.pairs
    known = find_checks(checks, plan.scale, pairs)
    if all(pair.practice for pair in pairs):
        why = told_counts(add_counts({pair_set.name: pair_set.left_out for pair_set in sets}))
        problem = tr("the sets hold no pair of two different terms; name other sets")
        raise UserError(f"{problem} ({why})" if why else problem)
    return replace(drawn, sets=sets, pairs=(*pairs, *known.pairs)), known


def _keep_study(
    workspace: Workspace,
    head: StudyHead,
    pairs: Sequence[StudyPair],
    turns: Mapping[str, Sequence[Turn]],
) -> int:
    """Write a study to the disk, and return its id.

    Raises:
        UserError: it is there already.
    """
    packs = {
        name: json_hash(checked_content(head, name, own_turns)) for name, own_turns in turns.items()
    }
    with workspace.store.writing() as connection:
        for known_study in studies.studies(connection):
            if known_study.head.key == head.key:
                raise UserError(
                    tr(
                        "study {id} is the same; give another title or seed for another one",
                        id=known_study.id,
                    )
                )
        study_id = studies.add_study(connection, head)
        studies.add_pairs(connection, study_id, pairs)
        for annotator, own_turns in turns.items():
            studies.add_seat(connection, study_id, annotator, packs[annotator], own_turns)
    return study_id


def _count_overlapping(pairs: Iterable[StudyPair], turns: Mapping[str, Sequence[Turn]]) -> int:
    """Return how many pairs that count are judged by several annotators."""
    studied = {(pair.subject, pair.object) for pair in pairs if pair.counts}
    judges = Counter(
        terms
        for own_turns in turns.values()
        for turn in own_turns
        if turn.showing == 1
        and (terms := (min(turn.left, turn.right), max(turn.left, turn.right))) in studied
    )
    return sum(count > 1 for count in judges.values())


def studies_of(workspace: Workspace) -> list[KeptStudy]:
    """All studies of a workspace, in the order in which they came."""
    with workspace.store.reading() as connection:
        return studies.studies(connection)


def choose_studies(workspace: Workspace, study_id: int | None) -> list[KeptStudy]:
    """Return the study of an id alone, or all of them where there is no id.

    Raises:
        UserError: there is none of that id.
    """
    return studies_of(workspace) if study_id is None else [find_study(workspace, study_id)]


def find_study(workspace: Workspace, study_id: int) -> KeptStudy:
    """The study of an id.

    Raises:
        UserError: there is none.
    """
    for study in studies_of(workspace):
        if study.id == study_id:
            return study
    raise UserError(
        tr("{study_id}: no such study; `termexplorer study list` lists them", study_id=study_id)
    )


def sets_of(workspace: Workspace, study_id: int) -> list[str]:
    """The sets that the pairs of a study are of, without practice; none where it came in packs."""
    with workspace.store.reading() as connection:
        pairs = studies.pairs_of(connection, study_id)
    return list(dict.fromkeys(p.set_name for p in pairs if p.set_name and p.counts))


def find_seat(
    workspace: Workspace, study: KeptStudy, annotator: str
) -> tuple[Seat, tuple[Turn, ...]]:
    """An annotator of a study, and all that they are asked, in that order.

    Raises:
        UserError: nobody of that name judges in it.
    """
    name = " ".join(annotator.split())
    with workspace.store.reading() as connection:
        seats = {seat.annotator: seat for seat in studies.seats_of(connection, study.id)}
        if name not in seats:
            raise UserError(
                tr(
                    "{name!r} does not judge in study {id}; {known} do",
                    name=name,
                    id=study.id,
                    known=", ".join(seats),
                )
            )
        return seats[name], studies.turns_of(connection, seats[name])


def _filter_pools(
    pools: Iterable[PairPool], plan: StudyPlan, left_out: dict[str, Mapping[str, int]]
) -> Iterator[PairPool]:
    """Sets without what is left out, which is counted on the way."""
    for pool in pools:
        filtered, left_out[pool.name] = filter_pool(pool, plan.leave_out)
        yield filtered


def _check_plan(plan: StudyPlan, annotators: Sequence[str]) -> None:
    if not plan.title.strip():
        raise UserError(tr("give the study a title"))
    if not annotators or not all(annotators):
        raise UserError(tr("name the annotator"))
    if len({fold_name(name) for name in annotators}) < len(annotators):
        raise UserError(tr("an annotator is named twice; names tell them apart"))
    if not plan.scale.question.strip():
        raise UserError(tr("say what is asked of each pair"))
    try:
        check_text(tr("the title"), " ".join(plan.title.split()), LONGEST_LINE)
        check_text(tr("the question"), plan.scale.question, LONGEST_LINE)
        check_text(tr("the guidelines"), plan.scale.guidelines, LONGEST_TEXT, 0, lines=True)
        for annotator in annotators:
            check_text(tr("the name {name!r}", name=annotator[:40]), annotator, LONGEST_NAME)
        check_answers(plan.scale.answers, plan.scale.level, plan.scale.similar)
    except ValueError as error:
        raise UserError(translate_error(error)) from error
    _check_counts(plan, len(annotators))


def _check_counts(plan: StudyPlan, annotators: int) -> None:
    if plan.each < 1 or plan.practice < 0:
        raise UserError(tr("a study needs at least one pair of each kind of a set"))
    if not 0 <= plan.repeat <= 0.5:
        raise UserError(
            tr("{repeat:g} of the pairs cannot be repeated; at most 0.5 can", repeat=plan.repeat)
        )
    if not 0 <= plan.shared <= 1:
        raise UserError(
            tr(
                "{shared:g} of the pairs cannot be judged by several; a share of 0 to 1 can",
                shared=plan.shared,
            )
        )
    if plan.overlap is not None and not 1 <= plan.overlap <= annotators:
        raise UserError(
            tr(
                "{overlap} cannot judge each pair; {annotators} annotators are named",
                overlap=plan.overlap,
                annotators=annotators,
            )
        )


def _make_head(
    plan: StudyPlan, overlap: int, drawn: SampledPairs, turns: Mapping[str, Sequence[Turn]]
) -> StudyHead:
    plan_facts: dict[str, Any] = {
        "each": plan.each,
        "practice": plan.practice,
        "repeat": plan.repeat,
        "overlap": overlap,
        "shared": plan.shared,
        "tell_practice": plan.tell_practice,
        "checks": sum(not pair.practice and not pair.counts for pair in drawn.pairs),
        "seed": plan.seed,
        "similar": plan.scale.similar,
        "sets": [asdict(pair_set) for pair_set in drawn.sets],
    }
    if plan.sources:
        plan_facts["sources"] = list(plan.sources)
    scale = plan.scale
    head = StudyHead(
        "", " ".join(plan.title.split()), scale.question, scale.answers, scale.level,
        scale.guidelines, plan_facts, now(), plan.look_up,
    )  # fmt: skip
    # of what annotators see alone, so that the key, which they have, tells nothing of the sets
    seen = [pack_content(head, annotator, own_turns) for annotator, own_turns in turns.items()]
    return replace(head, key=json_hash(seen))
