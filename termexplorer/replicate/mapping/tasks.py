"""The study of mappings as tasks: ontologies are imported, then each pair of them is mapped."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.replicate.contents import content_hash
from termexplorer.replicate.mapping.figures import Proposal
from termexplorer.replicate.mapping.running import (
    MappedPair,
    MappingStudy,
    find_ontology_file,
    import_once,
    list_gold,
    map_pair,
    read_gold,
    read_keys,
)
from termexplorer.replicate.study.folder import held, usable
from termexplorer.replicate.work.pieces import begin_study, check_same_data
from termexplorer.replicate.work.worker import HEAD, StudyWorker, WorkerRequest, open_tasks
from termexplorer.store.tasks.task_table import (
    FAILED,
    StoredStudy,
    TaskKey,
    TaskTable,
)
from termexplorer.trainer.training.epochs import RunControl, Unattended
from termexplorer.workers.curate.deciding import DecidedMapping, MappingCandidate
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.supervision import Cancelled, JobControl
from termexplorer.workspace import Workspace

MAPPING_STUDY = "mapping study"
_IMPORT, _PAIR = "import", "pair"
Say = Callable[[object], None]


@dataclass(frozen=True, slots=True)
class _MappingRun:
    study: MappingStudy
    workspace: Workspace
    worker: StudyWorker
    control: JobControl
    say: Say

    def run_task(self, key: TaskKey) -> None:
        """Import an ontology, or map a pair of them."""
        kind, name = map(str, key)
        try:
            if kind == _IMPORT:
                import_once(self.study.data, self.workspace, name, self.control, self.say)
            elif not self.worker.table.has_piece(key):
                path = next(path for path in list_gold(self.study.data) if path.name == name)
                mapped = map_pair(self.study, self.workspace, path, self.control, self.say)
                self.worker.put(key, _write_pair(mapped))
        except Cancelled as error:
            raise InterruptedError from error


def prepare_mapping(study: MappingStudy) -> None:
    """Write down the tasks of a study, and run none.

    Raises:
        UserError: the data have no mappings, or not the ontologies.
    """
    with held(study.out), usable(study.out), _begun_study(study):
        pass


def map_all(study: MappingStudy, control: JobControl, say: Say) -> list[MappedPair]:
    """Map each pair of ontologies that has curated mappings, and is not mapped yet.

    Raises:
        UserError: the data have none, or not the ontologies, or a task failed.
    """
    with held(study.out), usable(study.out), _begun_study(study) as table:
        _work_off(study, table, HEAD, Unattended(), control, say)
        for reason in table.list_reasons(FAILED).values():  # of another worker
            raise UserError(reason)
        pieces = table.read_pieces()
        return [_read_pair(path, pieces[_PAIR, path.name]) for path in list_gold(study.data)]


def take_mapping_tasks(values: Mapping[str, Any], asked: WorkerRequest, channel: Channel) -> None:
    """Take tasks of a study until none is left.

    Args:
        values: the request, as it is in the table.
        asked: the worker.
        channel: to report by and be stopped by.

    Raises:
        UserError: a task failed, or data here are not those of the study.
        InterruptedError: it was stopped; what was finished is kept.
    """
    matchers = tuple((title, Path(path)) for title, path in values["matchers"])
    study = MappingStudy(Path(values["data"]), asked.folder, Path(values["workspace"]), matchers)
    control = JobControl()
    channel.on_stop(control.cancel)
    with closing(open_tasks(asked.folder, asked.lease)) as table:
        check_same_data(table, _identify_study(study))
        _work_off(study, table, asked.worker, channel, control, channel.report)


def _work_off(
    study: MappingStudy,
    table: TaskTable,
    name: str,
    stopping: RunControl,
    control: JobControl,
    say: Say,
) -> None:
    with closing(Workspace(_find_workspace(study))) as workspace:
        worker = StudyWorker(table, name, stopping)
        worker.work_off(_MappingRun(study, workspace, worker, control, say).run_task)


def _find_workspace(study: MappingStudy) -> Path:
    return (study.workspace or study.out / "workspace").resolve()


@contextmanager
def _begun_study(study: MappingStudy) -> Iterator[TaskTable]:
    request = {
        "data": str(study.data),
        "workspace": str(_find_workspace(study)),
        "matchers": [[title, str(path.resolve())] for title, path in study.matchers],
    }
    imports = [(_IMPORT, key) for key in _list_keys(study.data)]
    pairs = [(_PAIR, path.name) for path in list_gold(study.data)]
    asked = _identify_study(study)
    with closing(open_tasks(study.out)) as table:
        begin_study(table, study.out, StoredStudy(MAPPING_STUDY, asked, request))
        # a workspace takes one import at a time, so that each of them is a stage
        stages: dict[TaskKey, int] = {key: stage for stage, key in enumerate(imports)}
        table.put_tasks([*imports, *pairs], lambda key: stages.get(key, len(imports)))
        yield table


def _list_keys(data: Path) -> Sequence[str]:
    return sorted({key for path in list_gold(data) for key in read_keys(path)})


def _identify_study(study: MappingStudy) -> dict[str, Any]:
    """Return what must be the same for a piece to count."""
    ontologies = [find_ontology_file(study.data, key) for key in _list_keys(study.data)]
    return {
        "mappings": [[path.name, content_hash(path)] for path in list_gold(study.data)],
        "ontologies": [[path.name, content_hash(path)] for path in ontologies],
        "matchers": [[title, content_hash(path)] for title, path in study.matchers],
    }


def _write_pair(mapped: MappedPair) -> dict[str, Any]:
    proposals = {
        title: [[*proposal.pair, proposal.score] for proposal in rows]
        for title, rows in mapped.proposals.items()
    }
    decided = [asdict(mapping) for mapping in mapped.decided]
    return {
        "title": mapped.title,
        "proposals": proposals,
        "decided": decided,
        "facts": list(mapped.facts),
    }


def _read_pair(path: Path, values: Mapping[str, Any]) -> MappedPair:
    proposals = {
        title: tuple(Proposal((subject, object_), score) for subject, object_, score in rows)
        for title, rows in values["proposals"].items()
    }
    decided = tuple(
        DecidedMapping(
            **{
                **row,
                "references": tuple(row["references"]),
                "candidates": tuple(MappingCandidate(**row_) for row_ in row["candidates"]),
            }
        )
        for row in values["decided"]
    )
    return MappedPair(values["title"], read_gold(path), proposals, decided, tuple(values["facts"]))
