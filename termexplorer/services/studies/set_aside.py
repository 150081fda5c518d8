"""Files of answers in doubt: kept beside the store until the author has chosen, and after."""

import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.files import atomic_write
from termexplorer.services.studies.answer_doubts import DoubtfulAnswers
from termexplorer.services.studies.answers_file import compare_with_log, read_answers_file
from termexplorer.store.judging import signing
from termexplorer.store.judging.signing import KnownKey, SetAsideAnswers
from termexplorer.store.judging.studies import KeptStudy
from termexplorer.store.judging.verdicts import json_hash
from termexplorer.store.private_files import make_private_folder
from termexplorer.system_reasons import tell_reason
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

__all__ = [
    "StudyKeys",
    "copy_set_aside",
    "list_doubtful",
    "list_study_keys",
    "locate_set_aside",
]

_FOLDER, _ENDING = "answers", ".termanswers"


@dataclass(frozen=True, slots=True)
class StudyKeys:
    """The keys that files of a study were signed with, and files that were in doubt.

    Attributes:
        study_id: of the study.
        title: of it.
        keys: in the order of being seen.
        files: in the order of their coming, each with its copy.
    """

    study_id: int
    title: str
    keys: tuple[KnownKey, ...]
    files: tuple[tuple[SetAsideAnswers, Path], ...]


def list_study_keys(workspace: Workspace, study: KeptStudy) -> StudyKeys:
    """Return what is known of who signed the files of a study."""
    with workspace.store.reading() as connection:
        keys = signing.known_keys(connection, study.head.key)
        files = signing.set_aside_of(connection, study.head.key)
    copies = tuple((file, locate_set_aside(workspace, file)) for file in files)
    return StudyKeys(study.id, study.head.title, tuple(keys), copies)


def list_doubtful(workspace: Workspace, study: KeptStudy) -> list[DoubtfulAnswers]:
    """Return the answers to a study of which the author has not chosen yet.

    What is not in doubt any more, as where the annotator's own file came since, is left out, and so
    is a copy that is gone.
    """
    doubts = []
    for file, path in list_study_keys(workspace, study).files:
        if file.is_open:
            with suppress(UserError), workspace.store.reading() as connection:
                read = read_answers_file(connection, path)
                doubt = compare_with_log(workspace, connection, read).doubt
                doubts += [doubt] if doubt else []
    return doubts


def locate_set_aside(workspace: Workspace, file: SetAsideAnswers) -> Path:
    """Return where the copy of a file lies."""
    # of what a row says, which may be anything, a name that leads nowhere else
    name = json_hash([file.annotator, file.hash, file.key])[:32]
    return workspace.folder / _FOLDER / f"{name}{_ENDING}"


def copy_set_aside(workspace: Workspace, file: SetAsideAnswers, path: Path) -> None:
    """Copy a file beside the store, before a row says that it is there.

    Args:
        workspace: that is to have it.
        file: what is known of it.
        path: where it is.

    Raises:
        UserError: it cannot be copied.
    """
    copy = locate_set_aside(workspace, file)
    try:
        make_private_folder(copy.parent)
        if not (copy.exists() and copy.samefile(path)):
            with atomic_write(copy) as fresh:
                shutil.copyfile(path, fresh)
                fresh.chmod(0o600)
    except OSError as error:
        raise UserError(
            tr("{path}: cannot be kept ({error})", path=path, error=tell_reason(error))
        ) from error
