import pytest
from hypothesis import given
from hypothesis import strategies as st
from importing import names, read, write
from mutations import mutations, refused_or_read

from termexplorer.errors import UserError
from termexplorer.importers.claml import modifiers as claml_modifiers
from termexplorer.importers.formats import choices_of, detect
from termexplorer.importers.records import IsARecord, NameRecord

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE ClaML SYSTEM "ClaML.dtd">
<ClaML version="2.0.0">
  <Meta name="TopLevelSort" value="I II"/>
  <Meta name="lang" value="en"/>
  <Identifier authority="WHO" uid="icd10_2016"/>
  <Title date="2014-10-14" name="ICD-10-EN-2016" version="2016">International Diseases</Title>
  <ClassKinds><ClassKind name="chapter"/><ClassKind name="block"/></ClassKinds>
  <UsageKinds><UsageKind mark="*" name="aster"/></UsageKinds>
  <RubricKinds>
    <RubricKind inherited="false" name="exclusion">
      <Display xml:lang="en">Not here</Display><Display xml:lang="de">Exkl.</Display>
    </RubricKind>
  </RubricKinds>
"""


def rubric(kind, text, language="en"):
    label = f'<Label xml:lang="{language}" xml:space="default">{text}</Label>'
    return f'<Rubric id="D1" kind="{kind}">{label}</Rubric>'


def value(modifier, code, text, without=""):
    meta = f'<Meta name="excludeOnPrecedingModifier" value="{without}"/>' if without else ""
    inside = f'{meta}<SuperClass code="{modifier}"/>{rubric("preferred", text)}'
    return f'<ModifierClass code="{code}" modifier="{modifier}">{inside}</ModifierClass>\n'


def klass(code, above, *inside, kind="category"):
    superclass = f'<SuperClass code="{above}"/>' if above else ""
    return f'<Class code="{code}" kind="{kind}">{superclass}{"".join(inside)}</Class>\n'


MENINGITIS = (
    'Meningitis <Reference class="in brackets" code="A17.0" usage="aster">A17.0+</Reference>'
)
CLASSES = [
    klass("I", "", rubric("preferred", "Infections"), '<SubClass code="A00-A09"/>', kind="chapter"),
    klass("A00-A09", "", rubric("preferred", "Intestinal"), kind="block"),
    klass(
        "A00",
        "A00-A09",
        '<Meta name="MortL1Code" value="1"/>',
        rubric("preferredLong", "Meningitis: all"),
        rubric("preferred", MENINGITIS),
        '<Rubric kind="preferred"><Label xml:lang="de">Hirnhaut</Label></Rubric>',
        rubric("inclusion", '<Fragment type="list">Abscess:</Fragment><Fragment>brain</Fragment>'),
        rubric("definition", "<Para>What it is.</Para>"),
        rubric("exclusion", 'one <Reference class="in brackets">G03.-</Reference>'),
        rubric("exclusion", "H<Term>2</Term>O"),
        rubric("coding-hint", "look"),
    ),
    klass("E10", "I", '<ModifiedBy code="S4"/>', '<ModifiedBy code="S5" all="false">'
          '<ValidModifierClass code="1"/><ValidModifierClass code="2"/></ModifiedBy>',
          rubric("preferred", "Type 1 diabetes")),
    klass("M00", "I", '<ModifiedBy code="S4"/><ModifiedBy code="S5"/>', rubric("preferred", "M")),
    klass("M00.0", "M00", rubric("preferred", "Arthritis")),
    klass("M00.1", "M00", '<ExcludeModifier code="S5"/>', rubric("preferred", "Other")),
    klass("Z00", "I"),
    klass("", "I", rubric("preferred", "no code")),
]  # fmt: skip
VALUES = [
    value("S4", ".0", "With coma"),
    value("S4", ".1", "With ketoacidosis"),
    value("S5", "1", "left", without="S4 .1"),
    value("S5", "2", "right"),
    value("S5", "3", "both"),
]
TEXT = HEAD + "".join([*CLASSES, *VALUES]) + "</ClaML>\n"


@pytest.fixture
def path(tmp_path):
    return write(tmp_path, "any.xml", TEXT)


def test_classes_have_names_notes_and_places(path):
    assert detect(path) == "claml"
    imported = read("claml", path)
    header = imported.header
    assert (header.terminology, header.version) == ("icd10", "2016")
    assert header.title == "ICD-10-EN"
    assert "World Health Organization" in header.licence
    by_code = {concept.code: concept for concept in imported.concepts}
    assert by_code["I"].kind == "chapter"
    assert imported.links == [IsARecord("ICD10:A00-A09", "ICD10:I", 15)]
    category = by_code["A00"]
    assert (category.curie, category.parents) == ("ICD10:A00", ("ICD10:A00-A09",))
    assert category.names == (
        NameRecord("Meningitis", "preferred"),
        NameRecord("Meningitis: all", "fully specified"),
        NameRecord("Abscess: brain", "synonym"),
    )
    assert category.definition == "What it is. Not here: one (G03.-); H2O. Coding hint: look."
    assert category.associations == ("REFERS TO ICD10:A17.0",)
    assert names(by_code["Z00"]) == ["Z00"]
    assert imported.note("without name") == 1
    assert [skipped.reason for skipped in imported.skipped] == ["a class without a code"]
    assert imported.fraction == 1


def test_another_language_can_be_chosen(path):
    (languages, modifiers) = choices_of("claml", path)
    assert [(option.value, option.count) for option in languages.options] == [("en", 14), ("de", 1)]
    assert [(option.value, option.count) for option in modifiers.options] == [
        ("all", 8),
        ("point", 2),
        ("none", 0),
    ]
    imported = read("claml", path, choices={"language": ("de",), "modifiers": ("none",)})
    category = next(concept for concept in imported.concepts if concept.code == "A00")
    assert (names(category), category.definition) == (["Hirnhaut"], "")
    assert names(imported.concepts[0]) == ["Infections"]
    assert imported.note("another language") == 6
    assert imported.note("labels") == 14


def test_modifiers_make_codes_where_they_are_valid(path):
    imported = read("claml", path)
    modified = {concept.code: concept for concept in imported.concepts if concept.line == 0}
    assert set(modified) == {
        "E10.0", "E10.01", "E10.02", "E10.1", "E10.12",  # no left after .1, both is not valid
        "M00.01", "M00.02", "M00.03",  # no second point; M00.1 excludes what M00 has
    }  # fmt: skip
    assert names(modified["E10.12"]) == ["Type 1 diabetes: With ketoacidosis: right"]
    assert modified["E10.12"].parents == ("ICD10:E10.1",)
    assert modified["M00.01"].parents == ("ICD10:M00.0",)
    assert imported.note("modifiers") == len(modified)
    fourth = read("claml", path, choices={"modifiers": ("point",)})
    assert [concept.code for concept in fourth.concepts if concept.line == 0] == ["E10.0", "E10.1"]


def test_what_modifiers_say_is_said_of_the_codes_that_they_make(tmp_path):
    coma = 'coma <Reference code="G93.3" usage="aster">G93.3*</Reference>'
    inclusions = rubric("inclusion", "sugar coma NOS") + rubric("note", "Deep")
    made_of = "".join(
        f'<ModifierClass code="{code}" modifier="{modifier}">{inside}</ModifierClass>'
        for modifier, code, inside in (
            ("S4", ".0", rubric("preferred", coma) + inclusions),
            ("S5", "1", rubric("preferred", "shoulder")),
            ("P_4", "7", rubric("preferred", "farm")),
            ("P_5", "0", rubric("preferred", "spine")),
        )
    )
    link = rubric("modifierlink", '<Reference code="S5">[see there]</Reference>')
    gone = rubric("modifierlink", '<Reference code="S9">[see there]</Reference>')
    classes = [
        klass("E10", "", '<ModifiedBy code="S4"/>', rubric("preferred", "sugar disease")),
        klass("M13", "", rubric("preferred", "joint disease"), link),
        klass("M13.0", "M13", rubric("preferred", "many joints")),
        klass("M14", "", rubric("preferred", "other joints"), gone),
        klass("M45", "", '<ModifiedBy code="S5"/>', rubric("preferred", "spine disease")),
        klass("M46", "", '<ModifiedBy code="P_5"/>', rubric("preferred", "back")),
        klass("W00", "", '<ModifiedBy code="P_5"/><ModifiedBy code="P_4"/>', rubric("text", "x")),
    ]
    path = write(tmp_path, "any.xml", HEAD + made_of + "".join(classes) + "</ClaML>")
    imported = read("claml", path)
    modified = {concept.code: concept for concept in imported.concepts if concept.line == 0}
    assert set(modified) == {"E10.0", "M13.01", "M46.X0", "W00.7", "W00.70"}
    assert names(modified["E10.0"]) == ["sugar disease: coma", "sugar coma NOS"]
    assert modified["E10.0"].definition == "Note: Deep."
    assert modified["E10.0"].associations == ("REFERS TO ICD10:G93.3",)
    assert names(modified["M13.01"]) == ["many joints: shoulder"]
    assert modified["M46.X0"].parents == ("ICD10:M46",)
    text_by_kind = {note.kind: note.text.rpartition(": ")[2] for note in imported.notes}
    assert (text_by_kind["unplaced modifiers"], text_by_kind["absent modifiers"]) == ("M45", "S9 1")
    fourth = read("claml", path, choices={"modifiers": ("point",)})
    assert {concept.code for concept in fourth.concepts if concept.line == 0} == {"E10.0", "W00.7"}


def test_the_third_version_and_other_classifications(tmp_path):
    text = TEXT.replace("2.0.0", "3.0.0").replace("<ClaML ", '<ClaML xmlns="urn:claml" ')
    copyright_ = '<Meta name="copyright" value="© WHO CC"/>\n  <Identifier'
    text = text.replace("ICD-10-EN-2016", "ATC").replace("<Identifier", copyright_)
    imported = read("claml", write(tmp_path, "any.xml", text))
    assert imported.concepts[0].curie == "ATC:I"
    assert (imported.header.terminology, imported.header.licence) == ("atc", "© WHO CC")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<other/>", "is no ClaML"),
        ("<ClaML/>", "holds no <Class>"),
        (TEXT[:1_500], "the XML ends too early"),
    ],
)
def test_what_is_no_classification_is_refused(tmp_path, text, message):
    with pytest.raises(UserError, match=message):
        read("claml", write(tmp_path, "any.xml", text))


def test_modifiers_without_end_are_refused_but_can_be_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr(claml_modifiers, "_MOST", 2_000)
    values = [value(f"S{n}", f"{m}", "x") for n in range(9) for m in range(9)]
    taken = [f'<ModifiedBy code="S{n}"/>' for n in range(9)]
    text = f"<ClaML>{''.join(values)}{klass('A.0', '', *taken)}</ClaML>"
    path = write(tmp_path, "any.xml", text)
    with pytest.raises(UserError, match="too many codes; choose modifiers=none"):
        read("claml", path)
    assert len(read("claml", path, choices={"modifiers": ("none",)}).concepts) == 1


@given(st.data())
def test_no_damage_is_a_bug(tmp_path_factory, data):
    damaged = data.draw(mutations(TEXT.encode()))
    refused_or_read("claml", tmp_path_factory.mktemp("any"), damaged)


def test_elements_that_are_not_read_are_told(tmp_path):
    text = (
        '<?xml version="1.0"?><ClaML version="2.0.0"><Title name="X" version="1">x</Title><Frob/>'
        '<Class code="A" kind="category"><Meta name="q" value="1"/><Rubric kind="preferred">'
        "<Label>Ay</Label><History>h</History></Rubric><Odd/></Class></ClaML>"
    )
    (note,) = (n for n in read("claml", write(tmp_path, "c.xml", text)).notes if "unread" in n.kind)
    assert note.text.partition(": ")[2] == "Frob 1, History 1, Meta 1, Odd 1"
