"""A small disease ontology that tests import, and a table of vectors that knows its words."""

from pathlib import Path

import numpy as np

HEADER = """format-version: 1.2
data-version: 2026-01-01
ontology: toy
"""

ORGANS = ("lung", "heart", "liver", "kidney")
KINDS = ("infection", "tumour", "injury")
CAUSES = ("bacterial", "viral", "chronic", "acute", "severe", "mild")
LIFTED = ("bacterial lung infection", "viral heart tumour", "acute liver injury")


def toy_obo() -> str:
    """Levels: 1 organs (4), 2 kinds (12), 3 causes (72), 4 left and right (144), 5 sequelae."""
    stanzas = [stanza("TOY:0", "disease")]
    number = 0
    for organ in ORGANS:
        number += 1
        top = f"TOY:{number}"
        stanzas.append(stanza(top, f"{organ} disease", "TOY:0", f"disease of the {organ}"))
        for kind in KINDS:
            number += 1
            middle = f"TOY:{number}"
            stanzas.append(stanza(middle, f"{organ} {kind}", top))
            for cause in CAUSES:
                number += 1
                low = f"TOY:{number}"
                stanzas.append(stanza(low, f"{cause} {organ} {kind}", middle))
                for side in ("left", "right"):
                    number += 1
                    leaf = f"TOY:{number}"
                    name = f"{cause} {kind} of the {side} {organ}"
                    stanzas.append(stanza(leaf, name, low, f"{side} {organ} {kind}, {cause}"))
                    number += 1
                    sequel = f"TOY:{number}"
                    stanzas.append(stanza(sequel, f"sequel of {name}", leaf, f"after {name}"))
    stanzas.append(
        "[Term]\nid: TOY:9000\nname: old pneumonia\nis_obsolete: true\nreplaced_by: TOY:1\n"
    )
    return HEADER + "\n" + "\n".join(stanzas)


def stanza(curie: str, name: str, parent: str = "", synonym: str = "") -> str:
    """One term."""
    lines = ["[Term]", f"id: {curie}", f"name: {name}"]
    if synonym:
        lines.append(f'synonym: "{synonym}" EXACT []')
    if parent:
        lines.append(f"is_a: {parent}")
    return "\n".join([*lines, ""])


def write_toy(folder: Path) -> Path:
    """Writes the ontology."""
    path = folder / "toy.obo"
    path.write_text(toy_obo(), encoding="utf-8")
    return path


def write_older_toy(folder: Path) -> Path:
    """Writes an older release, in which three concepts stand right below their organ."""
    path = folder / "older.obo"
    stanzas = [lift_stanza(text) for text in toy_obo().split("\n\n")]
    path.write_text("\n\n".join(stanzas), encoding="utf-8")
    return path


def lift_stanza(text: str) -> str:
    """One term of the older release."""
    name = text.partition("name: ")[2].partition("\n")[0]
    if name not in LIFTED:
        return text
    organ = next(word for word in ORGANS if word in name)
    organs = next(t for t in toy_obo().split("\n\n") if f"name: {organ} disease\n" in t)
    top = organs.partition("id: ")[2].partition("\n")[0]
    lines = text.splitlines()
    return "\n".join(f"is_a: {top}" if line.startswith("is_a") else line for line in lines)


def write_vectors(folder: Path, dimension: int = 16) -> Path:
    """Writes word2vec text in which words of one organ, and of one kind, are near each other."""
    rng = np.random.default_rng(0)
    words = [*ORGANS, *KINDS, *CAUSES, "left", "right", "disease", "of", "the", "sequel", "after"]
    path = folder / "toy.vec"
    rows = [f"{word} " + " ".join(f"{x:.4f}" for x in rng.normal(size=dimension)) for word in words]
    path.write_text(f"{len(rows)} {dimension}\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def write_synonyms(folder: Path) -> Path:
    """Writes an ontology of 24 concepts with five names each, and of one above them all.

    Bacterial ones stand above the others of the same organ and kind. All but the mild ones refer
    to a code for cause and organ, of which there are ten; the first one to a second code.
    """
    stanzas = [stanza("S:0", "disease")]
    triples = [
        (cause, organ, kind) for cause in CAUSES for organ in ORGANS[:2] for kind in KINDS[:2]
    ]
    for number, (cause, organ, kind) in enumerate(triples, 1):
        synonyms = (
            f"{cause} {kind} of the {organ}",
            f"{organ} {kind} {cause} disease",
            f"disease {kind} {organ} {cause}",
            f"{kind} {organ} after {cause}",
        )
        lines = [f'synonym: "{text}" EXACT []' for text in synonyms]
        lines += [f"xref: UMLS:C{number}", f"xref: https://example.org/{number}"]
        if cause != CAUSES[-1]:
            lines.append(f"xref: ICD10CM:{cause}.{organ}")
        if number == 1:
            lines.append(f"xref: ICD10CM:{CAUSES[1]}.{organ}")
        parent = "S:0" if cause == CAUSES[0] else f"S:{(number - 1) % 4 + 1}"
        stanzas.append(stanza(f"S:{number}", f"{cause} {organ} {kind}", parent))
        stanzas[-1] += "\n".join([*lines, ""])
    path = folder / "synonyms.obo"
    path.write_text(HEADER + "\n" + "\n".join(stanzas), encoding="utf-8")
    return path
