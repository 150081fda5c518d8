"""Finds what a module says to people without having it translated, by its syntax tree.

`python tests/literal_texts.py FILE…` prints it.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

_MARKS = {"tr", "trn", "mark"}
# what takes words that nobody reads: keys, names of icons, formats, code
_UNREAD = {
    "add_key", "beginGroup", "compile", "connect", "debug", "encode", "endswith", "error_code",
    "exception", "find", "findChild", "findChildren", "fromkeys", "getattr", "getLogger",
    "glob", "hasFamily", "icon", "importlib", "info", "invokeMethod", "isinstance", "join_keys",
    "keep_look", "keep_place", "keep_state", "keep_widths", "look", "lstrip", "maketrans",
    "numbers", "open", "partition", "Path", "place", "print", "property", "QKeySequence",
    "removeprefix", "removesuffix", "restore_state", "rpartition", "rstrip", "setattr",
    "setCurrentText", "setData", "setFamily", "setFeature", "setFormat", "setObjectName",
    "setProperty", "setShortcut", "setStyleSheet", "shown_keys", "Signal", "Slot", "split",
    "startswith", "strftime", "strip", "sub", "Tag", "Template", "TypeVar", "warning", "widths",
    "with_name", "with_suffix", "write_text",
}  # fmt: skip
# what puts its text before people: one word in small letters is a text there too
_SHOWN = {
    "addAction", "addButton", "addItem", "addMenu", "addRow", "addTab", "drawText",
    "ElidedLabel", "error", "insertItem", "insertTab", "Notice", "QAction", "QCheckBox",
    "QGroupBox", "QLabel", "QLineEdit", "QMenu", "QPushButton", "QRadioButton", "QStandardItem",
    "QTableWidgetItem", "set_text", "setAccessibleDescription", "setAccessibleName",
    "setDefault", "setHeaderLabels", "setHorizontalHeaderLabels", "setHtml", "setIconText",
    "setItemText", "setLabel", "setLabelText", "setPlaceholderText", "setPlainText",
    "setPrefix", "setSpecialValueText", "setStatusTip", "setSuffix", "setTabText",
    "setTabToolTip", "setText", "setTitle", "setToolTip", "setWhatsThis", "setWindowTitle",
    "tell", "TextItem", "UserError", "WrappedLabel",
}  # fmt: skip
# what is the same in every language
PROPER = {
    "Adam", "AutoGraph", "BNE", "DAN", "Deutsch", "English", "fastText", "few-shot", "Fusion",
    "ICD-10-CM", "Inter", "mAP", "OpenType", "PCA", "Python", "PyTorch", "Qt", "SapBERT", "t-SNE",
    "termexplorer", "TF-IDF", "UMAP", "utf-8", "word2vec",
}  # fmt: skip
_SHEET = re.compile(
    r"\s*\}?\s*(Q[A-Z]\w+|\*|#\w+)[^{]*\{|\s*[\w-]+: ?[^;]+;\s*$|"
    r"from [\w.]+ import |[a-z ]+/[a-z]*$"
)  # how things look, code, and keys of settings
_KEYS = re.compile(
    r"\b(Ctrl|Strg|Alt|Shift|Umschalt|Return|Enter|Esc|Escape|Space|Tab|Backspace|Del|Delete|Home|"
    r"End|PgUp|PgDown|Up|Down|Left|Right|F\d+)\b(\+(\w+|\+|-|=|,|\.)?)*"
)
_TAGS = re.compile(r"<[^>]*>?|&\w+;|[\w-]+: ?[\w#%. -]+;|https?:\S+|\S+@\S+|\*\.\w+|\{[^}]*\}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_HUMAN = re.compile(r"[^\W\d_]{2,}[,;:.…]?\s|\s[^\W\d_]{2,}|^\W*[A-Z][a-z]|…")


def escaped(path: Path) -> Iterator[str]:
    """What is said untranslated, each with its line."""
    tree = ast.parse(path.read_text("utf-8"))
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        text = _text_of(node)
        if text is None or isinstance(above.get(node), ast.JoinedStr) or _SHEET.match(text):
            continue
        plain = _plain(text)
        shown = _HUMAN.search(plain) or _called(above.get(node)) in _SHOWN
        if shown and _WORD.search(plain) and not _is_unread(node, above):
            yield f"{path}:{node.lineno}: {text!r}"  # type: ignore[attr-defined]


def _text_of(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_text_of(each) or "·" for each in node.values)
    return None


def _plain(text: str) -> str:
    text = _KEYS.sub("", _TAGS.sub("·", text))
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
            name = _called(parent)
            key = name == "Column" and child in parent.args[:1]  # by which its width is kept
            return key or (child is not parent.func and name in _MARKS | _UNREAD)
        case ast.Expr():
            return isinstance(child, ast.Constant)  # what documents something
        case ast.Raise():
            return not (isinstance(child, ast.Call) and _called(child) == "UserError")
        case ast.Compare() | ast.Assert() | ast.MatchValue():
            return True
        case ast.Dict(keys=keys):
            return child in keys
        case ast.Subscript(slice=place):
            return child is place
        case (
            ast.AnnAssign(annotation=kind)
            | ast.arg(annotation=kind)
            | ast.FunctionDef(returns=kind)
        ):
            return child is kind
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)):
            return name == "file_header"  # other programs read it
    return False


def _called(node: ast.AST | None) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "id", "") or getattr(node.func, "attr", "")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print("\n".join(escaped(Path(name))))  # noqa: T201
