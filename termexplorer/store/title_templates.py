"""Templates of the titles that the program gives to runs and encoders.

A title is kept as a `Message`: in English for commands, put into the language of a window where
it is shown. One that the user gave comes of no template, and is shown as it is.
"""

from termexplorer.texts import mark

BUILT_IN = mark("Built-in")  # of the encoder that comes with the program
RECIPES = (  # those whose names are words; names of methods stay as they are
    mark("contrastive"),
    mark("contrastive-spelled"),
    mark("conceptual-grounding"),
    mark("tuned"),
    mark("judged"),
)
NAMES_A_CLASS = mark("{n:,} names a class")
LEVEL = mark("level {n}")
LEVEL_AND_LISTS = "{level} + {lists}"
CONCEPT_LISTS = mark("{n:,} lists")
SYNONYM_SETS = mark("synonym sets")
SYNONYM_SETS_BELOW = mark("synonym sets below {concept}")
GROUPS = mark("{system} groups")
GROUPS_BELOW = mark("{system} groups below {concept}")
HIDDEN_UNITS = mark("{n:,} hidden")

VECTORS = (  # of methods that make them of text
    mark("fastText mean"),
    mark("SGW mean"),
    mark("word and bigram mean"),
    mark("PPMI mean"),
)
MEAN = mark("{title} mean")
FIRST_TOKEN = mark("{title} first token")
MATRIX = mark("{title} matrix")
WITH_TEXTS = mark("with {n} texts")
WITH_TEXT = mark("with {text}")
WITH_TWO_TEXTS = mark("with {text} and {other_text}")
SETTINGS = {
    "dimension": mark("dimension {n}"),
    "epochs": mark("epochs {n}"),
    "seed": mark("seed {n}"),
}

EDIT_DISTANCE = mark("Edit distance")  # as a new workspace has it
WORD_MOVERS_DISTANCE = mark("word mover's distance over {encoder}")
WITH_TFIDF = mark("{encoder} + {weight:g} TF-IDF")
EQUAL_PARTS = "{n} × {title}"
LABEL = "{title} #{id}"
NUMBERED = "{title} ({n})"  # of several with one title
