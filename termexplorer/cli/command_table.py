"""The commands by name, each imported when it is called, so that none waits for another."""

from dataclasses import dataclass
from importlib import import_module
from typing import cast

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from termexplorer.cli.command_help import complete_command


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """One command, or a group of them.

    Attributes:
        home: its module below `termexplorer.cli`, and what it is called there.
        help: its first line of help, as its module has it.
    """

    home: str
    help: str

    def load_command(self, name: str) -> TyperCommand | TyperGroup:
        """Import the command, with its examples."""
        module, _, attribute = self.home.partition(":")
        loaded = getattr(import_module(f"termexplorer.cli.{module}"), attribute)
        if not isinstance(loaded, typer.Typer):
            alone = typer.Typer(add_completion=False)
            alone.command(name)(loaded)
            loaded = alone
        command = cast("TyperCommand | TyperGroup", get_command(loaded))
        command.name = name
        complete_command(command, name)
        return command

    def describe_command(self, name: str) -> TyperCommand:
        """Return what a list of commands shows of it, without importing it."""
        return TyperCommand(name, help=self.help)


COMMANDS = {
    "import": CommandEntry("importing:import_", "Import a release of a terminology."),
    "search": CommandEntry(
        "search:search",
        "Search names, codes, ids, IRIs and cross-references; or else what is nearest.",
    ),
    "levels": CommandEntry(
        "levels:levels",
        "Show the classes and their sizes on every level, before anything is trained.",
    ),
    "train": CommandEntry(
        "train.recommended:app", "Train an encoder on the classes of a level, or on synonym sets."
    ),
    "rank": CommandEntry(
        "ranking:app",
        "Rank names by encoders: neighbours, all pairs, hypernyms on a level, parents of a term.",
    ),
    "encode": CommandEntry(
        "encode:encode_command", "Encode names by the built-in encoder; no workspace is needed."
    ),
    "evaluate": CommandEntry(
        "evaluate.evaluation:evaluate_command",
        "Measure encoders on a task, with intervals, and compare them on the same items.",
    ),
    "compare": CommandEntry(
        "compare.compare:compare_command",
        "Compare encoders mention by mention: where their rankings disagree, who wins, who loses.",
    ),
    "project": CommandEntry(
        "projection:project_command",
        "Lay names out on a plane by an encoder: PCA, t-SNE, or UMAP (the extra `umap`).",
    ),
    "suggest": CommandEntry(
        "curate.suggest:app", "Have encoders suggest what a curator then reviews."
    ),
    "diff": CommandEntry(
        "curate.diff:diff_command",
        "Compare two releases: concepts added, retired, moved, renamed; what became stale.",
    ),
    "check": CommandEntry(
        "check.command:check_command",
        "Test new terms before they go in: duplicates, parents, names, definitions, cycles.",
    ),
    "judge": CommandEntry(
        "judge:judge_command",
        "Judge the pairs of a study pack, in a window with nothing else in it.",
    ),
    "replicate": CommandEntry(
        "replicate:replicate_command",
        "Repeat a paper's experiments, and report them beside the paper's own figures.",
    ),
    "board": CommandEntry(
        "evaluate.board:board_command",
        "Measure 20 encoders on 12 open tasks, with intervals, to see which one to take.",
    ),
    "work": CommandEntry(
        "work.command:work_command",
        "Take tasks of a study until none is left; any number of workers may, on any machines.",
    ),
    "demo": CommandEntry(
        "demo:demo",
        "Open the window on ICD-10-CM, importing it first; without a display, show it in text.",
    ),
    "doctor": CommandEntry(
        "doctor:doctor_command",
        "Report versions, devices and their rates, disk and the workspace's health; names no term.",
    ),
    "bench": CommandEntry(
        "bench:bench_command",
        "Measure speed and memory, or `reliability`; nothing of your workspace is touched.",
    ),
    "ontology": CommandEntry(
        "ontologies:app", "List ontologies, show or remove one, or export its names."
    ),
    "encoder": CommandEntry(
        "train.encoders:app", "Encoders: list them, show, export, rename or remove one."
    ),
    "vectors": CommandEntry("train.vectors:app", "Vectors: train, open, join or blend them."),
    "run": CommandEntry(
        "train.runs:app", "Runs: list them, show one's card, go on with one, remove one."
    ),
    "evaluation": CommandEntry(
        "evaluations:app", "List the evaluations that are kept, or rename one."
    ),
    "suggestion": CommandEntry(
        "curate.suggestion:app",
        "Kept lists of suggestions: list, export, import, answer, deal out, pack or remove them.",
    ),
    "pairs": CommandEntry(
        "pairs.commands:app",
        "Pairs of terms: similar and dissimilar ones, and such as are to be judged.",
    ),
    "study": CommandEntry(
        "study.commands:app", "Studies: people judge pairs of terms; how well they agree."
    ),
    "verdicts": CommandEntry("verdicts:app", "The log of what curators and clinicians said."),
    "team": CommandEntry(
        "team.commands:app",
        "A team on one log of verdicts, on a PostgreSQL server; the extra `team`.",
    ),
    "map": CommandEntry(
        "maps:app",
        "Map a list of local codes to ontologies (`map FILE --to ID`); or list or rename the maps "
        "that `project` and the window made.",
    ),
    "workspace": CommandEntry(
        "workspace:app",
        "Take care of a workspace: check it, back it up, make it smaller, move it.",
    ),
    "backup": CommandEntry("backups:app", "Copies of the store: list them, or remove one."),
}
"""Verbs, which do a job; then nouns, of which there are `list`, `show`, `export`, `remove`."""
RENAMED: dict[tuple[str, ...], tuple[str, ...]] = {
    ("ontologies", "names"): ("ontology", "export"),
    ("ontologies", "remove"): ("ontology", "remove"),
    ("ontologies",): ("ontology", "list"),
    ("vectors", "list"): ("encoder", "list"),
    ("vectors", "show"): ("encoder", "show"),
    ("vectors", "export"): ("encoder", "export"),
    ("vectors", "remove"): ("encoder", "remove"),
    ("vectors", "rename"): ("encoder", "rename"),
    ("runs", "show"): ("run", "show"),
    ("runs", "resume"): ("run", "resume"),
    ("runs", "remove"): ("run", "remove"),
    ("runs", "rename"): ("run", "rename"),
    ("runs",): ("run", "list"),
    ("evaluations", "rename"): ("evaluation", "rename"),
    ("evaluations",): ("evaluation", "list"),
    ("maps", "rename"): ("map", "rename"),
    ("maps",): ("map", "list"),
    ("suggest", "lists"): ("suggestion", "list"),
    ("suggest", "export"): ("suggestion", "export"),
    ("suggest", "import"): ("suggestion", "import"),
    ("suggest", "pack"): ("suggestion", "pack"),
    ("suggest", "remove"): ("suggestion", "remove"),
    ("study", "status"): ("study", "show"),
    ("workspace", "backups"): ("backup", "list"),
}
"""Words of 0.1.0 before the grammar; they work for one version, longer ones looked up first."""


def renew_words(words: list[str]) -> tuple[list[str], str]:
    """Return words with the new ones in place of old ones, and what to say of it; "" for nothing.

    Args:
        words: of a command line, from the command on.
    """
    for old, new in RENAMED.items():
        if tuple(words[: len(old)]) == old:
            note = (
                f"`termexplorer {' '.join(old)}` is now `termexplorer {' '.join(new)}`; the old "
                "words go with the next version"
            )
            return [*new, *words[len(old) :]], note
    return words, ""
