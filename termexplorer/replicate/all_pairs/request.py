"""What is ranked for what, and the plan that is shown before it starts."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.errors import UserError
from termexplorer.store.encoders.encoders import vector_file
from termexplorer.store.encoders.infos import EncoderInfo
from termexplorer.store.releases.corpus import count_live_names
from termexplorer.store.tasks.task_table import TaskKey
from termexplorer.texts import tr, translated
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.devices import AUTO, device_name, usual_device
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.trainer.search.all_pairs import PairsPlan

# of a task, unless told: multiples of the blocks of every device
TASK_ROWS, TASK_COLUMNS = 32_768, 4_194_304


@dataclass(frozen=True, slots=True)
class AllPairsRequest:
    """Which names are ranked for which.

    Attributes:
        workspace: its folder.
        out: the folder of tasks and parts.
        table: the file of the merged ranking.
        ontology_id: the release for whose names is ranked.
        to_id: the release whose names are ranked; of the same one no name finds itself.
        encoder_id: by which.
        k: how many to keep of each.
        task_rows: for how many names a task ranks, at most.
        task_columns: how many a task ranks, at most.
    """

    workspace: Path
    out: Path
    table: Path
    ontology_id: int
    to_id: int
    encoder_id: int
    k: int
    task_rows: int = TASK_ROWS
    task_columns: int = TASK_COLUMNS


@dataclass(frozen=True, slots=True)
class RankingPlan:
    """What ranking takes.

    Attributes:
        pairs: what all tasks come to, and how long they take one worker on this machine.
        tasks: how many there are.
        device: its name.
        unencoded: how many names have no vectors yet, which are made before and not counted.
    """

    pairs: "PairsPlan"
    tasks: int
    device: str
    unencoded: int


def find_encoder_of(encoders: Encoders, encoder_id: int) -> EncoderInfo:
    """Return an encoder by whose vectors names can be ranked.

    Raises:
        UserError: it has none, or is not there.
    """
    info = encoders.info(encoder_id)
    if not info.has_vectors:
        raise UserError(
            tr(
                "{encoder} is {kind}: it has no vectors to rank all names by; choose an encoder "
                "that has",
                encoder=info.label,
                kind=translated(info.kind),
            )
        )
    return info


def list_task_keys(request: AllPairsRequest, rows: int, columns: int) -> list[TaskKey]:
    """Return (row block, column block) of each task."""
    row_blocks, column_blocks = (
        range(-(-count // size))
        for count, size in ((rows, request.task_rows), (columns, request.task_columns))
    )
    return [(row, column) for row in row_blocks for column in column_blocks]


def plan_ranking(request: AllPairsRequest, channel: Channel) -> RankingPlan:
    """Return what ranking takes, with a speed that is measured now; encodes nothing.

    Raises:
        UserError: an encoder or its vectors are not there.
    """
    from termexplorer.trainer.search.all_pairs import count_block_rows, plan_all_pairs

    sides = (request.ontology_id, request.to_id)
    with closing(Workspace(request.workspace)) as workspace:
        encoders = Encoders(workspace.folder, workspace.store, AUTO)
        info = find_encoder_of(encoders, request.encoder_id)
        with workspace.store.reading() as connection:
            counts = {side: count_live_names(connection, side) for side in sides}
            missing = [
                counts[side] for side in {*sides} if vector_file(connection, info.id, side) is None
            ]
    rows, columns = (counts[side] for side in sides)
    device = usual_device()
    channel.progress(None, tr("Measuring how fast pairs are ranked"))
    pairs = plan_all_pairs(rows, columns, info.dimension, device)
    block_rows, block_columns = count_block_rows(device)
    blocks = sum(
        -(-size // block_rows) for size in _list_block_sizes(rows, request.task_rows)
    ) * sum(-(-size // block_columns) for size in _list_block_sizes(columns, request.task_columns))
    tasks = len(list_task_keys(request, rows, columns))
    return RankingPlan(replace(pairs, blocks=blocks), tasks, device_name(device), sum(missing))


def _list_block_sizes(count: int, size: int) -> Iterator[int]:
    return (min(size, count - start) for start in range(0, count, size))
