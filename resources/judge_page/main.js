// Opens the study that is in the page.

async function openStudy() {
  const data = JSON.parse(element("study-data").textContent);
  speech.german = data.german;
  chooseLanguage(data.language);
  if (hashText(data.content) !== data.hash) {
    element("notice-text").textContent = tr(
      "This page was changed after it was written; ask who sent it for it again.",
    );
    element("notice").hidden = false;
    return;
  }
  const judging = new Judging(JSON.parse(data.content), data.hash);
  const store = new RowStore(data.hash);
  const screen = new JudgeScreen(data, judging, store);
  try {
    judging.addAll(await store.load());
  } catch {
    element("notice-text").textContent = tr(
      "What this browser kept of your answers is damaged; ask who sent you this page what to do.",
    );
    element("notice").hidden = false;
    return;
  }
  if (data.send) await startSending(screen);
  screen.next = judging.current();
  screen.start();
  if (data.send) showSending(screen);
}

openStudy();
