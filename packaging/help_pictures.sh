#!/bin/sh
# Takes the pictures of the help anew, into resources/help/pictures and, in German, into
# resources/help/de/pictures: of the real program on ICD-10-CM with a small encoder, without a
# screen, in some minutes. After setup.sh --dev.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CONFIG_HOME="$folder/config" XDG_DATA_HOME="$folder/data"
program() { .venv/bin/termexplorer "$@" --workspace "$folder/ICD-10-CM"; }

program import icd10cm
program train few-shot --ontology icd10cm --level 1 # over the built-in encoder
cat >"$folder/clinic.csv" <<'CODES'
code,name,frequency
C1,Pneumonia due to virus,410
C2,Heart attack,322
C3,High blood pressure,980
C4,Type 2 diabetes mellitus,764
C5,Fracture of neck of femur,58
C6,Migraine with aura,131
C7,Nosebleed,96
C8,Kidney stone,87
CODES
program map "$folder/clinic.csv" --to icd10cm --out "$folder/mapped.csv"
cat >"$folder/Pneumonia.tsv" <<'PAIRS'
left	right	label
Viral pneumonia	Pneumonia due to virus	1
Bacterial pneumonia	Pneumonia caused by bacteria	1
Lobar pneumonia	Pneumonia of a whole lobe	1
Acute bronchitis	Sudden inflammation of the bronchi	1
Nasal polyp	Polyp of the nose	1
Viral pneumonia	Viral hepatitis	0
Bacterial pneumonia	Bacterial meningitis	0
Lobar pneumonia	Tubular adenoma	0
Acute bronchitis	Acute appendicitis	0
Nasal polyp	Fracture of nasal bones	0
PAIRS
program study new --pairs "$folder/Pneumonia.tsv" --title "Same or not" --each 5 --practice 0 \
    --annotator "Anna Berg" --annotator "Ben Lind"
export QT_QPA_PLATFORM="offscreen:configfile=tests/screens.json"
cp -r "$folder/ICD-10-CM" "$folder/German"
.venv/bin/python packaging/help_pictures.py "$folder/ICD-10-CM" resources/help/pictures
.venv/bin/python packaging/help_pictures.py "$folder/German" resources/help/de/pictures de
