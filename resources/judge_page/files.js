// The answers as the one file that goes back, and going on from it.

function saveAnswers(screen) {
  const blob = new Blob([screen.judging.writeAnswersFile()], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = screen.data.file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  screen.savedRows = screen.judging.rows.length;
  const told = describeAnswers(screen.judging.progress());
  screen.say(
    tr("{file} is among your downloads: {told}. Send this file to who asked you.", {
      file: screen.data.file, told,
    }),
  );
}

/** Go on from a file that this page saved, here or elsewhere. */
async function openAnswers(screen, file) {
  try {
    const rows = screen.judging.readAnswersFile(await file.text());
    for (const row of rows.slice(screen.judging.rows.length)) {
      await screen.store.add(row);
      screen.judging.add(row);
    }
  } catch {
    const text = () =>
      tr("{file}: has no answers to this study that this page saved; choose another file", {
        file: file.name,
      });
    screen.notify(text);
    return;
  }
  screen.next = screen.judging.current();
  screen.dismissNotice();
  screen.tellKeeping();
  showProgress(screen);
  screen.sender?.wake();
  if (!screen.next) screen.showEnd();
  else screen.showPair(screen.next, screen.judging.answers.get(screen.next.place));
}
