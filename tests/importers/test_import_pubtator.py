import pytest
from importing import names, read, write

from termexplorer.errors import UserError
from termexplorer.importers.formats import choices_of, detect

TEXT = """1|t|Flu and flu in mice
1|a|Flu or grippe; ear and eye pain, coughs, aspirin.
1\t0\t3\tFlu\tDisease\tD007251
1\t8\t11\tflu\tDisease\tD007251
1\t20\t23\tFlu\tDisease\tD007251
1\t27\t33\tgrippe\tDisease\tD007251
1\t35\t51\tear and eye pain\tDisease\tD004433|D058447\tear pain|eye pain
1\t53\t59\tcoughs\tDisease\tD1|D2
1\t61\t68\taspirin\tChemical\t-1
1\tCID\tD1\tD2

2|t|Mice
2|a|
2\t0\t4\tMice\tT007,T015\tC0025929
"""


def test_mentions_are_the_names_of_concepts(tmp_path):
    path = write(tmp_path, "toy", TEXT)
    assert detect(path) == "pubtator"
    imported = read("pubtator", path)
    names_by_curie = {
        concept.curie: (concept.kind, names(concept)) for concept in imported.concepts
    }
    assert names_by_curie == {
        "MESH:D007251": ("Disease", ["Flu", "grippe"]),
        "MESH:D004433": ("Disease", ["ear pain"]),
        "MESH:D058447": ("Disease", ["eye pain"]),
        "UMLS:C0025929": ("T007,T015", ["Mice"]),
    }
    counted = {"mentions": 6, "no concept": 1, "composite": 1, "relations": 1}
    assert {kind: imported.note(kind) for kind in counted} == counted
    assert imported.fraction == 1


def test_types_can_be_chosen(tmp_path):
    path = write(tmp_path, "toy.txt.gz", TEXT)
    (types,) = choices_of("pubtator", path)
    assert {option.value: option.count for option in types.options} == {
        "Disease": 5, "T007": 1, "T015": 1,
    }  # fmt: skip
    imported = read("pubtator", path, choices={"types": ("T015",)})
    assert [concept.curie for concept in imported.concepts] == ["UMLS:C0025929"]
    assert imported.note("not chosen") == 6


@pytest.mark.parametrize(
    ("cut", "message"),
    [
        (TEXT.replace("0\t3\tFlu", "0\t4\tFlu"), "line 3: characters 0 to 4"),
        (TEXT[: TEXT.index("1|a|")], "line 2: expected"),
        (TEXT.replace("\t61\t68", "\t61"), "line 9: expected id, start, end"),
        ("1|t|Mice\n1|a|Or men.\n", "mentions no concept"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_line(tmp_path, cut, message):
    with pytest.raises(UserError, match=message):
        read("pubtator", write(tmp_path, "toy", cut))
