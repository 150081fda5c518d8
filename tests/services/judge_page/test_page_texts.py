"""What a study's page says, in both languages, and what it is put together from."""

import json
import re
import tomllib
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from termexplorer.resources import FOLDER
from toy_studies import ANNA, make, sent

from termexplorer.errors import UserError
from termexplorer.services.judge_page.page import write_judge_page
from termexplorer.workspace import Workspace

PARTS = FOLDER / "judge_page"
STRING = r'"((?:[^"\\]|\\.)*)"'
SCRIPTS = "".join(path.read_text("utf-8") for path in sorted(PARTS.glob("*.js")))


def find_texts() -> tuple[set[str], set[str]]:
    """What the scripts say, and what of it depends on a number."""
    plain = re.findall(rf"\btr\(\s*{STRING}", SCRIPTS)
    plural = re.findall(rf"\btrn\(\s*{STRING},\s*{STRING}", SCRIPTS)
    return {json.loads(f'"{text}"') for text in plain}, {many for _, many in plural}


def test_every_text_is_there_in_german_with_its_values() -> None:
    german = json.loads((PARTS / "texts.de.json").read_text("utf-8"))
    plain, plural = find_texts()
    assert german.keys() == plain | plural
    for english, translation in german.items():
        assert isinstance(translation, list) == (english in plural)
        names = set(re.findall(r"\{.*?\}", english))
        forms = translation if english in plural else [translation]
        assert all(set(re.findall(r"\{.*?\}", form)) <= names for form in forms)


def test_page_and_program_say_the_same_in_german() -> None:
    german = json.loads((PARTS / "texts.de.json").read_text("utf-8"))
    tables = [
        tomllib.loads(path.read_text("utf-8")) for path in FOLDER.glob("translations/de/*.toml")
    ]
    program = {english: text for table in tables for english, text in table.items()}
    shared = [text for text in german.keys() & program.keys() if isinstance(german[text], str)]
    assert len(shared) > 40
    assert [text for text in shared if german[text] != program[text]] == []


def test_every_part_of_the_folder_is_in_the_page(empty: Workspace, tmp_path: Path) -> None:
    make(empty)
    path = tmp_path / "anna.html"
    assert write_judge_page(empty, 1, ANNA, path) == 11
    page = path.read_text("utf-8")
    for part in PARTS.glob("*.js"):
        assert (part.read_text("utf-8") in page) == (part.stem != "sending")
    for sent_by in ("fetch(", "XMLHttpRequest", "sendBeacon", "WebSocket", "connect-src"):
        assert sent_by not in page
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.S)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.S)
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="(.*?)"', page)
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for part_text in (script, style):
        digest = b64encode(sha256(part_text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    (data,) = re.findall(r'<script type="application/json" id="study-data">(.*?)</script>', page)
    pack = json.loads(sent(empty, 1, ANNA, tmp_path).read_text("utf-8"))
    assert json.loads(data)["hash"] == pack["hash"]
    assert json.loads(json.loads(data)["content"]) == pack["content"]


def test_nobody_gets_the_page_of_a_stranger(empty: Workspace, tmp_path: Path) -> None:
    make(empty)
    with pytest.raises(UserError, match="Zoe"):
        write_judge_page(empty, 1, "Zoe", tmp_path / "zoe.html")
    assert list(tmp_path.glob("*.html")) == []
