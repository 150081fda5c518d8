"""What changes in a study after it is made: its name, who judges, and whether it is there."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from termexplorer.errors import UserError
from termexplorer.services.files.plain_texts import check_text, fold_name
from termexplorer.services.studies.content import LONGEST_LINE, LONGEST_NAME, checked_content
from termexplorer.services.studies.status import study_status
from termexplorer.services.studies.studies import find_study
from termexplorer.services.studies.turns import order_turns
from termexplorer.services.verdicts.log import now
from termexplorer.services.workspace.automatic_backups import back_up_before
from termexplorer.store.judging import decisions, studies, verdicts
from termexplorer.store.judging.studies import KeptStudy, StudyPair, Turn
from termexplorer.store.judging.verdicts import json_hash
from termexplorer.texts import tr, trn
from termexplorer.workspace import Workspace

__all__ = [
    "StudyRemoval",
    "add_annotator",
    "inspect_study_removal",
    "remove_study",
    "rename_study",
]


@dataclass(frozen=True, slots=True)
class StudyRemoval:
    """What it would mean to remove a study.

    Attributes:
        study: the study.
        pairs: how many it has, without practice.
        annotators: how many judge.
        waiting: those of them who are not done.
        rows: how many rows the log has on it, those too that were taken back, and decisions.
    """

    study: KeptStudy
    pairs: int
    annotators: int
    waiting: tuple[str, ...]
    rows: int

    @property
    def goes(self) -> tuple[str, ...]:
        """What is lost, item by item."""
        pairs = trn("{n:,} pair", "{n:,} pairs", self.pairs)
        people = trn("{n:,} annotator", "{n:,} annotators", self.annotators)
        lines = [tr("the study {title}: {pairs}, {people}", title=self.study.head.title,
                    pairs=pairs, people=people)]  # fmt: skip
        if self.waiting:
            names = ", ".join(self.waiting)
            lines.append(
                tr("the way for answers that are still out, of {names}, to come in", names=names)
            )
        return tuple(lines)

    @property
    def stays(self) -> str:
        """A sentence on what is kept."""
        if not self.rows:
            return tr("It has no verdicts yet. A backup is made first.")
        return trn(
            "{n:,} row of the log stays, as it is never cut: verdicts and decisions count again "
            "where the same study is made again, or its packs are opened. A backup is made before.",
            "{n:,} rows of the log stay, as it is never cut: verdicts and decisions count again "
            "where the same study is made again, or its packs are opened. A backup is made before.",
            self.rows,
        )


def rename_study(workspace: Workspace, study_id: int, title: str) -> str:
    """Gives a study another title, which packs that are written from now on do not have.

    These stay the same files as before, so that what was sent out fits.

    Returns:
        the title as it is kept.

    Raises:
        UserError: no such study, or no title.
    """
    head = find_study(workspace, study_id).head
    title = " ".join(title.split())
    if not title:
        raise UserError(tr("give the study a title"))
    try:
        check_text(tr("the title"), title, LONGEST_LINE)
    except ValueError as error:
        raise UserError(str(error)) from error
    sent = "" if title == head.pack_title else head.pack_title
    with workspace.store.writing() as connection:
        studies.change_study(connection, study_id, title=title, sent_title=sent)
    return title


def add_annotator(
    workspace: Workspace, study_id: int, annotator: str, *, all_pairs: bool = False
) -> int:
    """Has somebody else judge in a study; the packs of the others stay as they are.

    They are asked about the pairs that all others are asked about. Where there are none, they get
    as many as the others have, those first that the fewest judge.

    Args:
        workspace: that has the study.
        study_id: of it.
        annotator: who judges from now on.
        all_pairs: whether they judge all pairs, whatever the others do.

    Returns:
        how often they are asked, practice too.

    Raises:
        UserError: no such study, one that came in packs or is of suggestions, or nobody's name or
            somebody's who judges already.
    """
    head = find_study(workspace, study_id).head
    name, plan = " ".join(annotator.split()), dict(head.plan)
    if not name:
        raise UserError(tr("name the annotator"))
    try:
        check_text(tr("the name {name!r}", name=name[:40]), name, LONGEST_NAME)
    except ValueError as error:
        raise UserError(str(error)) from error
    if "each" not in plan:
        raise UserError(
            tr(
                "study {study_id} was not drawn here; who made it can add somebody, or write the "
                "pack of a list for another curator",
                study_id=study_id,
            )
        )
    with workspace.store.writing() as connection:
        seats = studies.seats_of(connection, study_id)
        if fold_name(name) in {fold_name(seat.annotator) for seat in seats}:
            raise UserError(tr("{name} judges in study {study_id} already", name=name,
                               study_id=study_id))  # fmt: skip
        pairs = studies.pairs_of(connection, study_id)
        practice = [pair for pair in pairs if pair.practice]
        checks = [pair for pair in pairs if not pair.practice and not pair.counts]
        counted_pairs = [pair for pair in pairs if pair.counts]
        if not all_pairs:
            loads = [studies.turns_of(connection, seat) for seat in seats]
            counted_pairs = _deal_share(counted_pairs, loads, Random(f"{plan['seed']} who, {name}"))  # noqa: S311
        turns = order_turns(name, practice, [*counted_pairs, *checks], plan["repeat"], plan["seed"])
        pack_hash = json_hash(checked_content(head, name, turns))
        studies.add_seat(connection, study_id, name, pack_hash, turns)
        added = [
            *plan.get("added", []),
            {"annotator": name, "at": now(), "pairs": len(counted_pairs)},
        ]
        studies.change_study(connection, study_id, plan={**plan, "added": added})
    return len(turns)


def inspect_study_removal(workspace: Workspace, study_id: int) -> StudyRemoval:
    """Counts what stands on a study.

    Raises:
        UserError: no such study.
    """
    status = study_status(workspace, study_id)
    key = status.study.head.key
    with workspace.store.reading() as connection:
        rows = sum(
            verdicts.count_rows(connection, log_key)
            for log_key in (key, decisions.decisions_on(key))
        )
    waiting = tuple(
        seat.annotator
        for seat in status.seats
        if seat.judged + seat.practised < seat.asked + seat.practice
    )
    return StudyRemoval(status.study, status.pairs, len(status.seats), waiting, rows)


def remove_study(workspace: Workspace, study_id: int) -> str:
    """Removes a study, of which the log keeps all that was said; a backup is made before.

    Returns:
        Why no backup could be made, as a sentence; "" where it was.

    Raises:
        UserError: no such study, or somebody judges in the workspace.
    """
    find_study(workspace, study_id)
    with workspace.judging():
        backup_message = back_up_before(workspace, "removal")
        with workspace.store.writing() as connection:
            studies.remove_study(connection, study_id)
    return backup_message


def _deal_share(
    pairs: Sequence[StudyPair], loads: Sequence[Sequence[Turn]], random: Random
) -> list[StudyPair]:
    """The pairs of one who comes later: what all others judge, or else what the fewest judge."""
    asked: Counter[tuple[str, str]] = Counter()
    for turns in loads:
        asked.update({_terms_of(turn) for turn in turns if not turn.practice})
    counts = {pair: asked[pair.subject, pair.object] for pair in pairs}
    common = [pair for pair in pairs if counts[pair] == len(loads)]
    if common:
        return common
    number = round(sum(counts.values()) / max(len(loads), 1))
    first = sorted(pairs, key=lambda pair: (counts[pair], random.random()))[:number]
    return [pair for pair in pairs if pair in set(first)]


def _terms_of(turn: Turn) -> tuple[str, str]:
    return min(turn.left, turn.right), max(turn.left, turn.right)
