"""The ranks of one encoder: computed once, kept in the workspace, checked when they are read."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.files import atomic_write
from termexplorer.store.encoders.infos import EncoderInfo, prepared_beneath
from termexplorer.store.encoders.ranks import RankFile, put_ranks, rank_file
from termexplorer.store.kept_paths import locate_kept
from termexplorer.workers.compare.messages import ComparisonSubject
from termexplorer.workers.compare.subjects import SubjectData
from termexplorer.workers.encoders.encoding import Encoders, Float32s
from termexplorer.workers.evaluate.scoring import scores_of
from termexplorer.workers.evaluate.steps import EvaluationSteps
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.sound_files import is_sound
from termexplorer.workers.ranking.release_data import ReleaseData
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from termexplorer.trainer.evaluation.top_ranks import TopRanks

Kept = NDArray[Any]  # (m,) with the fields `top`, (k,) int32, and `best`, float64


class ReleaseEncoders(Encoders):
    """Encoders that take the vectors of a release's names from the workspace."""

    def __init__(self, workspace: Workspace, release: ReleaseData) -> None:
        super().__init__(workspace.folder, workspace.store)
        self._release = release

    def encode(self, encoder_id: int, names: "Sequence[str]") -> Float32s:
        """The vectors of names, (n, d); zero rows for names of which nothing is known.

        Raises:
            UserError: the encoder has no vectors, or its files are not there.
        """
        if names is self._release.names.texts:
            vectors = self._release.vectors(encoder_id)
            if isinstance(vectors, np.ndarray):
                return vectors
        return super().encode(encoder_id, names)


def kept_ranks(
    workspace: Workspace, subject: ComparisonSubject, encoder_id: int, data_hash: str
) -> tuple[RankFile, Kept] | None:
    """What is kept of an encoder's rankings; None where nothing is, or where it has changed."""
    with workspace.store.reading() as connection:
        file = rank_file(connection, encoder_id, subject.ontology_id, subject.task, data_hash)
    if file is None or not is_sound(workspace.folder, file):
        return None
    path = locate_kept(workspace.folder, file.path)
    return file, np.load(path, mmap_mode="r", allow_pickle=False)


def make_ranks(
    workspace: Workspace,
    release: ReleaseData,
    data: SubjectData,
    subject: ComparisonSubject,
    encoder_id: int,
    steps: EvaluationSteps,
    channel: Channel,
) -> tuple[RankFile, Kept]:
    """Ranks for all mentions and keeps what came of it.

    Raises:
        UserError: the encoder's files are not there, or it was asked to stop.
        ValueError: the encoder can make nothing of these names.
    """
    from termexplorer.trainer.evaluation.rankings import blocks_of
    from termexplorer.trainer.evaluation.top_ranks import top_ranks

    encoders = ReleaseEncoders(workspace, release)
    info = encoders.info(encoder_id)
    _encode_lacking(workspace, release, info, channel)
    scores = scores_of(encoders, encoder_id, release.names.texts, tick=steps.tick, row=steps.row)
    blocks = len(blocks_of(len(data.mentions), len(data.candidates)))
    at_once = len(data.mentions) // max(blocks, 1)
    one_by_one = info.is_lexical or info.is_blended  # they tell of each row themselves
    ranking = top_ranks(
        scores,
        data.mentions,
        data.candidates,
        data.of_mentions,
        data.of_candidates,
        tick=steps.tick if one_by_one else lambda: steps.row(at_once),
    )
    return _keep_ranks(workspace, subject, encoder_id, data.data_hash, ranking)


def _encode_lacking(
    workspace: Workspace, release: ReleaseData, encoder: EncoderInfo, channel: Channel
) -> None:
    """Makes the vectors that an encoder ranks a release by, as far as they are not there."""
    with workspace.store.reading() as connection:
        beneath = prepared_beneath(connection, encoder)
    for part in beneath:
        if part.has_vectors:
            release.vectors(part.id, channel)


def _keep_ranks(
    workspace: Workspace,
    subject: ComparisonSubject,
    encoder_id: int,
    data_hash: str,
    ranking: "TopRanks",
) -> tuple[RankFile, Kept]:
    from termexplorer.trainer.files.folders import sha256

    fields = [("top", np.int32, ranking.top.shape[1:]), ("best", np.float64)]
    stored: Kept = np.empty(len(ranking.best), np.dtype(fields))
    stored["top"], stored["best"] = ranking.top, ranking.best
    folder = workspace.folder / "ranks"
    folder.mkdir(exist_ok=True)
    path = folder / f"{encoder_id}-{subject.ontology_id}-{subject.task}-{data_hash[:16]}.npy"
    with atomic_write(path) as fresh:
        with fresh.open("wb") as stream:
            np.save(stream, stored)
        content_hash = sha256(fresh)
    file = RankFile(
        encoder_id=encoder_id,
        release_id=subject.ontology_id,
        task=subject.task,
        data_hash=data_hash,
        path=path.relative_to(workspace.folder).as_posix(),
        content_hash=content_hash,
    )
    with workspace.store.writing() as connection:
        put_ranks(connection, file)
    return file, stored
