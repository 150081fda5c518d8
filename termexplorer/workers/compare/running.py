"""The child that compares encoders: the ranks of each, then how far each two agree."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from termexplorer.texts import tr, translated
from termexplorer.workers.compare.messages import (
    TASK_WORDS,
    Bools,
    Compared,
    CompareRequest,
    Float64s,
)
from termexplorer.workers.compare.ranks import Kept, kept_ranks, make_ranks
from termexplorer.workers.compare.subjects import SubjectData, sets_of, subject_data
from termexplorer.workers.data.trained_names import trained_names
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.evaluate.steps import EvaluationSteps
from termexplorer.workers.process.child import Channel, trainer_errors
from termexplorer.workers.ranking.release_data import ReleaseData
from termexplorer.workspace import Workspace


def run_comparison(request: CompareRequest, channel: Channel) -> Compared:
    """Ranks by each encoder that has not ranked these names before, and compares all.

    Raises:
        UserError: something that the task needs is not there, or it was asked to stop.
    """
    workspace = Workspace(request.workspace)
    try:
        with trainer_errors():
            return _compare_encoders(workspace, request, channel)
    finally:
        workspace.close()


def _compare_encoders(workspace: Workspace, request: CompareRequest, channel: Channel) -> Compared:
    subject, steps = request.subject, EvaluationSteps(channel)
    task = translated(TASK_WORDS[subject.task])
    encoders = Encoders(workspace.folder, workspace.store)
    steps.say(tr("Reading names"))
    release = ReleaseData(workspace.folder, workspace.store, encoders, subject.ontology_id)
    data = subject_data(workspace.store, release, subject)
    steps.plan(len(request.encoder_ids), 1)
    titles, stored_ranks = [], []
    for encoder_id in request.encoder_ids:
        titles.append(encoders.info(encoder_id).label)
        steps.begin(f"{titles[-1]}, {task}", len(data.mentions))
        known_ranks = kept_ranks(workspace, subject, encoder_id, data.data_hash)
        stored_ranks.append(
            known_ranks or make_ranks(workspace, release, data, subject, encoder_id, steps, channel)
        )
    steps.tick()
    channel.progress(None, tr("Comparing the rankings"))
    names = release.names
    lowest, mean, overlap = _measure_overlaps([ranks for _, ranks in stored_ranks])
    return Compared(
        request=request,
        titles=tuple(titles),
        mentions=tuple(names.texts[row] for row in data.mentions.tolist()),
        mention_ids=names.ids[data.mentions],
        candidate_ids=names.ids[data.candidates],
        classes=data.classes,
        mention_classes=sets_of(data.mention_classes),
        mention_sets=sets_of(data.of_mentions),
        candidate_sets=sets_of(data.of_candidates),
        best=np.stack([ranks["best"] for _, ranks in stored_ranks], axis=1),
        lowest=lowest,
        mean=mean,
        overlap=overlap,
        seen=_find_seen(workspace, request.encoder_ids, release, data),
        files=tuple(file for file, _ in stored_ranks),
    )


def _measure_overlaps(stored_ranks: Sequence[Kept]) -> tuple[Float64s, Float64s, Float64s]:
    """The lowest and the mean overlap of each mention, (m,); the mean of each two encoders."""
    from termexplorer.trainer.evaluation.overlap import rank_biased_overlap

    tops = [np.ascontiguousarray(ranks["top"]) for ranks in stored_ranks]
    lowest = np.full(len(tops[0]), np.inf)
    total, pairs = np.zeros(len(lowest)), np.zeros(len(lowest))
    overlap = np.eye(len(tops))
    for first, second in combinations(range(len(tops)), 2):
        pair_overlap = rank_biased_overlap(tops[first], tops[second])
        known = ~np.isnan(pair_overlap)
        lowest[known] = np.minimum(lowest[known], pair_overlap[known])
        total[known] += pair_overlap[known]
        pairs += known
        mean = pair_overlap[known].mean() if known.any() else np.nan
        overlap[first, second] = overlap[second, first] = mean
    none = pairs == 0
    lowest[none] = np.nan
    return lowest, np.where(none, np.nan, total / np.maximum(pairs, 1)), overlap


def _find_seen(
    workspace: Workspace, encoder_ids: Sequence[int], release: ReleaseData, data: SubjectData
) -> Bools:
    """Whether each encoder, or what lies beneath it, was trained on each mention, (m, e)."""
    ids = release.names.ids[data.mentions]
    columns = []
    with workspace.store.reading() as connection:
        for encoder_id in encoder_ids:
            trained = trained_names(connection, [encoder_id])
            columns.append(np.isin(ids, np.fromiter(trained, np.int64, len(trained))))
    return np.stack(columns, axis=1)
