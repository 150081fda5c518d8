"""Folders of pair sets: where they usually are, which there are, and how they were made."""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.files import PAIR_SETS, make_file_stem
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.pairs.sets import PairPlan, PairSetInfo, PairSets
from termexplorer.store.kept_paths import is_plain_name
from termexplorer.texts import tr
from termexplorer.workers.data.pair_folder import MANIFEST
from termexplorer.workers.pairs.filter import KEEP_ALL, PairFilter
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True)
class MadeFolder:
    """A folder of pair sets.

    Attributes:
        folder: where they are.
        plan: which were asked for.
        content_hash: of the release.
        pair_sets: what there is.
    """

    folder: Path
    plan: PairPlan
    content_hash: str
    pair_sets: PairSets


def usual_folder(workspace: Workspace, ontology: Ontology, plan: PairPlan) -> Path:
    """A folder in the workspace for these sets alone, so that a plan that was stopped goes on."""
    asked = asdict(plan)
    if plan.leave_out == KEEP_ALL:
        del asked["leave_out"]  # else the folders of before there was a filter are not found
    text = json.dumps([ontology.content_hash, asked])
    short = hashlib.sha256(text.encode()).hexdigest()[:8]
    name = make_file_stem(ontology.label)
    return workspace.folder / PAIR_SETS / f"{name}-{short}"


def made_folders(workspace: Workspace) -> list[Path]:
    """The folders in the workspace whose sets are whole, the newest last."""
    manifests = (workspace.folder / PAIR_SETS).glob(f"*/{MANIFEST}")
    manifests = (path for path in manifests if not path.parent.is_symlink())
    return [path.parent for path in sorted(manifests, key=lambda path: path.stat().st_mtime_ns)]


def read_made(folder: Path) -> MadeFolder:
    """Reads how the sets of a folder were made.

    Raises:
        UserError: it holds no pair sets that were made here, or no longer all of them.
    """
    try:
        record = json.loads((folder / MANIFEST).read_text("utf-8"))
        pair_folder = _made_of_record(folder, record)
    except FileNotFoundError as error:
        raise UserError(
            tr("{folder} holds no pair sets that were made here", folder=folder)
        ) from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UserError(
            tr(
                "{file}: cannot be read as what tells how pair sets were made ({error}); make "
                "them again in another folder",
                file=folder / MANIFEST,
                error=error,
            )
        ) from error
    if gone := [
        pair_set.name
        for pair_set in pair_folder.pair_sets.sets
        if not (folder / f"{pair_set.name}.tsv").exists()
    ]:
        raise UserError(
            tr("{folder}: {gone}.tsv is gone; make the sets again", folder=folder, gone=gone[0])
        )
    return pair_folder


def _made_of_record(folder: Path, record: dict[str, Any]) -> MadeFolder:
    names = ("threshold", "ancestors", "siblings", "seed")
    plan = PairPlan(
        tuple(record["sources"]),
        tuple(record["strategies"]),
        **{name: record[name] for name in names},
        leave_out=PairFilter(**record.get("leave_out", {})),
    )
    distances = {source: tuple(map(int, n)) for source, n in record["distances"].items()}
    sets = tuple(PairSetInfo(**fields) for fields in record["sets"])
    if strange := [pair_set.name for pair_set in sets if not is_plain_name(pair_set.name)]:
        raise ValueError(repr(strange[0]))  # it would lead out of the folder
    pair_sets = PairSets(sets, distances, tuple(record["prefixes"]), record.get("left_out", {}))
    return MadeFolder(folder, plan, str(record["content_hash"]), pair_sets)
