"""What the Evaluate page says: of tasks what they measure and need, of metrics what they are."""

from dataclasses import dataclass

from termexplorer.services.evaluate.evaluation import LINKED, ON_PAIRS
from termexplorer.services.figures.metric_kinds import is_on_same_items, metric_meaning
from termexplorer.texts import mark, number, tr, translated

MENTIONS = ("retrieval", "normalisation")
ON_LEVELS = ("ranking", "hypernyms")
OF_CONCEPTS = ("synonyms", "coverage")


@dataclass(frozen=True, slots=True)
class TaskWords:
    """A task in words.

    Attributes:
        title: what it is called.
        sentence: what it measures, and what it needs.
    """

    title: str
    sentence: str


WORDS = {
    "ranking": TaskWords(
        mark("Similarity ranking"),
        mark(
            "Whether the names nearest to a held-out name are of its class, on each level. "
            "Needs an ontology with is-a links."
        ),
    ),
    "hypernyms": TaskWords(
        mark("Hypernyms"),
        mark(
            "Where the class of a held-out name comes among all classes of the level. "
            "Needs an ontology with is-a links."
        ),
    ),
    "synonyms": TaskWords(
        mark("Synonyms"),
        mark(
            "Whether other names of the same concept come first: training, test and zero-shot "
            "concepts apart. Needs concepts with several names."
        ),
    ),
    "coverage": TaskWords(
        mark("Coverage at k"),
        mark(
            "The share of a name's synonyms among its k nearest names, k from 1 to 1,024. "
            "Needs concepts with several names."
        ),
    ),
    "retrieval": TaskWords(
        mark("Retrieval"),
        mark(
            "Ranks the names of the 20 best concepts by BM25 for each mention in a text. "
            "Needs a PubTator file."
        ),
    ),
    "normalisation": TaskWords(
        mark("Normalisation"),
        mark(
            "Finds the concept of each mention in a text among all names of the ontology, by each "
            "encoder alone and with TF-IDF added. Needs a PubTator file."
        ),
    ),
    "relatedness": TaskWords(
        mark("Relatedness"),
        mark(
            "How similarities of terms go with the scores that people gave. Needs files of pairs "
            "with scores; no ontology."
        ),
    ),
    "pairs": TaskWords(
        mark("Pair sets"),
        mark(
            "Whether similar terms are more similar than dissimilar ones: AUC, and accuracy at the "
            "best threshold. Needs files of pairs with labels 1 and 0; no ontology."
        ),
    ),
    "categories": TaskWords(
        mark("Categories"),
        mark(
            "Whether names of close classes are nearer to each other than to those of distant "
            "ones: the overlap is how often they are not, so that less is better. Needs an "
            "ontology with is-a links."
        ),
    ),
}

MEASURES = {
    "avg_cosine": mark("Cosine of the mean of word vectors"),
    "avg_pearson": mark("Pearson of the mean of word vectors"),
    "avg_spearman": mark("Spearman of the mean of word vectors"),
    "avg_kendall": mark("Kendall of the mean of word vectors"),
    "pair_cosine": mark("Cosine of word vectors by pairs"),
    "pair_pearson": mark("Pearson of word vectors by pairs"),
    "pair_spearman": mark("Spearman of word vectors by pairs"),
    "pair_kendall": mark("Kendall of word vectors by pairs"),
    "max_jaccard": mark("Jaccard best word for word"),
    "fuzzy_jaccard": mark("Jaccard over word vectors"),
}
_PARTS = {
    "train": mark("training"),
    "training": mark("training"),
    "test": mark("test"),
    "zero-shot": mark("zero-shot"),
    "sparse": mark("with TF-IDF"),
}


def task_title(task: str) -> str:
    """The title of a task as its figures are stored: `synonyms, test`."""
    name, comma, rest = task.partition(",")
    title = translated(WORDS[name].title) if name in WORDS else name.capitalize()
    if not comma:
        return title
    part = rest.strip()
    return f"{title}, {translated(_PARTS[part]) if part in _PARTS else part.replace('_', ' ')}"


def task_sentence(task: str) -> str:
    """What a task of `WORDS` measures, and what it needs."""
    return translated(WORDS[task].sentence)


def measure_title(measure: str) -> str:
    """A measure of two terms, such as `pair_cosine`, in words."""
    return translated(MEASURES[measure])


def metric_tip(metric: str, task: str = "") -> str:
    """What a metric is, in a task as its figures are stored; empty where its name says it."""
    if not is_on_same_items(metric):
        return tr("On all pairs that the encoder knows, whether others know them or not")
    meaning = metric_meaning(metric, of_pairs=task.partition(",")[0] == "pairs")
    _, at, k = metric.partition("@")
    return translated(meaning, k=number(int(k))) if at and meaning else translated(meaning)


_NO_PAIRS = {
    "pairs": mark("Add a file of term pairs with labels 1 and 0 first"),
    "relatedness": mark("Add a file of term pairs with scores first"),
}


def why_not(task: str, *, ontology: str, is_a: bool, pairs: bool, corpus: bool) -> str:
    """Why a task cannot be begun, as far as its data go; empty if it can.

    Args:
        task: one of `WORDS`.
        ontology: the label of the one on show; empty for none.
        is_a: whether that has is-a links.
        pairs: whether a file of pairs is chosen.
        corpus: whether a file of mentions is chosen.
    """
    if task in ON_PAIRS:
        return "" if pairs else translated(_NO_PAIRS[task])
    if not ontology:
        return tr("Import an ontology first: menu File, Import")
    if task in LINKED and not is_a:
        return tr("{ontology} has no is-a links, so no levels and no classes", ontology=ontology)
    if task in MENTIONS and not corpus:
        return tr("Choose a PubTator file of mentions first")
    return ""
