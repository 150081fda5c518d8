"""Templates of the parts of titles that workspaces kept as English text until version 0023.

They stay as they are, whatever becomes of those that are written today.
"""

from termexplorer.texts import mark

TEMPLATES = (  # the longest first where several would fit
    mark("{n:,} names a class"),
    mark("level {n}"),
    mark("with {n} texts"),
    mark("with {text} and {other_text}"),
    mark("with {text}"),
    mark("dimension {n}"),
    mark("epochs {n}"),
    mark("seed {n}"),
    mark("{n:,} lists"),
    mark("{n:,} hidden"),
    mark("synonym sets below {concept}"),
    mark("synonym sets"),
    mark("{system} groups below {concept}"),
    mark("{system} groups"),
    mark("word mover's distance over {encoder}"),
    mark("fastText mean"),
    mark("SGW mean"),
    mark("PPMI mean"),
    mark("word and bigram mean"),
    mark("Edit distance"),
    mark("Built-in"),
    mark("{title} first token"),
    mark("{title} matrix"),
    mark("{title} mean"),
)
