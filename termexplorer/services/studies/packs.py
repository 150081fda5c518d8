"""Study packs: what goes to an annotator who has nothing but termexplorer."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.services.signing.private_keys import SigningKey, author_key, seat_key
from termexplorer.services.signing.signatures import (
    Signature,
    SignatureState,
    format_fingerprint,
)
from termexplorer.services.studies.content import PackContent, checked_content, read_content
from termexplorer.services.studies.envelopes import (
    FIRST_VERSION,
    PACK,
    RIGHT_ANSWERS,
    Envelope,
    read_envelope,
    write_envelope,
)
from termexplorer.services.studies.studies import find_seat, find_study
from termexplorer.services.verdicts.log import now
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.judging import signing, studies
from termexplorer.store.judging.signing import AUTHOR, KnownKey
from termexplorer.store.judging.studies import KeptStudy, Seat, StudyHead, StudyPair, Turn
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

__all__ = ["OpenedPack", "SealedPack", "open_pack", "read_pack", "seal_pack", "write_pack"]

_OWN = ("plan", "made_at", "title", "sent_title")  # what packs do not tell, or told otherwise


@dataclass(frozen=True, slots=True)
class OpenedPack:
    """A pack that is in the workspace.

    Attributes:
        study_id: of its study there.
        annotator: whose it is.
        new: whether it was not there before.
        author: the public key that signed it; "" where none did.
        doubt: a sentence on who sent it, where it is not who sent the study's packs before.
    """

    study_id: int
    annotator: str
    new: bool
    author: str = ""
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class SealedPack:
    """What an annotator needs to judge; it holds neither labels nor sets, and is always the same.

    Attributes:
        head: of the study.
        annotator: whose it is.
        turns: what is asked, in that order.
        content: all of it; JSON.
    """

    head: StudyHead
    annotator: str
    turns: tuple[Turn, ...]
    content: Mapping[str, Any]


def seal_pack(workspace: Workspace, study_id: int, annotator: str) -> SealedPack:
    """Return what an annotator needs to judge.

    Raises:
        UserError: no such study or annotator.
    """
    study = find_study(workspace, study_id)
    seat, turns = find_seat(workspace, study, annotator)
    content = checked_content(study.head, seat.annotator, turns)
    return SealedPack(study.head, seat.annotator, tuple(turns), content)


def write_pack(workspace: Workspace, study_id: int, annotator: str, path: Path) -> int:
    """Writes what an annotator needs to judge; returns how often they are asked.

    The file holds neither labels nor sets, and is the same each time.

    Raises:
        UserError: no such study or annotator, or a place that cannot be written to.
    """
    pack = seal_pack(workspace, study_id, annotator)
    study = find_study(workspace, study_id)
    seat, turns = find_seat(workspace, study, annotator)
    has_right_answers = any(turn.right_answer for turn in turns)
    version = RIGHT_ANSWERS if has_right_answers else FIRST_VERSION
    signer = _find_signer(workspace, study, seat)
    write_envelope(path, PACK, pack.content, version, signer)
    if isinstance(signer, SigningKey) and not workspace.read_only:
        with workspace.store.writing() as connection:
            _pin_author(connection, study.head.key, signer.public)
    return len(turns)


def _find_signer(
    workspace: Workspace, study: KeptStudy, seat: Seat
) -> SigningKey | Signature | None:
    """Return who signs a pack: the author of a study that was made here, else who did before."""
    if study.head.plan:
        return author_key(workspace)
    return Signature(**seat.pack_signature) if seat.pack_signature else None


def read_pack(path: Path) -> tuple[Envelope, PackContent]:
    """Read a pack, and keep nothing.

    Raises:
        UserError: it is no sound pack.
    """
    pack = read_envelope(path, PACK)
    if pack.state is SignatureState.INVALID:
        raise UserError(
            tr(
                "{path}: its signature is not that of who is said to have signed it; ask for the "
                "file again",
                path=path,
            )
        )
    try:
        return pack, read_content(pack.content, now())
    except ValueError as error:
        raise UserError(
            tr("{path}: {error}; ask for the file again", path=path, error=error)
        ) from error


def open_pack(workspace: Workspace, path: Path) -> OpenedPack:
    """Takes a pack into the workspace, where its pairs can then be judged; once.

    Raises:
        UserError: it is no sound pack, or another version of a study that is there; then nothing
            was kept.
    """
    pack, content = read_pack(path)
    pack_hash = pack.hash
    with workspace.store.writing() as connection:
        study_id = _add_study(connection, content, path)
        seats = {
            known_seat.annotator: known_seat
            for known_seat in studies.seats_of(connection, study_id)
        }
        opened_seat = seats.get(content.annotator)
        if opened_seat is None:
            _check_not_made_here(connection, study_id, content.annotator, path)
            pairs = [
                replace(StudyPair.of((t.left, t.right), t.practice), known=t.right_answer)
                for t in content.turns
            ]
            studies.add_pairs(connection, study_id, list(dict.fromkeys(pairs)))
            seat = (study_id, content.annotator, pack_hash)
            signature = asdict(pack.signature) if pack.signature else {}
            opened_seat = studies.add_seat(connection, *seat, content.turns, signature)
        if (opened_seat.pack_hash, studies.turns_of(connection, opened_seat)) != (
            pack_hash,
            content.turns,
        ):
            raise _other_version(path, study_id)
        doubt = _find_author_doubt(connection, content.head.key, pack)
    seat_key(workspace, content.head.key, content.annotator)
    new = content.annotator not in seats
    return OpenedPack(study_id, content.annotator, new, pack.key, doubt)


def _find_author_doubt(connection: Connection, study: str, pack: Envelope) -> str:
    """Return what is odd about who signed a pack; the first who did is taken as the author."""
    pinned = [key.key for key in signing.known_keys(connection, study) if key.annotator == AUTHOR]
    if pack.state is SignatureState.UNCHECKED:
        return tr("the pack is signed, which cannot be checked here: cryptography is missing")
    if pack.key in pinned or (not pack.key and not pinned):
        return ""
    if not pack.key:
        return tr(
            "the pack is unsigned, while the study's packs were signed with the key {key} before; "
            "ask who sent it",
            key=format_fingerprint(pinned[0]),
        )
    if pinned:
        return tr(
            "the pack is signed with the key {key}, and the study's packs were signed with "
            "{pinned} before; ask who sent it",
            key=format_fingerprint(pack.key),
            pinned=format_fingerprint(pinned[0]),
        )
    _pin_author(connection, study, pack.key)
    return ""


def _pin_author(connection: Connection, study: str, key: str) -> None:
    author_keys = {
        known_key.key
        for known_key in signing.known_keys(connection, study)
        if known_key.annotator == AUTHOR
    }
    if key not in author_keys:
        signing.keep_key(connection, study, KnownKey(AUTHOR, key, True, now()))


def _add_study(connection: Connection, content: PackContent, path: Path) -> int:
    """The study of a pack, which is added if it is not there."""
    for study in studies.studies(connection):
        if study.head.key == content.head.key:
            same = {name: getattr(study.head, name) for name in _OWN}
            renamed = content.head.title != study.head.pack_title
            if renamed or replace(content.head, **same) != study.head:
                raise _other_version(path, study.id)
            return study.id
    return studies.add_study(connection, content.head)


def _check_not_made_here(connection: Connection, study_id: int, annotator: str, path: Path) -> None:
    """Refuse to have a file bring somebody into a study whose author has it here.

    Raises:
        UserError: the study was made in this workspace.
    """
    study = next(
        known_study for known_study in studies.studies(connection) if known_study.id == study_id
    )
    if study.head.plan:
        raise UserError(
            tr(
                "{path}: study {study_id} was made here, and {annotator} does not judge in it; "
                "add them with `termexplorer study add-annotator`",
                path=path,
                study_id=study_id,
                annotator=annotator,
            )
        )


def _other_version(path: Path, study_id: int) -> UserError:
    return UserError(
        tr(
            "{path}: is another version of study {study_id}, which is there; ask who sent it "
            "which one counts",
            path=path,
            study_id=study_id,
        )
    )
