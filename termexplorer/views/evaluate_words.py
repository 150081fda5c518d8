"""What the Evaluate page says: of tasks what they measure and need, of metrics what they are."""

from dataclasses import dataclass

from termexplorer.services.evaluation import ON_PAIRS

MENTIONS = ("retrieval", "normalisation")
ON_LEVELS = ("ranking", "hypernyms")
OF_CONCEPTS = ("synonyms", "coverage")
_LINKED = (*ON_LEVELS, "categories")  # is-a links make them


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
        "Similarity ranking",
        "Whether the names nearest to a held-out name are of its class, on each level. "
        "Needs an ontology with is-a links.",
    ),
    "hypernyms": TaskWords(
        "Hypernyms",
        "Where the class of a held-out name comes among all classes of the level. "
        "Needs an ontology with is-a links.",
    ),
    "synonyms": TaskWords(
        "Synonyms",
        "Whether other names of the same concept come first: training, test and zero-shot "
        "concepts apart. Needs concepts with several names.",
    ),
    "coverage": TaskWords(
        "Coverage at k",
        "The share of a name's synonyms among its k nearest names, k from 1 to 1,024. "
        "Needs concepts with several names.",
    ),
    "retrieval": TaskWords(
        "Retrieval",
        "Ranks the names of the 20 best concepts by BM25 for each mention in a text. "
        "Needs a PubTator file.",
    ),
    "normalisation": TaskWords(
        "Normalisation",
        "Finds the concept of each mention in a text among all names of the ontology. "
        "Needs a PubTator file.",
    ),
    "relatedness": TaskWords(
        "Relatedness",
        "How similarities of terms go with the scores that people gave. Needs files of pairs "
        "with scores; no ontology.",
    ),
    "pairs": TaskWords(
        "Pair sets",
        "Whether similar terms are more similar than dissimilar ones: AUC, and accuracy at the "
        "best threshold. Needs files of pairs with labels 1 and 0; no ontology.",
    ),
    "categories": TaskWords(
        "Categories",
        "Whether names of a class are nearer to each other than to those of close classes. "
        "Needs an ontology with is-a links.",
    ),
}

MEASURES = {
    "avg": "of the mean of word vectors",
    "pair": "of word vectors by pairs",
    "max": "best word for word",
    "fuzzy": "over word vectors",
}


def task_title(task: str) -> str:
    """The title of a task as its figures are stored: `synonyms, test`."""
    name, comma, rest = task.partition(",")
    title = WORDS[name].title if name in WORDS else name.capitalize()
    return f"{title}{comma}{rest.replace('_', ' ')}"


def measure_title(measure: str) -> str:
    """A measure of two terms, such as `pair_cosine`, in words."""
    how, _, what = measure.partition("_")
    return f"{what.capitalize()} {MEASURES[how]}"


def metric_tip(metric: str, task: str = "") -> str:
    """What a metric is, in a task as its figures are stored; empty where its name says it."""
    if task.partition(",")[0] == "pairs" and metric in _OF_PAIRS:
        return _OF_PAIRS[metric]
    name, at, k = metric.partition("@")
    if at and name in _AT_K:
        return _AT_K[name].format(k=f"{int(k):,}")
    return _METRICS.get(metric, "")


_AT_K = {
    "coverage": "Share of a name's synonyms among its {k} nearest names",
    "hits": "Share of names whose class is among the first {k}",
    "Acc": "Share of mentions with a right name among the first {k}",
}
_OF_PAIRS = {
    "AUC": "The chance that a similar pair is more similar than a dissimilar one; .5 is chance",
    "accuracy": "Share of pairs on the right side of the best threshold, chosen on these pairs",
}
_METRICS = {
    "mAP": "Mean average precision of the ranked names",
    "accuracy": "Share with a right name first",
    "accuracy, no exact match": "Share with a right name first, of mentions that are no name",
    "MRR": "Mean of 1 / rank of the first right name",
    "median rank": "Of the first right name; less is better",
    "recall": "Share of the right names among the candidates",
    "spearman": "Rank correlation of similarities with people's scores",
    "pearson": "Correlation of similarities with people's scores",
    "separation": "Share of comparisons in which the close name is the nearer one",
    "overlap": "Share of comparisons that are the wrong way round; less is better",
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
        held = "labels 1 and 0" if task == "pairs" else "scores"
        return "" if pairs else f"Add a file of term pairs with {held} first"
    if not ontology:
        return "Import an ontology first: menu File, Import"
    if task in _LINKED and not is_a:
        return f"{ontology} has no is-a links, so no levels and no classes"
    if task in MENTIONS and not corpus:
        return "Choose a PubTator file of mentions first"
    return ""
