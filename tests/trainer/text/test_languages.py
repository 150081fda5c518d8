"""The language of names, by the words that the built-in encoder knows."""

import pytest

from termexplorer import trainer
from termexplorer.trainer.text.languages import detect_language

NAMES = {
    "German": (
        "Akute Niereninsuffizienz", "Lungenentzündung durch Viren",
        "Bösartige Neubildung der Leber",
        "Fraktur des Oberschenkels", "Herzinfarkt", "Sonstige Krankheiten des Blutes",
        "Verletzung des Kopfes", "Migräne ohne Aura", "Entzündung der Haut",
    ),
    "French": (
        "Insuffisance rénale aiguë", "Pneumonie virale", "Tumeur maligne du foie",
        "Fracture du fémur", "Infarctus du myocarde", "Autres maladies du sang",
        "Lésion traumatique de la tête", "Migraine sans aura", "Inflammation de la peau",
    ),
    "Spanish": (
        "Insuficiencia renal aguda", "Neumonía viral", "Tumor maligno del hígado",
        "Fractura del fémur", "Infarto de miocardio", "Otras enfermedades de la sangre",
        "Traumatismo de la cabeza", "Migraña sin aura", "Inflamación de la piel",
    ),
}  # fmt: skip
ENGLISH = (
    "Acute kidney failure", "Viral pneumonia", "Malignant neoplasm of liver", "Fracture of femur",
    "Myocardial infarction", "Other diseases of blood", "Injury of head", "Migraine without aura",
    "Inflammation of skin", "Ménière disease", "Sjögren syndrome", "Café-au-lait spot",
)  # fmt: skip
VOCABULARY = frozenset(trainer.builtin().words)


@pytest.mark.parametrize("language", NAMES)
def test_names_in_other_languages_are_told(language: str) -> None:
    seen = detect_language(NAMES[language], VOCABULARY)
    assert (seen.language, seen.foreign) == (language, True)
    assert seen.known < 0.6


def test_english_names_are_english_also_with_accents() -> None:
    seen = detect_language(ENGLISH, VOCABULARY)
    assert (seen.language, seen.foreign) == ("", False)
    assert seen.known > 0.9


def test_of_few_words_nothing_is_said() -> None:
    assert not detect_language(NAMES["German"][:2], VOCABULARY).foreign
    assert not detect_language([], VOCABULARY).foreign


def test_unknown_words_of_no_language_are_foreign_too() -> None:
    seen = detect_language([f"qq{letter}zz vv{letter}ww" for letter in "abcdefghijklm"], VOCABULARY)
    assert (seen.language, seen.foreign) == ("", True)
