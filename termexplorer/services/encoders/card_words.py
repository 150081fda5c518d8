"""What the entries of run cards, and their parts, are called."""

from termexplorer.texts import mark, translated

# whose parts are called as the user, a recipe or a library calls them
_NAMED_BY_OTHERS = {"class_lists", "classes", "hyperparameters", "vectors_made", "versions"}


def title_of(key: str) -> str:
    """What an entry of a card is called."""
    title = key.replace("_", " ")
    return translated(title, sense="card") if title in _TITLES else title


def part_of(key: str, name: str) -> str:
    """What a part of an entry is called; names of classes and of hyper-parameters stay."""
    return name if key in _NAMED_BY_OTHERS else title_of(name)


_TITLES = {
    mark("run", sense="card"),
    mark("title", sense="card"),
    mark("status", sense="card"),
    mark("figures", sense="card"),
    mark("conclusions", sense="card"),
    mark("differences", sense="card"),
    mark("recipe", sense="card"),
    mark("preset", sense="card"),
    mark("ontology", sense="card"),
    mark("further ontologies", sense="card"),
    mark("level", sense="card"),
    mark("class lists", sense="card"),
    mark("judged", sense="card"),
    mark("split rule", sense="card"),
    mark("split", sense="card"),
    mark("synonym sets", sense="card"),
    mark("further sets", sense="card"),
    mark("groups", sense="card"),
    mark("names left out", sense="card"),
    mark("repeats left out", sense="card"),
    mark("data hash", sense="card"),
    mark("vectors", sense="card"),
    mark("vectors made", sense="card"),
    mark("chain", sense="card"),
    mark("encoder", sense="card"),
    mark("seed", sense="card"),
    mark("hyperparameters", sense="card"),
    mark("device", sense="card"),
    mark("threads", sense="card"),
    mark("precision", sense="card"),
    mark("memory", sense="card"),
    mark("cca", sense="card"),
    mark("versions", sense="card"),
    mark("epochs", sense="card"),
    mark("best epoch", sense="card"),
    mark("seconds", sense="card"),
    mark("created", sense="card"),
    mark("finished", sense="card"),
    mark("error", sense="card"),
    mark("notes", sense="card"),
    mark("classes", sense="card"),
    mark("root", sense="card"),
    mark("depth", sense="card"),
    mark("shortcuts", sense="card"),
    mark("dead ends", sense="card"),
    mark("below depth", sense="card"),
    mark("left out", sense="card"),
    mark("without parents", sense="card"),
    mark("largest", sense="card"),
    mark("without ambiguous", sense="card"),
    mark("cap", sense="card"),
    mark("shots", sense="card"),
    mark("test passes", sense="card"),
    mark("validation passes", sense="card"),
    mark("train", sense="card"),
    mark("validation", sense="card"),
    mark("test", sense="card"),
    mark("names", sense="card"),
    mark("sets joined to one of the same concept", sense="card"),
    mark("sets joined by a cross-reference alone", sense="card"),
    mark("sets of their own", sense="card"),
    mark("sets left out for zero-shot concepts", sense="card"),
    mark("links to parents", sense="card"),
    mark("train concepts", sense="card"),
    mark("train mentions", sense="card"),
    mark("train synonym pairs", sense="card"),
    mark("validation mentions", sense="card"),
    mark("test mentions", sense="card"),
    mark("zero-shot concepts", sense="card"),
    mark("zero-shot mentions", sense="card"),
    mark("zero-shot", sense="card"),
    mark("unknown words", sense="card"),
    mark("metatags", sense="card"),
    mark("tokens", sense="card"),
    mark("several classes", sense="card"),
    mark("by", sense="card"),
    mark("concepts mapped", sense="card"),
    mark("concepts not mapped", sense="card"),
    mark("concepts with several codes", sense="card"),
    mark("names without group", sense="card"),
    mark("names in several groups", sense="card"),
    mark("from", sense="card"),
    mark("to train on", sense="card"),
    mark("to stop by", sense="card"),
    mark("held out", sense="card"),
    mark("terms in several parts", sense="card"),
}
