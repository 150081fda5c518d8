"""Finds what a module says to people without having it translated, by its syntax tree.

`python tests/helpers/literal_texts.py FILE…` prints it.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

_MARKS = {"tr", "trn", "mark", "mark_plural"}
# what takes words that nobody reads: keys, names of icons, formats, code
_UNREAD = {
    "add_key", "beginGroup", "cast", "compile", "connect", "debug", "encode", "endswith",
    "error_code", "exception", "exec_driver_sql", "execute", "find", "findChild", "findChildren",
    "fromkeys", "getattr", "getLogger", "glob", "hasFamily", "icon", "importlib", "info",
    "invokeMethod", "isinstance", "join_keys",
    "keep_look", "keep_place", "keep_state", "keep_widths", "look", "lstrip", "maketrans",
    "numbers", "open", "partition", "Path", "place", "print", "property", "QKeySequence",
    "Random", "removeprefix", "removesuffix", "restore_state", "rpartition", "rstrip", "setattr",
    "setCurrentText", "setData", "setFamily", "setFeature", "setFormat", "setObjectName",
    "setProperty", "setShortcut", "setStyleSheet", "shown_keys", "Signal", "Slot", "split",
    "startswith", "strftime", "strip", "sub", "Tag", "Template", "TypeVar", "warning", "widths",
    "with_name", "with_suffix", "write_text",
}  # fmt: skip
# what takes names of elements in files, and what terminologies hold: the same in every language
_OF_FILES = {
    "_parse_stanzas", "children", "codes_in", "ConceptRecord", "ended", "holds_name",
    "itersiblings",
    "NameRecord", "preferred_name", "text_of", "texts_of", "values",
}  # fmt: skip
# what takes a key before its texts
_KEYED = {
    "AnswerChoice",
    "Column",
    "count_by_sort",
    "counted",
    "get",
    "ImportChoice",
    "Note",
    "Option",
}
_STORED = {"fully specified"}  # kinds of names, as the store has them
# modules, constants and functions whose words nobody reads as they stand
DATA = {
    "tables/cell_text._DAYS": "what cells of workbooks show",
    "tables/cell_text._MONTHS": "what cells of workbooks show",
    "curate/candidate_html._SHOWN_ALREADY": "columns, as lists keep them",
    "exporters/marked_tables._STYLE": "a style sheet",
    "process/child._NO_MEMORY": "words of systems, which are looked for",
    "exporters/marked_tables._html_cell": "attributes of HTML",
    "documents/blocks.ReportTable": "reports are written in English",
    "documents/blocks.Chart": "reports are written in English",
    "documents/charts.CHART_FONT": "a font",
    "documents/charts.make_standalone_svg": "attributes of SVG",
    "claml/about._AT_THE_TOP": "elements of XML",
    "claml/about._OF_CLASS": "elements of XML",
    "claml/about._READ": "elements of XML",
    "claml/rubrics._APART": "elements of XML",
    "claml/rubrics._REFERENCE": "an element of XML",
    "claml/rubrics._TITLES": "parts of definitions, which are content",
    "text/curies._KNOWN": "prefixes",
    "fhir/systems._OWN": "a key",
    "importers/format_table._FHIR_ROOTS": "elements of XML",
    "importers/format_table._FHIR_OTHER_ROOTS": "elements of XML",
    "importers/format_table._OF_NUMBERS": "a file in a zip",
    "icd10cm/tabular._NOTES": "parts of definitions, which are content",
    "mesh/mesh._READ": "elements of XML",
    "mesh/mesh._READ_OF_RECORD": "elements of XML",
    "mesh/mesh._SETS": "elements of XML, and kinds of concepts, as they are stored",
    "mesh/tree._CATEGORIES": "names of concepts, which are content",
    "mesh/tree._TITLES": "what a file begins with",
    "obo/obographs._NODES_OF_KIND": "a part of kinds of notes",
    "obo/terms._parsable_value": "what a parser reads",
    "obo/terms._stanza_text": "what a parser reads",
    "text/prefixes._BY_TITLE": "prefixes",
    "importers/records.MAY_BE_CUT": "a kind of notes",
    "sssom/sssom._LITERAL": "what a file holds",
    "sssom/head._NOTHING": "what a file holds",
    "tables/damage._MONTH": "what a file holds",
    "tables/obsolete_marks._IN_USE": "what a file holds",
    "tables/obsolete_marks._OBSOLETE": "what a file holds",
    "omop/header._TITLE": "what a terminology is called, which is content",
    "omop/header._WHOLE": "what a file holds",
    "rdf/parsing._ENDS": "what a parser says",
    "rdf/vocabulary": "IRIs, keys and kinds of notes",
    "rrf/header._TITLES": "what terminologies are called, which is content",
    "evaluate/matrix_tables.matrix_header": "titles in a file, the same in every language",
    "evaluate/differences": "names of metrics, as they are stored",
    "figures/metric_kinds": "names of metrics, as they are stored",
    "store/private_files": "what `doctor` says, which is a report in English",
    "releases/batches": "parts of statements of SQL",
    "judge_page/links.make_page_token": "what a secret is made of",
    "judge_page/page.make_page": "a part of a Content-Security-Policy",
    "judge_page/service._HEADERS": "headers of HTTP",
}
# what stays English in whatever window, and why
STAYS = {
    # kept in the workspace, which commands read too: rules that equal splits have equal, keys,
    # titles, and names of tasks, classes and devices
    ", grouped by ", "·, · zero-shot, · + · passes", "few-shot, · names a class, ·",
    "hls, · + · passes, ·", "· groups", "synonym sets", "· below ·", ", lists ·", "list ·",
    "decisions on ·", "judged pairs", "ranking, lists", "synonyms, ·", "map names",
    "cpu (·, · cores)", "CPU, · cores", "Auto", "·, · GiB", "level ·: ·",
    "hnswlib, recall@10 ·", "faiss, recall@10 ·, · ms",
    "below depth", "all descendants", "Edit distance", "Jaccard",
    "study ·, ·", "·, · hidden", "word mover's distance over #·", "· + · TF-IDF", "level ··",
    ", · names a class", "· lists", "with · texts", "with ", " and ", "first token", ", level ·",
    " below ·", ", by ·", "release ·", "study pack", "study answers",
    # part of a study, whose words are those of its files: answers, questions, what is shown there
    "don't know", "not similar", "the study", "the same as", "nearly the same as", "narrower than",
    "broader than", "related to", "Suggestions: ·", "“·”, a name of ·", "Also called",
    "the left one", "the right one", "the left name",
    "Pairs of · were chosen because encoders find them hard, so that figures on them, and on all "
    "pairs, are not those of the whole; without bias are those on ·.",
    # in files: names of columns, what their readers ask for, and comments beside a mapping
    "nearest: · ·", "a cross-reference names the same", "a cross-reference names ·",
    "create edge · · ·", "delete edge · ·", "move · · from · to ·",
    "create · synonym '·' for ·", "remove synonym '·' for ·", "None",
    "Usagi", "FHIR ConceptMap", "OMOP SOURCE_TO_CONCEPT_MAP", "no target",
    "(termexplorer: no comment)",
    "nothing like it was found", "no code", "no name", "mapped to", "other concept", "other name",
    "same name", "Mappings: · → ·, by ·",
    "rank by ·", "lowest overlap", "mean overlap", "mean rank", "not evaluated",
    "trained on by", "hardest for", "all held out",
    "after − before", "other term", "decision note", "·, again",
    "comment of ·", "seconds of ·", "seconds of ·, again", "by hand",
    "shown at", "answered at", "release hash", "exact match", "close match", "related match",
    "; the second is a · of the first", "; they differ in ·",
    "may be one concept; · of · encoders agree··",
    "· of · encoders find it best", "; a cross-reference says the same",
    "; a cross-reference names ·", "may be misplaced below ·; · of · encoders agree",
    "may stand too high, directly below · ·; · of · encoders agree",
    "the name '·' of the subject may be one of the object, for '·' there; · of · encoders agree",
    "reviewed by ·", "not reviewed", " to ", "·, suggested, ·", "Mappings", "Suggested by ·",
    "encoder ·, which is there no longer", "· of ·", "Below",
    # what is looked for in texts of others, and families of letters
    "Traceback (most recent call last)", "not decode", "codec can't decode", "obsolete ",
    "not a database", "unsupported file format", "disk is full", "no such table",
    "no such column", "no such module", "disk I/O", "unable to open",
    "DejaVu Sans", "Sans Serif",
    # a mistake of the program's own, which `taxonomy` refuses
    "· children but · parents", "links must be between concepts 0 to ·",
    "root · is not one of concepts 0 to ·", "depth ·: there is no level above 1",
    # hashed, a place, a kind of collation
    "·, line=0)", "Resources/licences", "text COLLATE NOCASE", "Not",
    "sqlite:///the store's own connections",
}  # fmt: skip
# what puts its text before people: one word in small letters is a text there too
_SHOWN = {
    "addAction", "addButton", "addItem", "addMenu", "addRow", "addTab", "drawText",
    "Choice", "counted", "ElidedLabel", "error", "insertItem", "insertTab", "Notice", "Option",
    "QAction", "QCheckBox", "refuse", "skip", "Skipped",
    "QGroupBox", "QLabel", "QLineEdit", "QMenu", "QPushButton", "QRadioButton", "QStandardItem",
    "QTableWidgetItem", "set_text", "setAccessibleDescription", "setAccessibleName",
    "setDefault", "setHeaderLabels", "setHorizontalHeaderLabels", "setHtml", "setIconText",
    "setItemText", "setLabel", "setLabelText", "setPlaceholderText", "setPlainText",
    "setPrefix", "setSpecialValueText", "setStatusTip", "setSuffix", "setTabText",
    "setTabToolTip", "setText", "setTitle", "setToolTip", "setWhatsThis", "setWindowTitle",
    "tell", "TextItem", "UserError", "WrappedLabel",
}  # fmt: skip
_REFUSALS = {"Crashed", "UserError", "ValueError"}  # what people are told of
# what is the same in every language
PROPER = {
    "Adam", "AutoGraph", "BNE", "DAN", "Deutsch", "English", "fastText", "few-shot", "Fusion",
    "Holm", "ICD-10-CM", "Inter", "Jaccard", "mAP", "N-Triples", "OpenType", "PCA", "Python",
    "PyTorch", "Qt", "SapBERT", "t-SNE", "termexplorer", "TF-IDF", "Turtle", "UMAP", "utf-8",
    "word2vec",
}  # fmt: skip
_SHEET = re.compile(
    r"\s*\}?\s*(Q[A-Z]\w+|\*|#\w+)[^{]*\{|\s*[\w-]+: ?[^;]+;\s*$|"
    r"from [\w.]+ import |[a-z ]+/[a-z]*$|[A-Z]+ \w+:\w+$"
)  # how things look, code, keys of settings, and what ROBOT reads
_KEYS = re.compile(
    r"\b(Ctrl|Strg|Alt|Shift|Umschalt|Return|Enter|Esc|Escape|Space|Tab|Backspace|Del|Delete|Home|"
    r"End|PgUp|PgDown|Up|Down|Left|Right|F\d+)\b(\+(\w+|\+|-|=|,|\.)?)*"
)
_SQL = re.compile(
    r"\s*(·\s*)?(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|WITH|WHERE|JOIN|ORDER|AND|"
    r"DO|GRANT|LANGUAGE|USING)\b"
)
_TAGS = re.compile(r"<[^>]*>?|&\w+;|[\w-]+: ?[\w#%. -]+;|https?:\S+|\S+@\S+|\*\.\w+|\{[^}]*\}")
_NAME = re.compile(r"\b\w*[a-z]\d*[A-Z]\w*")  # as of an element, a program: ModifiedBy, fastText
_WORD = re.compile(r"[^\W\d_]{2,}")
_HUMAN = re.compile(r"[^\W\d_]{2,}[,;:.…]?\s|\s[^\W\d_]{2,}|^\W*[A-Z][a-z]|…")


def escaped(path: Path) -> Iterator[str]:
    """What is said untranslated, each with its line."""
    tree = ast.parse(path.read_text("utf-8"))
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    stays = frozenset() if {"views", "models"} & set(path.parts) else STAYS | _STORED
    for node in _read(tree, f"{path.parent.name}/{path.stem}"):
        text = _text_of(node)
        if text is None or isinstance(above.get(node), ast.JoinedStr) or text in stays:
            continue
        if _SHEET.match(text) or _SQL.match(text):
            continue
        plain = _plain(text)
        shown = _HUMAN.search(plain) or _called(_owner(node, above)) in _SHOWN
        if shown and _WORD.search(plain) and not _is_unread(node, above):
            yield f"{path}:{node.lineno}: {text!r}"  # type: ignore[attr-defined]


def _read(tree: ast.Module, module: str) -> Iterator[ast.AST]:
    """All of a module but what is `DATA` in it."""
    for part in tree.body:
        names = {target.id for target in _targets(part) if isinstance(target, ast.Name)}
        names.add(getattr(part, "name", ""))
        if not DATA.keys() & {module, *(f"{module}.{name}" for name in names)}:
            yield from ast.walk(part)


def _targets(part: ast.stmt) -> Iterator[ast.AST]:
    targets = part.targets if isinstance(part, ast.Assign) else getattr(part, "target", None)
    for target in targets if isinstance(targets, list) else [targets]:
        yield from ast.walk(target) if target else ()


def _text_of(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_text_of(part) or "·" for part in node.values)
    return None


def _plain(text: str) -> str:
    text = _NAME.sub("", _KEYS.sub("", _TAGS.sub("·", text)))
    for word in PROPER:
        text = text.replace(word, "")
    return re.sub(r"\b[A-Z0-9]+\b", "", text)


def _is_unread(node: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    child, parent = node, above.get(node)
    while parent is not None and not isinstance(parent, ast.Module):
        if _says_nothing(child, parent):
            return True
        if isinstance(parent, ast.stmt):
            return False
        child, parent = parent, above.get(parent)
    return isinstance(parent, ast.Module) and isinstance(child, ast.Expr)


def _says_nothing(child: ast.AST, parent: ast.AST) -> bool:
    match parent:
        case ast.Call():
            return child is not parent.func and _takes_unread(child, parent)
        case ast.Expr():
            return isinstance(child, ast.Constant)  # what documents something
        case ast.Raise():
            name = _called(child)  # what makes an error is no class; it may make one for people
            return name not in _REFUSALS and (not name or name.lstrip("_")[0].isupper())
        case ast.Compare() | ast.Assert() | ast.MatchValue():
            return True
        case ast.Dict(keys=keys):
            return child in keys
        case ast.Subscript(slice=index_node):
            return child is index_node
        case (
            ast.AnnAssign(annotation=kind)
            | ast.arg(annotation=kind)
            | ast.FunctionDef(returns=kind)
        ):
            return child is kind
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)):
            # other programs read headers, and nobody reads the names that a module has for others
            return name in ("file_header", "__all__") or name.endswith("HEADER")
    return False


def _takes_unread(child: ast.AST, call: ast.Call) -> bool:
    name = _called(call)
    key = name in _KEYED and child in call.args[:1]
    logged = ast.unparse(call.func).startswith("_log.")
    return key or logged or name in _MARKS | _UNREAD | _OF_FILES


def _owner(node: ast.AST, above: dict[ast.AST, ast.AST]) -> ast.AST | None:
    """What a text is in, or, as the value of a keyword, what takes it."""
    parent = above.get(node)
    return above[parent] if isinstance(parent, ast.keyword) else parent


def _called(node: ast.AST | None) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "id", "") or getattr(node.func, "attr", "")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print("\n".join(escaped(Path(name))))  # noqa: T201
