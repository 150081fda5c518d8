"""What the trainer refuses, told in the language in use: it says so in English, and marks nothing.

Each text is matched with the template that it comes of; one that comes of none stays as it is.
"""

import re
from functools import cache

from termexplorer.texts import ENGLISH, language, mark, translated

# of vectors that are opened or trained, and of maps; what begins alike stands before what does not
TEMPLATES = (
    mark(
        "no name is marked in the text, which {a} learns from; give annotated documents, or "
        "text in which names of the dictionary stand"
    ),
    mark(
        "the text has no sentence of words that occur {a} times; give more text, or lower how "
        "often a word has to occur"
    ),
    mark(
        "the text has {a} words that occur {b} times, too few for {c} dimensions; give more "
        "text, or fewer dimensions"
    ),
    mark(
        "maps of {a} and {b} points cannot be laid over each other; give two or more points, "
        "the same for both"
    ),
    mark(
        "UMAP is not installed; `pip install 'termexplorer[umap]'` (packages come without it), "
        "or choose tsne"
    ),
    mark(
        "fastText cannot train on the text: {a}; give more text, or lower how often a word has "
        "to occur"
    ),
    mark("a perplexity of {a} needs {b} names or more, there are {c}; give {d} or less"),
    mark("a vector is zero or not finite; leave out names of which nothing is known"),
    mark("all points of a map are in one place; it cannot be laid over another"),
    mark("no two words stand near each other in the text; give more text"),
    mark("all names have the same vector; there is nothing to lay out"),
    mark("its output matrix is quantised and its input matrix is not"),
    mark("its dictionary is pruned, but its matrix is not quantised"),
    mark("its dictionary of {a} cannot have {b} words, {c} labels"),
    mark("it is quantised; give the model as it was before that"),
    mark("positions of {a} are no start for a map of {b} names"),
    mark("vectors of one number cannot be laid out on a plane"),
    mark("it ends within its dictionary, at word {a} of {b}"),
    mark("it has no words, or impossible lengths of n-grams"),
    mark("a minimum distance of {a} cannot be; give 0 to 1"),
    mark("it has character n-grams but no bucket for them"),
    mark("a perplexity of {a} cannot be; give one above 0"),
    mark("a map needs {a} names or more; there are {b}"),
    mark("the text holds no word; choose another one"),
    mark("positions of {a} are no map of {b} vectors"),
    mark("there is no method {a}; choose one of {b}"),
    mark("its {a} matrix is not all finite numbers"),
    mark("its matrix of {a} does not fit {b} words"),
    mark("its vectors are not all finite numbers"),
    mark("word {a} of its dictionary is damaged"),
    mark("its {a} matrix is {b} x {c}, not {d}"),
    mark("it ends after {a} bytes, within {b}"),
    mark("its version is {a}, not 11 or 12"),
    mark("it does not start as one does"),
    mark("its {a} cannot be {b}"),
    mark("its t cannot be {a}"),
    mark(
        "{a} holds an encoder that was saved or exported by this program, which is no "
        "transformer; it opens in Python, by trainer.load"
    ),
    mark(
        "{a}, line 1: expected the number of words and the width, two whole numbers, or a word "
        "and its numbers"
    ),
    mark(
        "{a}: the weights do not fit config.json: {b} are missing, such as {c}; fetch both "
        "from the same place"
    ),
    mark("{a}, lines {b} and {c}: the same name has two different vectors; remove one of them"),
    mark('{a} holds whole numbers; convert them with .astype("float32") and save it again'),
    mark("{a} has no weights; fetch model.safetensors (or pytorch_model.bin) of the model"),
    mark("{a}: binary word vectors that end after {b} of {c} words; fetch the file again"),
    mark("{a} has no config.json; give the folder of a Hugging Face model, on this disk"),
    mark("{a} is no matrix of floating-point numbers; save one with numpy.save"),
    mark("{a}, row {b}: a value is not a finite number; mend or remove it"),
    mark("{a} has no tokenizer; fetch tokenizer.json or vocab.txt of it"),
    mark("{a}: the weights are not all finite numbers; fetch them again"),
    mark("{a}: every number is 0; give vectors that tell words apart"),
    mark("{a} has {b} rows and {c} has {d} lines; give a name a row"),
    mark("{a}: every value is 0; give vectors that tell names apart"),
    mark("{a} holds a model that reads from left to right only; {b}"),
    mark("{a} holds a {b} model, which is no encoder of text; {c}"),
    mark("{a} cannot be read: {b}; give a matrix as a .npy file"),
    mark("{a}, line 1: {b} words of {c} numbers are impossible"),
    mark("{a} words and {b} buckets do not fit a matrix of {c}"),
    mark("{a}, line {b}: the file ends after {c} of {d} words"),
    mark("{a} is no sound fastText model: {b}; fetch it again"),
    mark("{a} cannot be read: {b}; give a UTF-8 text of names"),
    mark("{a} is empty, a matrix of {b}; give a vector a row"),
    mark("{a}, line {b}: more lines than the {c} of line 1"),
    mark("{a}: more follows than the {b} words of line 1"),
    mark("{a}, line {b}: it is empty; give a name a line"),
    mark("{a} iterations lay nothing out; give 1 or more"),
    mark("{a}, word {b}: a value is not a finite number"),
    mark("{a} neighbours make no graph; give 2 or more"),
    mark("{a} is no file; give a fastText .bin model"),
    mark("{a}: expected {b} numbers after the word"),
    mark("{a} names are not those of {b} points"),
    mark("{a}: expected a word and {b} numbers"),
    mark("{a} words do not fit a matrix of {b}"),
    mark("{a} names do not fit a matrix of {b}"),
    mark("{a}: a value is not a finite number"),
    mark("{a} is no sound fastText model: {b}"),
    mark("{a} cannot encode names: {b}; {c}"),
    mark("{a}: the {b} cannot be read: {c}"),
    mark("{a} has no parameter {b}; it {c}"),
    mark("{a} is {b} {c}, not float32 {d}"),
    mark("{a} bytes follow its end"),
    mark("{a} cannot be read: {b}"),
    mark("{a} has impossible lengths of n-grams, or widths: {b}"),
    mark("{a} does not fit its {b} names"),
    mark("{a} does not fit its {b} words"),
)
_PLACE = re.compile(r"\{(\w)\}")


def tell_refusal(text: str) -> str:
    """Return what the trainer refuses and why, in the language in use."""
    if language() == ENGLISH:
        return text
    for template in TEMPLATES:
        found = _pattern_of_template(template).fullmatch(text)
        if found is not None:
            values = {name: tell_refusal(value) for name, value in found.groupdict().items()}
            return translated(template).format(**values)
    return text


@cache
def _pattern_of_template(template: str) -> re.Pattern[str]:
    """Return what matches the texts that come of a template."""
    words = _PLACE.split(template)
    pattern = re.escape(words[0])
    for name, rest in zip(words[1::2], words[2::2], strict=True):
        pattern += f"(?P<{name}>.+?){re.escape(rest)}"
    return re.compile(pattern, re.DOTALL)
