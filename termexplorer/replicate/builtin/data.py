"""What the built-in encoder is made of: open ontologies and texts, with their licences."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.importers.formats import open_importer
from termexplorer.importers.records import ConceptRecord, IsARecord
from termexplorer.texts import tr
from termexplorer.trainer.data.splits import Parts, concept_split
from termexplorer.trainer.distillation.distil import DistillationData
from termexplorer.trainer.hierarchy.merge_synonym_sets import fuse
from termexplorer.trainer.notebook import labelled
from termexplorer.trainer.representations.fasttext_training import write_corpus
from termexplorer.trainer.text.names import LabelledNames

_HELD_OUT = 0.1  # of the concepts of the first ontology, as runs on synonyms have it
_SCOPES = ("", "EXACT")  # of synonyms that mean the same


@dataclass(frozen=True, slots=True)
class OntologySource:
    """An ontology whose licence allows weights to be made of it and given away.

    Attributes:
        key: what it is called here.
        file: below `ontologies/` of the data folder.
        format: of the importers.
        title: for the model card.
        licence: as its publisher states it.
    """

    key: str
    file: str
    format: str
    title: str
    licence: str


@dataclass(frozen=True, slots=True)
class TextSource:
    """A text of the same kind; `file` is below `text/`."""

    file: str
    title: str
    licence: str


ONTOLOGIES = (
    OntologySource(
        "doid", "doid_2018-07-05.obographs.json.gz", "obographs",
        "Human Disease Ontology, 2018-07-05", "CC0 1.0",
    ),
    OntologySource(
        "ncit", "ncit-disease_2018-06-08.obographs.json.gz", "obographs",
        "NCI Thesaurus, diseases and findings, 2018-06-08 (National Cancer Institute)",
        "CC BY 4.0",
    ),
    OntologySource(
        "hp", "hp_2015-01-27.obo.gz", "obo",
        "Human Phenotype Ontology, 2015-01-27 (www.human-phenotype-ontology.org)",
        "HPO licence: free for any use, acknowledged, with its version, unaltered",
    ),
    OntologySource(
        "uberon", "uberon-basic_2015-04-23.obo.gz", "obo",
        "Uberon anatomy ontology, basic edition, 2015-04-23", "CC BY 3.0",
    ),
    OntologySource(
        "cl", "cl-basic_craft.obo.gz", "obo", "Cell Ontology, basic edition", "CC BY",
    ),
    OntologySource(
        "mesh", "mesh_tree_2017.tsv.gz", "mesh-tree",
        "MeSH 2017, descriptors (National Library of Medicine; not current)",
        "US Government work",
    ),
    OntologySource(
        "icd", "icd10cm_tabular_2021.xml.gz", "icd10cm-tabular",
        "ICD-10-CM 2021, tabular list (CDC/NCHS, CMS)", "US Government work",
    ),
    OntologySource(
        "doid-2016", "doid_2016-03-04.obo.gz", "obo",
        "Human Disease Ontology, 2016-03-04", "CC BY 3.0",
    ),
)  # fmt: skip
TEXTS = (
    TextSource("medquad_answers.txt.gz", "MedQuAD, answers from NIH sites", "CC BY 4.0"),
    TextSource("plos_starter_fulltext.txt.gz", "122 PLOS articles", "CC BY"),
    TextSource("craft_fulltext.txt.gz", "CRAFT, 97 articles of PMC Open Access", "CC BY"),
    TextSource(
        "clinical_notes_dialogues.txt.gz", "MTS-Dialog and ACI-Bench, notes and dialogues",
        "CC BY 4.0",
    ),
    TextSource(
        "bc5cdr_train_dev_abstracts.txt.gz", "BC5CDR, abstracts of its training and development "
        "parts", "US Government work",
    ),
)  # fmt: skip
_REFERENCES = {"ncit": ("NCI:", "NCIT:"), "icd": ("ICD10CM:", "ICD10CM:")}  # in the first


@dataclass(slots=True)
class OntologyConcept:
    """A concept that is not obsolete.

    Attributes:
        names: each with its kind and its scope.
        parents: their CURIEs.
        definition: "" where there is none.
        references: to concepts of other systems.
    """

    names: list[tuple[str, str, str]] = field(default_factory=list)
    parents: set[str] = field(default_factory=set)
    definition: str = ""
    references: set[str] = field(default_factory=set)


OntologyConcepts = dict[str, OntologyConcept]


@dataclass(frozen=True, eq=False)
class HeldOutNames:
    """The first ontology's own names and how they are parted, to measure on."""

    labels: LabelledNames
    parts: Parts


def gather_data(folder: Path, corpus: Path) -> tuple[DistillationData, HeldOutNames]:
    """Read ontologies and texts of a folder of open data.

    Names and concepts of the first ontology that are held out, and what further have of those
    concepts, are not learned as synonyms.

    Args:
        folder: with `ontologies/` and `text/`.
        corpus: where names, definitions and texts go, a line each.

    Raises:
        UserError: a file is missing or cannot be read.
    """
    ontologies = {source.key: read_concepts(folder, source) for source in ONTOLOGIES}
    first, *further = ontologies
    labels = label_names(ontologies[first])
    parts = concept_split(labels, _HELD_OUT, 1, 1, 0)
    fused = fuse(
        labels,
        parts,
        [label_names(ontologies[key]) for key in further],
        [_find_references(ontologies[first], ontologies[key], key) for key in further],
    )
    numbers = _number_concepts(fused.labels, [first, *further])
    parents = [
        (numbers[key, curie], numbers[key, parent])
        for key, concepts in ontologies.items()
        for curie, concept in concepts.items()
        for parent in sorted(concept.parents)
        if (key, curie) in numbers and (key, parent) in numbers
    ]
    definitions = {
        numbers[key, curie]: concept.definition
        for key, concepts in ontologies.items()
        for curie, concept in concepts.items()
        if concept.definition and key != "icd" and (key, curie) in numbers
    }
    everything = _list_texts(ontologies)
    texts = [folder / "text" / source.file for source in TEXTS]
    write_corpus(everything, texts, corpus)
    data = DistillationData(corpus, fused.labels, fused.parts, parents, definitions)
    return data, HeldOutNames(labels, parts)


def read_concepts(folder: Path, source: OntologySource) -> OntologyConcepts:
    """Read the concepts of an ontology, by their CURIEs.

    Args:
        folder: with `ontologies/`.
        source: which.

    Raises:
        UserError: its file is not there, or cannot be read.
    """
    path = folder / "ontologies" / source.file
    if not path.is_file():
        raise UserError(
            tr("{path} is not there; give the folder that holds it with --data", path=path)
        )
    concepts: defaultdict[str, OntologyConcept] = defaultdict(OntologyConcept)
    links = []
    for record in open_importer(source.format, path).records:
        if isinstance(record, IsARecord):
            links.append(record)
        elif isinstance(record, ConceptRecord) and not record.obsolete:
            concept = concepts[record.curie]
            concept.names += [(name.text, name.kind, name.scope) for name in record.names]
            concept.parents.update(record.parents)
            concept.definition = concept.definition or record.definition
            concept.references.update(record.cross_references)
    for link in links:
        if link.child in concepts:
            concepts[link.child].parents.add(link.parent)
    return dict(concepts)


def label_names(concepts: OntologyConcepts) -> LabelledNames:
    """Return the labels and exact synonyms of concepts, whose CURIEs are the classes."""
    return labelled(
        {
            curie: dict.fromkeys(
                text for text, kind, scope in concept.names if kind != "synonym" or scope in _SCOPES
            )
            for curie, concept in concepts.items()
        }
    )


def _find_references(
    first: OntologyConcepts, other: OntologyConcepts, key: str
) -> dict[str, set[str]]:
    """The concepts of the first ontology that a concept of another is the same as."""
    same: defaultdict[str, set[str]] = defaultdict(set)
    prefix, own_prefix = _REFERENCES.get(key, ("", ""))
    for curie, concept in first.items():
        if key == "doid-2016":
            same[curie].add(curie)
        for reference in concept.references if prefix else ():
            if reference.startswith(prefix):
                same[own_prefix + reference.removeprefix(prefix)].add(curie)
    for curie, concept in other.items():
        same[curie].update(ref for ref in concept.references if ref in first)
    return dict(same)


def _number_concepts(labels: LabelledNames, keys: list[str]) -> Mapping[tuple[str, str], int]:
    """The numbers of classes by ontology and concept; `fuse` numbers the ontologies from 2."""
    numbers = {}
    for number, label in enumerate(labels.classes):
        curie, _, suffix = label.rpartition(" (")
        index = suffix.removesuffix(")")
        if curie and index.isdecimal():
            numbers[keys[int(index) - 1], curie] = number
        else:
            numbers[keys[0], label] = number
    return numbers


def _list_texts(ontologies: Mapping[str, OntologyConcepts]) -> Iterator[str]:
    """Names and definitions, each once."""
    concepts = [
        (key, concept) for key, by_curie in ontologies.items() for concept in by_curie.values()
    ]
    yield from dict.fromkeys(text for _, concept in concepts for text, _, _ in concept.names)
    yield from dict.fromkeys(
        concept.definition for key, concept in concepts if concept.definition and key != "icd"
    )
