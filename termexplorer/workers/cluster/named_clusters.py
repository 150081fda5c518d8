"""Clusters that runs can be trained on: what `clusters.toml` of a workspace says of them."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.texts import tr

CLUSTERS_FILE = "clusters.toml"
SIGN = "@"  # begins a device that is a cluster
KINDS = ("slurm", "local")
_NUMBERS = ("nodes", "devices")


@dataclass(frozen=True, slots=True)
class NamedCluster:
    """Where jobs run, and with how much.

    Attributes:
        name: that people choose it by.
        kind: one of `KINDS`; local runs the same jobs on this machine.
        nodes: of a run.
        devices: of a run on each node.
        options: of sbatch, by their long names.
    """

    name: str
    kind: str
    nodes: int = 1
    devices: int = 1
    options: Mapping[str, str] = field(default_factory=dict)


def list_clusters(workspace: Path) -> tuple[NamedCluster, ...]:
    """Return the clusters that the file of a workspace names.

    Raises:
        UserError: the file cannot be read.
    """
    path = workspace / CLUSTERS_FILE
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        raise UserError(
            tr("{path}: cannot be read ({error}); mend or remove it", path=path, error=error)
        ) from error
    return tuple(_read_cluster(path, name, values) for name, values in tables.items())


def find_cluster(workspace: Path, device: str) -> NamedCluster:
    """Return the cluster that a device is, such as `@gpu`; `@slurm` and `@local` always are.

    Raises:
        UserError: there is none of the name.
    """
    name = device.removeprefix(SIGN)
    named = {kind: NamedCluster(kind, kind) for kind in KINDS}
    named |= {cluster.name: cluster for cluster in list_clusters(workspace)}
    if name not in named:
        raise UserError(
            tr(
                "there is no cluster {name}; choose one of {names}, or describe it in {path}",
                name=name,
                names=", ".join(named),
                path=workspace / CLUSTERS_FILE,
            )
        )
    return named[name]


def _read_cluster(path: Path, name: str, values: Any) -> NamedCluster:
    known = {"kind", "options", *_NUMBERS}
    is_sound = isinstance(values, dict) and set(values) <= known
    if is_sound and values.get("kind") in KINDS:
        options = values.get("options", {})
        numbers = [values.get(key, 1) for key in _NUMBERS]
        if isinstance(options, dict) and all(type(n) is int and n > 0 for n in numbers):
            kept_options = {key: str(value) for key, value in options.items()}
            nodes, devices = numbers
            return NamedCluster(name, values["kind"], nodes, devices, kept_options)
    raise UserError(
        tr(
            "{path}: [{name}] is no cluster; it takes kind (slurm or local), nodes, devices, and "
            "options, a table of sbatch's",
            path=path,
            name=name,
        )
    )
