"""An ontology whose first level is one class of nearly all names, as that of HPO is."""

from pathlib import Path

from toy_ontology import HEADER, stanza

SYSTEMS = (
    "eye", "ear", "heart", "lung", "liver", "kidney", "skin", "bone", "muscle", "blood", "nerve",
    "gut",
)  # fmt: skip
SIGNS = ("swelling", "weakness", "pain", "atrophy")
GRADES = ("mild", "severe")


def write_lopsided(folder: Path) -> Path:
    """Write it: one of two classes on level 1 has 99 % of the names; level 2 has twelve classes."""
    stanzas = [
        stanza("LOP:1", "abnormality", "LOP:0"),
        stanza("LOP:2", "inheritance", "LOP:0"),
        stanza("LOP:3", "dominant", "LOP:2"),
    ]
    number = 10
    for system in SYSTEMS:
        top = f"LOP:{number}"
        stanzas.append(stanza(top, f"abnormality of the {system}", "LOP:1"))
        for sign in SIGNS:
            number += 1
            middle = f"LOP:{number}"
            stanzas.append(stanza(middle, f"{system} {sign}", top, f"{sign} of the {system}"))
            for grade in GRADES:
                number += 1
                low = f"LOP:{number}"
                stanzas.append(stanza(low, f"{grade} {system} {sign}", middle))
                stanzas.append(stanza(f"LOP:{number}9999", f"{grade} lasting {system} {sign}", low))
        number += 1
    root = stanza("LOP:0", "all")
    path = folder / "lopsided.obo"
    header = HEADER.replace("ontology: toy", "ontology: lopsided")
    path.write_text(header + "\n" + "\n".join([root, *stanzas]), encoding="utf-8")
    return path
