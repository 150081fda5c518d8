"""What was said in a study so far, and how far each annotator is."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from termexplorer.services.pairs.filter import told_counts
from termexplorer.services.studies.known_answers import CheckCount, count_checks
from termexplorer.services.studies.rows import ORIGIN, SKIPPED
from termexplorer.services.studies.studies import find_study
from termexplorer.services.verdicts.log import Answer
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.judging import signing, studies, verdicts
from termexplorer.store.judging.decisions import decisions_on
from termexplorer.store.judging.signing import AUTHOR
from termexplorer.store.judging.studies import KeptStudy, StudyPair
from termexplorer.texts import tr, trn
from termexplorer.workspace import Workspace

__all__ = ["Judgement", "SeatStatus", "StudyStatus", "asked_of", "judgements", "study_status"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an annotator said of a pair.

    Attributes:
        annotator: their name.
        pair: with the set that it was drawn from.
        showing: 1, or 2 where the pair was repeated.
        answer: with times and what stood at the left.
    """

    annotator: str
    pair: StudyPair
    showing: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class SeatStatus:
    """How far an annotator is.

    Attributes:
        annotator: their name.
        judged: how many questions have an answer, without practice.
        asked: how many there are; a repeated pair is two.
        skipped: how many were skipped, practice too.
        practised: how many practice pairs have an answer.
        practice: how many there are.
        last_at: when the last answer was given, ISO 8601 in UTC; empty before.
        checks: how the annotator did on pairs whose answer is known, at the first showing.
        signed: signed | unsigned | doubtful | here (judged in this workspace); "" before.
        key: that signed what was merged; "" where none did.
    """

    annotator: str
    judged: int
    asked: int
    skipped: int
    practised: int
    practice: int
    last_at: str
    checks: CheckCount
    signed: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class StudyStatus:
    """How far a study is.

    Attributes:
        study: what is asked.
        pairs: how many are judged, without practice.
        complete: how many of them have an answer of each who is asked.
        seats: of the annotators.
        askers: how many pairs are asked of how many annotators, as (annotators, pairs).
        left_out: how many pairs were left out by reason, of the sets or since.
        log_rows: how many rows the log has on it, answers and decisions; it grows with each.
    """

    study: KeptStudy
    pairs: int
    complete: int
    seats: tuple[SeatStatus, ...]
    askers: tuple[tuple[int, int], ...]
    left_out: Mapping[str, int]
    log_rows: int

    @property
    def left_out_told(self) -> str:
        """How many pairs were left out and why, in words; "" for none."""
        return told_counts(self.left_out)

    @property
    def asked_told(self) -> str:
        """How many annotators judge each pair, in words."""
        if len(self.askers) == 1:
            return tr("{overlap} judge each", overlap=self.askers[0][0])
        return ", ".join(
            trn("{n:,} pair by {askers}", "{n:,} pairs by {askers}", pairs, askers=askers)
            for askers, pairs in self.askers
        )


def judgements(workspace: Workspace, study_id: int) -> list[Judgement]:
    """All answers that count, in the order of the log; practice too, skipped pairs not.

    Raises:
        UserError: no such study.
    """
    study = find_study(workspace, study_id)
    with workspace.store.reading() as connection:
        pairs = {(p.subject, p.object): p for p in studies.pairs_of(connection, study_id)}
        rows = verdicts.judged(connection, study.head.key)
    return [
        Judgement(
            row.judge.name,
            pairs[row.subject.subject, row.subject.object],
            row.subject.showing,
            row.answer,
        )
        for row in rows
        if row.answer.answer != SKIPPED
    ]


def asked_of(workspace: Workspace, study_id: int) -> dict[StudyPair, set[str]]:
    """Who is asked about each pair of a study, without practice, in the order of drawing.

    Raises:
        UserError: no such study.
    """
    find_study(workspace, study_id)
    with workspace.store.reading() as connection:
        pairs = [pair for pair in studies.pairs_of(connection, study_id) if pair.counts]
        asked: dict[StudyPair, set[str]] = {pair: set() for pair in pairs}
        by_terms = {frozenset((pair.subject, pair.object)): pair for pair in pairs}
        for seat in studies.seats_of(connection, study_id):
            for turn in studies.turns_of(connection, seat):
                pair = by_terms.get(frozenset((turn.left, turn.right)))
                if pair is not None:
                    asked[pair].add(seat.annotator)
    return asked


def study_status(workspace: Workspace, study_id: int) -> StudyStatus:
    """How far the annotators of a study are.

    Raises:
        UserError: no such study.
    """
    study = find_study(workspace, study_id)
    with workspace.store.reading() as connection:
        seats = studies.seats_of(connection, study_id)
        turns = {seat.annotator: studies.turns_of(connection, seat) for seat in seats}
        pairs = studies.all_pairs_of(connection, study_id)
        answer_by_turn = {
            (row.judge.name, row.subject): row.answer
            for row in verdicts.judged(connection, study.head.key)
        }
        signers = _find_signers(connection, study)
        keys = study.head.key, decisions_on(study.head.key)
        log_rows = sum(verdicts.count_rows(connection, key) for key in keys)
    progress_rows, open_pairs = [], set()
    asked: Counter[frozenset[str]] = Counter()
    known = {
        frozenset((pair.subject, pair.object)): pair.known
        for pair, reason in pairs
        if pair.known and not pair.practice and not reason
    }
    for annotator, own_turns in turns.items():
        given = {
            turn: answer_by_turn.get((annotator, turn.about(study.head))) for turn in own_turns
        }
        judged = {t: a for t, a in given.items() if a and a.answer != SKIPPED}
        practice = [turn for turn in own_turns if turn.practice]
        practised = sum(turn.practice for turn in judged)
        own_pairs = {frozenset((t.left, t.right)) for t in own_turns if not t.practice}
        asked.update(own_pairs - known.keys())
        open_pairs |= {frozenset((t.left, t.right)) for t in own_turns if t not in judged}
        progress_rows.append(
            SeatStatus(
                annotator=annotator,
                judged=len(judged) - practised,
                asked=len(own_turns) - len(practice),
                skipped=sum(a is not None and a.answer == SKIPPED for a in given.values()),
                practised=practised,
                practice=len(practice),
                last_at=max((a.answered_at for a in judged.values()), default=""),
                checks=count_checks(
                    [
                        (known[terms], said_one.answer if said_one else "")
                        for turn, said_one in given.items()
                        if (terms := frozenset((turn.left, turn.right))) in known
                        and turn.showing == 1
                    ]
                ),
                signed=signers.get(annotator, ("", ""))[0],
                key=signers.get(annotator, ("", ""))[1],
            )
        )
    complete = len(asked.keys() - open_pairs)
    askers = sorted(Counter(asked.values()).items(), reverse=True)
    left_out = _left_out(study, [reason for _, reason in pairs if reason])
    return StudyStatus(
        study, len(asked), complete, tuple(progress_rows), tuple(askers), left_out, log_rows
    )


def _find_signers(connection: Connection, study: KeptStudy) -> dict[str, tuple[str, str]]:
    """Return whether the answers of each annotator are signed, and with which key."""
    counting = verdicts.counting(connection, study.head.key)
    merged = {verdict.judge.name for verdict in counting if ORIGIN in verdict.answer.details}
    signers = {verdict.judge.name: ("here", "") for verdict in counting}
    signers |= dict.fromkeys(merged, ("unsigned", ""))
    for key in signing.known_keys(connection, study.head.key):
        if key.trusted and key.annotator != AUTHOR:
            signers[key.annotator] = "signed", key.key
    for file in signing.set_aside_of(connection, study.head.key):
        if file.is_open:
            signers[file.annotator] = "doubtful", signers.get(file.annotator, ("", ""))[1]
    return signers


def _left_out(study: KeptStudy, since: Sequence[str]) -> Mapping[str, int]:
    """How many pairs are left out by reason: of the sets before the draw, and since."""
    counts = Counter(since)
    for set_facts in study.head.plan.get("sets", ()):
        counts.update(set_facts.get("left_out", {}))
    return dict(counts)
