// What the buttons of the screen say, in the language in use, and how far somebody is.

function translateScreen(screen) {
  const { title, question } = screen.judging.content;
  element("title").textContent = title;
  element("question").textContent = question;
  const texts = {
    "guidelines-button": tr("Guidelines"),
    "list-button": tr("My answers"),
    "save-button": tr("Save"),
    "sheet-save": tr("Save my answers"),
    "open-file": tr("Go on from a saved file…"),
    undo: tr("Undo"),
    "comment-button": tr("Comment"),
    later: tr("Later"),
    "full-screen": tr("Full screen"),
    "pause-text": tr("{pause} ms pause", { pause: PAUSE_MS }),
    "list-heading": tr("My answers"),
    "list-text": tr(
      "Enter shows a pair again. What you answer then counts; the log keeps both answers.",
    ),
    "list-empty": tr("No such answer."),
    back: tr("Back"),
  };
  for (const [id, text] of Object.entries(texts)) element(id).textContent = text;
  const keys = {
    "guidelines-button": "F1", "list-button": "F2", "save-button": "Ctrl+S",
    undo: "Backspace", "comment-button": "C", later: "L", back: "Esc",
  };
  for (const [id, key] of Object.entries(keys)) addKey(element(id), key);
  const labels = {
    tools: tr("Tools"),
    "progress-bar": tr("Progress"),
    answers: tr("Answers"),
    "sheet-guidelines": tr("Guidelines"),
    "glossary-text": tr("Glossary"),
    comment: tr("Comment, kept with your answer; Enter goes back"),
    filter: tr("Filter answers"),
    "file-input": tr("Go on from a saved file…"),
  };
  for (const [id, label] of Object.entries(labels)) element(id).setAttribute("aria-label", label);
  element("comment").placeholder = labels.comment;
  element("filter").placeholder = tr("Filter");
  const other = speech.language === "de" ? "en" : "de";
  const button = element("language-button");
  button.textContent = other.toUpperCase();
  button.setAttribute("aria-label", other === "de" ? "DE, Deutsch" : "EN, English");
  button.lang = other;
  makeAnswerButtons(screen);
  makeLookUpButtons(screen);
  showProgress(screen);
}

function makeAnswerButtons(screen) {
  screen.answerButtons.clear();
  const buttons = screen.judging.content.answers.map(({ answer, meaning }) => {
    const button = document.createElement("button");
    button.type = "button";
    const label = document.createElement("span");
    label.textContent = answer.charAt(0).toUpperCase() + answer.slice(1);
    button.append(label);
    if (meaning) {
      const told = document.createElement("span");
      told.className = "meaning";
      told.textContent = ` ${meaning}`;
      button.append(told);
    }
    for (const key of screen.data.keys[answer].filter((name) => name !== answer)) addKey(button, key);
    button.addEventListener("click", () => screen.answer(answer));
    screen.answerButtons.set(answer, button);
    return button;
  });
  element("answers").replaceChildren(...buttons);
}

function makeLookUpButtons(screen) {
  const { web, glossary } = screen.judging.content.look_up || {};
  const offered = [];
  if (web) {
    offered.push([tr("Search the web: first term"), "W", () => searchWeb(screen, "left")]);
    offered.push([tr("Search the web: second term"), "Shift+W", () => searchWeb(screen, "right")]);
  }
  if (glossary && glossary.length) offered.push([tr("Glossary"), "G", () => showGlossary(screen)]);
  const buttons = offered.map(([text, key, act]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    button.textContent = text;
    addKey(button, key);
    button.addEventListener("click", act);
    return button;
  });
  element("look-up").replaceChildren(...buttons);
  element("look-up").hidden = !buttons.length;
  screen.lookUpKeys = new Map(offered.map(([, key, act]) => [key, act]));
}

function showProgress(screen) {
  const progress = screen.judging.progress();
  const practising = progress.practised < progress.practice && !progress.judged;
  const bar = element("progress-bar");
  bar.max = Math.max(1, practising ? progress.practice : progress.asked);
  bar.value = practising ? progress.practised : progress.judged;
  element("progress-text").textContent = describeProgress(progress);
  element("guidelines-button").disabled = !screen.judging.content.guidelines.trim();
}

function changeLanguage(screen) {
  speak(speech.language === "de" ? "en" : "de");
  preferences.write("language", speech.language);
  const { activeElement } = document;
  translateScreen(screen);
  screen.say("");
  if (screen.page === "sheet") screen.showSheet(screen.makeSheet);
  if (screen.page === "pair") screen.fillPair(element("comment").value);
  if (screen.page === "list") fillList(screen);
  screen.makeNotice?.();
  if (screen.sender) showSending(screen);
  activeElement.focus();
}

/** Write a key behind what a button says. */
function addKey(button, key) {
  const shown = document.createElement("kbd");
  shown.textContent = key;
  shown.setAttribute("aria-hidden", "true");
  button.append(" ", shown);
  const known = button.getAttribute("aria-keyshortcuts");
  const name = key.replace("Ctrl", "Control").replace("Esc", "Escape");
  if (!(known || "").split(" ").includes(name)) {
    button.setAttribute("aria-keyshortcuts", [known, name].filter(Boolean).join(" "));
  }
}
