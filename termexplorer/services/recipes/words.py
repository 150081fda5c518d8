"""What recipes call the parts of their losses and their figures, in the language in use."""

from termexplorer.texts import mark, translated

_METRICS = {
    "validation mAP": mark("validation mAP"),
    "validation loss": mark("validation loss"),
}
_PARTS = {
    "concept": mark("concept", sense="loss"),
    "context": mark("context", sense="loss"),
    "contrast": mark("contrast", sense="loss"),
    "drift": mark("drift", sense="loss"),
    "grounding": mark("grounding", sense="loss"),
    "layers": mark("layers", sense="loss"),
    "margin": mark("margin", sense="loss"),
    "mean length": mark("mean length", sense="loss"),
    "name": mark("name", sense="loss"),
    "order": mark("order", sense="loss"),
    "prototype": mark("prototype", sense="loss"),
    "semantic": mark("semantic", sense="loss"),
    "synonym": mark("synonym", sense="loss"),
    "uncorrelated": mark("uncorrelated", sense="loss"),
}


def metric_text(name: str) -> str:
    """What the figure of validation is called."""
    return translated(_METRICS.get(name, name))


def part_text(name: str) -> str:
    """What a part of a loss is called."""
    return translated(_PARTS.get(name, name), sense="loss")
