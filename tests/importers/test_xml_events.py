import os

import pytest
from importing import write

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.importers.files.xml_events import ended, events, line_of, root_of, text_of

DOCTYPE = '<!DOCTYPE r SYSTEM "https://example.org/no/such.dtd">\n'
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 9))
PARTS = "<r>" + "<x>y</x>" * 100_000


def parsed(tmp_path, text, *names):
    with Source(write(tmp_path, "some.xml", text)) as source:
        return [(text_of(element), line_of(element)) for element in ended(source, *names)]


def test_elements_come_with_lines_and_a_named_dtd_is_not_fetched(tmp_path):
    inside = "<a>1 <b>&amp;</b></a>\n<!-- <a/> --><a>&#233;</a></r>"
    text = f'<?xml version="1.0"?>\n{DOCTYPE}<r>\n{inside}'
    expected_elements = [("1 &", 4), ("é", 5)]
    assert parsed(tmp_path, text, "a") == expected_elements
    assert parsed(tmp_path, text.replace("<r>", '<r xmlns="urn:x">'), "a") == expected_elements
    assert root_of(text.encode()).system == "https://example.org/no/such.dtd"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!DOCTYPE r [<!ENTITY e 'x'>]><r><a>&e;</a></r>", "line 1: declares an entity"),
        (f"<!DOCTYPE r [\n<!ENTITY l0 'lol'>{LAUGHS}]><r>&l8;</r>", "line 2: declares an entity"),
        ('<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><r>&e;</r>', "declares an entity"),
        ('<!DOCTYPE r [<!ENTITY % p SYSTEM "http://x/">%p;]><r/>', "declares an entity"),
        (f"{DOCTYPE}<r>\n<a>h&eacute;</a></r>", "line 3: &eacute; stands for a text"),
        (f'{DOCTYPE}<r>\n<a b="&eacute;"/></r>', "line 3: &eacute; stands for a text"),
        ("<r>\n<a>h&eacute;</a></r>", "line 2: &eacute; stands for a text"),
        ("<r>" + "<a>" * 100_000, "line 1: nested too deeply"),
        ("<r><a>" + "x" * 20_000_000, "line 1: a text or tag without end"),
        ('<r><a b="' + "x" * 20_000_000, "without end"),
        (PARTS * 20, "without end"),
        ("<r>\n<a>1</a>\n<a>", "line 3: the XML ends too early"),
        ("<r>\n<a></b></r>", "line 2: no sound XML"),
        ("<r/>\n<r/>", "line 2: no sound XML"),
        ("no XML", "does not begin as XML does"),
        ("<r>\n<a>\xff</a></r>".encode("latin-1"), "line 2: no sound XML"),
        ("<?xml version='1.0' encoding='no-such'?><r/>", "does not begin as XML"),
    ],
)
def test_what_is_unsound_or_without_end_is_refused(tmp_path, text, message):
    with pytest.raises(UserError, match=message) as error:
        parsed(tmp_path, text, "a")
    assert "\n" not in str(error.value)


def test_what_was_read_is_freed_and_a_stop_stops(tmp_path):
    text = "<r>" + "<p><a>words</a><x/></p>\n" * 15_000 + "</r>"
    source = Source(write(tmp_path, "some.xml.gz", text))
    nodes = []
    for event, element in events(source, "p", "a"):
        if event == "end" and element.tag.endswith("p"):
            nodes.append(len(element.getparent()))
    assert len(nodes) == 15_000
    assert max(nodes) < 5_000  # those of one part of the file
    assert source.fraction() == 1

    def stop():
        raise InterruptedError

    source.watch = stop
    with pytest.raises(InterruptedError):
        list(ended(source, "a"))
    source.close()


@pytest.mark.parametrize(
    "external",
    ['SYSTEM "other.dtd"', "PUBLIC '-//X//EN'\n'other.dtd' [<!ATTLIST a x CDATA 'y'>]"],
)
@pytest.mark.parametrize("before", ["", "<?xml version='1.0'?><!-- <!DOCTYPE r> --><?p i?>\n"])
def test_no_file_that_a_doctype_names_is_touched(tmp_path, monkeypatch, external, before):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("other.dtd")
    pipe = os.open("other.dtd", os.O_RDWR | os.O_NONBLOCK)  # whoever reads takes what is in it
    os.write(pipe, b"<!ENTITY e 'leaked'>")
    assert parsed(tmp_path, f"{before}<!DOCTYPE r {external}><r><a>1</a></r>", "a")[0][0] == "1"
    with pytest.raises(UserError, match="&e; stands for a text that is not in the file"):
        parsed(tmp_path, f'{before}<!DOCTYPE r {external}><r><a t="&e;"/></r>', "a")
    assert os.read(pipe, 100) == b"<!ENTITY e 'leaked'>"
    os.close(pipe)
