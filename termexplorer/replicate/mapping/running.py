"""The study of mappings: ontologies imported, everything mapped, and held against the gold."""

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.files import atomic_write
from termexplorer.replicate.mapping.figures import Pair, Proposal
from termexplorer.services.curate.decisions import DecisionOptions, decide_mappings
from termexplorer.services.curate.mapping_formats import open_mappings
from termexplorer.services.curate.mappings import suggest_mappings
from termexplorer.services.encoders.built_in import suggest_encoders
from termexplorer.services.encoders.encoders import find_encoder
from termexplorer.services.explore.ontologies import Ontology, list_ontologies
from termexplorer.services.importing.releases import ImportRequest, import_release
from termexplorer.workers.curate.deciding import DecidedMapping, read_side
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

_ENDING = ".exact.tsv"
EQUALITY, DECISION = "equal names", "decision"
Say = Callable[[object], None]


@dataclass(frozen=True, slots=True)
class MappingStudy:
    """What is studied.

    Attributes:
        data: a folder with `ontologies`, and `mappings` of them, such as `doid_ncit.exact.tsv`.
        out: where the report is written; the ontologies are imported into a workspace there.
        workspace: one to import into instead; None for that.
        matchers: files of mappings that other matchers made, by what to call them.
    """

    data: Path
    out: Path
    workspace: Path | None = None
    matchers: tuple[tuple[str, Path], ...] = ()


@dataclass(frozen=True, slots=True)
class MappedPair:
    """Two ontologies, mapped in each way.

    Attributes:
        title: of the two.
        gold: curated pairs.
        proposals: by what proposed them.
        decided: all decisions.
        facts: what the decision says of itself.
    """

    title: str
    gold: frozenset[Pair]
    proposals: dict[str, tuple[Proposal, ...]]
    decided: tuple[DecidedMapping, ...]
    facts: tuple[str, ...]


def list_gold(data: Path) -> list[Path]:
    """Return the files of curated mappings.

    Raises:
        UserError: there are none.
    """
    paths = sorted(data.glob(f"mappings/*{_ENDING}"))
    if not paths:
        raise UserError(f"{data} has no mappings/*{_ENDING}; give a folder with curated mappings")
    return paths


def read_keys(path: Path) -> tuple[str, str]:
    """Return which two ontologies a file of curated mappings is named after.

    Raises:
        UserError: it is named otherwise.
    """
    keys = path.name.removesuffix(_ENDING).split("_")
    if len(keys) != 2:
        raise UserError(f"{path}: name it after two ontologies, as in doid_ncit{_ENDING}")
    return keys[0], keys[1]


def map_pair(
    study: MappingStudy, workspace: Workspace, path: Path, control: JobControl, say: Say
) -> MappedPair:
    """Map the two ontologies that a file of curated mappings is of.

    Raises:
        UserError: the file has no mappings, or an ontology is missing.
        Cancelled: it was cancelled.
    """
    gold = read_gold(path)
    source, target = (
        import_once(study.data, workspace, key, control, say) for key in read_keys(path)
    )
    options = DecisionOptions(one_to_one=True, withhold_references=True)
    decided = decide_mappings(workspace, source, target, options, control, say)
    exact = [mapping for mapping in decided.mappings if mapping.predicate == "exact"]
    proposals = {
        DECISION: tuple(Proposal((m.subject, m.object), m.probability) for m in exact),
        EQUALITY: tuple(Proposal(pair, 1.0) for pair in _find_equal(workspace, source, target)),
    }
    for encoder_id in suggest_encoders(workspace):
        mapped = suggest_mappings(workspace, source, target, (encoder_id,), "", control, say)
        proposals[find_encoder(workspace, encoder_id).label] = tuple(
            Proposal((mapping.subject, mapping.object), mapping.similarity)
            for mapping in mapped.suggestions
        )
    sides = {pair[0].partition(":")[0] for pair in gold}, {p[1].partition(":")[0] for p in gold}
    for title, file in study.matchers:
        if rows := tuple(_read_matcher(file, *sides)):
            proposals[title] = rows
    facts = tuple(str(fact) for fact in decided.facts)
    title = f"{source.label} to {target.label}"
    return MappedPair(title, gold, proposals, decided.mappings, facts)


def read_gold(path: Path) -> frozenset[Pair]:
    """Return the curated pairs of a file.

    Raises:
        UserError: it has none.
    """
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    if not rows or not {"subject_id", "object_id"} <= set(rows[0]):
        raise UserError(f"{path}, line 1: no columns subject_id and object_id with rows below")
    return frozenset((row["subject_id"], row["object_id"]) for row in rows)


def find_ontology_file(data: Path, key: str) -> Path:
    """Return the newest file of an ontology.

    Raises:
        UserError: there is none.
    """
    files = [p for sign in "_-" for p in sorted(data.glob(f"ontologies/{key}{sign}*"))]
    if not files:
        raise UserError(f"{data / 'ontologies'} has no file that begins with {key}_; add it")
    return files[-1]


def import_once(
    data: Path, workspace: Workspace, key: str, control: JobControl, say: Say
) -> Ontology:
    """Return the newest file of an ontology as a release of the workspace."""
    file = find_ontology_file(data, key)
    for ontology in list_ontologies(workspace):
        if Path(ontology.source).name == file.name:
            return ontology
    request = ImportRequest(workspace.folder, str(file), terminology=key)
    return import_release(workspace, request, control, say)


def _find_equal(workspace: Workspace, source: Ontology, target: Ontology) -> list[Pair]:
    """Return the pairs with a name in common, letters and digits alone."""
    from termexplorer.trainer.mapping.candidates import find_equal

    (ours, subjects), (theirs, objects) = (
        read_side(workspace.store, ontology.id) for ontology in (source, target)
    )
    pairs = find_equal(ours, theirs, "letters", most=theirs.count).tolist()
    return [(subjects[concept], objects[other]) for concept, other in pairs]


def _read_matcher(path: Path, subjects: set[str], objects: set[str]) -> Iterator[Proposal]:
    """Yield the mappings of a file between the two ontologies."""
    with open_mappings(path) as opened:
        for _, row in opened.rows:
            pair = row.get("subject_id", ""), row.get("object_id", "")
            prefixes = [curie.partition(":")[0] for curie in pair]
            if prefixes[0] in subjects and prefixes[1] in objects:
                yield Proposal(pair, float(row.get("confidence", "1")))


def write_proposals(path: Path, mapped: Sequence[MappedPair]) -> None:
    """Keep what the decision proposed, so that other figures can be drawn from it."""
    content = [
        {
            "title": pair.title,
            "facts": list(pair.facts),
            "decided": [asdict(m) for m in pair.decided if m.predicate != "none"],
        }
        for pair in mapped
    ]
    with atomic_write(path) as fresh:
        fresh.write_text(json.dumps(content) + "\n", "utf-8")
