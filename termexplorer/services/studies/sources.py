"""Where the pairs of a study come from: the release, and how its pair sets were made."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.services.pairs.folders import read_made
from termexplorer.workspace import Workspace


def tell_sources(workspace: Workspace, paths: Sequence[Path]) -> tuple[dict[str, Any], ...]:
    """Return how the pair sets in files and folders were made, as JSON; nothing of other files.

    Args:
        workspace: that may have the release.
        paths: of the files and folders that a study is drawn from.
    """
    labels = {ontology.content_hash: ontology.label for ontology in list_ontologies(workspace)}
    sources = []
    for folder in dict.fromkeys(path if path.is_dir() else path.parent for path in paths):
        try:
            pair_folder = read_made(folder)
        except UserError:  # no folder of sets that were made here
            continue
        label = labels.get(pair_folder.content_hash, "")
        sources.append(
            asdict(pair_folder.plan) | {"release": label, "content_hash": pair_folder.content_hash}
        )
    return tuple(sources)
