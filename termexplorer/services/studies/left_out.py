"""Pairs that are left out of a study before it is sent out, and taken in again."""

from collections.abc import Collection

from termexplorer.errors import UserError
from termexplorer.services.pairs.filter import BY_HAND
from termexplorer.services.studies.adjudication.disputed_pairs import pair_numbers
from termexplorer.services.studies.content import checked_content
from termexplorer.services.studies.studies import find_study
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.judging import studies, verdicts
from termexplorer.store.judging.studies import KeptStudy
from termexplorer.store.judging.verdicts import json_hash
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

__all__ = ["leave_out_pairs", "take_in_pairs", "why_fixed"]


def why_fixed(workspace: Workspace, study_id: int) -> str:
    """Why no pair can be left out of a study any more, in words; "" if some can.

    Raises:
        UserError: no such study.
    """
    study = find_study(workspace, study_id)
    with workspace.store.reading() as connection:
        return _why_fixed(connection, study)


def leave_out_pairs(
    workspace: Workspace, study_id: int, numbers: Collection[int], reason: str = BY_HAND
) -> int:
    """Leaves pairs out of a study; packs that were written before do not fit it any more.

    Args:
        workspace: that has the study.
        study_id: of it.
        numbers: of the pairs, as `verdict_table` tells them.
        reason: why, one of the words of `pair_filter` or in one's own.

    Returns:
        how many were not left out already.

    Raises:
        UserError: no such study or pair, somebody has answered already, or nothing would be left
            for somebody to judge; then nothing was changed.
    """
    return _change_pairs(workspace, study_id, numbers, " ".join(reason.split()) or BY_HAND)


def take_in_pairs(workspace: Workspace, study_id: int, numbers: Collection[int]) -> int:
    """Takes pairs that were left out in again, where they were; as `leave_out_pairs`."""
    return _change_pairs(workspace, study_id, numbers, "")


def _change_pairs(
    workspace: Workspace, study_id: int, numbers: Collection[int], reason: str
) -> int:
    study = find_study(workspace, study_id)
    pairs = {number: pair for pair, number in pair_numbers(workspace, study_id).items()}
    unknown = sorted(set(numbers) - pairs.keys())
    if unknown:
        raise UserError(
            tr("study {study_id} has no pair {number}", study_id=study_id, number=unknown[0])
        )
    wanted = {pairs[number] for number in numbers}
    with workspace.store.writing() as connection:
        if why := _why_fixed(connection, study):
            raise UserError(why)
        all_pairs = studies.all_pairs_of(connection, study_id)
        changed = [pair for pair, why in all_pairs if pair in wanted and bool(why) != bool(reason)]
        studies.leave_out(connection, study_id, changed, reason)
        _hash_packs(connection, study)
    return len(changed)


def _hash_packs(connection: Connection, study: KeptStudy) -> None:
    """Tells what each annotator is given now.

    Raises:
        UserError: somebody is given no pair.
    """
    for seat in studies.seats_of(connection, study.id):
        turns = studies.turns_of(connection, seat)
        if all(turn.practice for turn in turns):
            raise UserError(
                tr("{name} would have no pair left to judge; leave fewer out", name=seat.annotator)
            )
        pack_hash = json_hash(checked_content(study.head, seat.annotator, turns))
        studies.change_seat(connection, seat, pack_hash)


def _why_fixed(connection: Connection, study: KeptStudy) -> str:
    if "each" not in study.head.plan:
        return tr("study {study_id} was not drawn here, so its pairs are fixed", study_id=study.id)
    if verdicts.count_rows(connection, study.head.key):
        return tr(
            "study {study_id} has answers already, so its pairs are fixed; make another study "
            "without those that are not to be judged",
            study_id=study.id,
        )
    return ""
