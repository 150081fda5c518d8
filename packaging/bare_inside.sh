#!/bin/sh
# What bare.sh does on the bare system, on which termexplorer was just installed: without a display a
# demo (it imports, trains, prints a ranking), a map, an import of the release that is given, doctor, a study
# and its pack; the types and the menu; then, under Xvfb, a double click on the pack and two answers,
# and the window, in which an encoder is trained.
set -eu
say() { printf '%s\n' "bare: $*" >&2; }
fail() { say "$*"; exit 1; }
install() { apt-get install -qq -y --no-install-recommends "$@" >/dev/null; }

say "without a display"
termexplorer demo
termexplorer project --ontology icd10cm --encoder 5 --method tsne --search pneumonia --out /map.csv
[ $# = 0 ] || termexplorer import "$1"
termexplorer doctor
printf 'left\tright\tlabel\nTyphoid fever\tEnteric fever\t1\nCholera\tAsthma\t0\n' >/pairs.tsv
termexplorer study new --pairs /pairs.tsv --title Bare --annotator Anna --each 1 --practice 0
termexplorer study export 1 --annotator Anna --out /root/anna.termstudy

say "the .tar.gz"
for archive in /given/*.tar.gz; do
    [ -e "$archive" ] || continue
    mkdir /unpacked
    tar --extract --gzip --file "$archive" --directory /unpacked
    /unpacked/termexplorer/termexplorer search "typhoid fever" >/dev/null
    rm -r /unpacked
done

say "the types and the menu"
install shared-mime-info desktop-file-utils libglib2.0-bin
desktop-file-validate /usr/share/applications/termexplorer*.desktop
type=$(gio info --attributes=standard::content-type /root/anna.termstudy)
case $type in *application/x-termexplorer-study*) ;; *) fail "a pack's type is $type" ;; esac
gio mime application/x-termexplorer-study | grep -q termexplorer-judge.desktop ||
    fail "no program opens packs"
test -e /usr/share/icons/hicolor/scalable/apps/termexplorer.svg

say "with a display"
install xvfb xdotool imagemagick dbus
Xvfb :9 -screen 0 1440x900x24 -r 2>/dev/null &
x=$!
trap 'kill $x' EXIT
export DISPLAY=:9
until xdotool getdisplaygeometry >/dev/null 2>&1; do sleep 0.2; done
# focus TITLE: as a window manager would, once the window has come to rest
focus() {
    xdotool search --sync --onlyvisible --name "$1" >/dev/null
    sleep 5
    xdotool windowfocus --sync "$(xdotool search --onlyvisible --name "$1" | tail -1)"
    sleep 1
}
# until_is WHAT COMMAND...: waits, some minutes at most, until a command's words hold something
until_is() {
    wanted=$1
    shift
    for _ in $(seq 150); do
        "$@" 2>/dev/null | grep -q "$wanted" && return
        sleep 2
    done
    fail "gave up waiting for $wanted in $*"
}

TERMEXPLORER_WORKSPACE=/root/clinic gio open /root/anna.termstudy
focus Bare
xdotool key Return
sleep 2
import -window root /judge.png
xdotool key 1
sleep 2
xdotool key 2
until_is '"judged": 2' termexplorer study show 1 --json --workspace /root/clinic
xdotool key ctrl+s
sleep 2
xdotool type /root/answers.json
xdotool key Return
sleep 2
focus Bare # no window manager gives it back after a dialog
xdotool key ctrl+q
while xdotool search --onlyvisible --name Bare >/dev/null 2>&1; do sleep 0.5; done
termexplorer study merge /root/answers.json
termexplorer study show 1 --json | grep -q '"judged": 2' || fail "answers were not merged"

termexplorer demo &
program=$!
focus " – termexplorer"
import -window root /window.png
xdotool key ctrl+3
sleep 5
xdotool key ctrl+Return
until_is "status: finished" termexplorer run show 2
sleep 2
import -window root /train.png
xdotool key ctrl+q
wait $program
