// What clicks, keys and the browser itself tell the screen.

function connectScreen(screen) {
  const clicks = {
    "go-on": () => screen.read(),
    "sheet-save": () => saveAnswers(screen),
    "save-button": () => saveAnswers(screen),
    "guidelines-button": () => screen.showGuidelines(),
    "list-button": () => screen.toggleList(),
    "language-button": () => changeLanguage(screen),
    "open-file": () => element("file-input").click(),
    "comment-button": () => screen.startComment(),
    "full-screen": () => toggleFullScreen(),
    undo: () => screen.undo(),
    later: () => screen.answer(SKIPPED),
    back: () => screen.comeBack(),
  };
  for (const [id, act] of Object.entries(clicks)) element(id).addEventListener("click", act);
  element("full-screen").hidden = !document.documentElement.requestFullscreen;
  element("file-input").addEventListener("change", (event) => {
    if (event.target.files.length) openAnswers(screen, event.target.files[0]);
    event.target.value = "";
  });
  element("filter").addEventListener("input", () => fillList(screen));
  element("comment").addEventListener("input", () => screen.clock.touch());
  element("pause").addEventListener("change", (event) =>
    preferences.write("pause", event.target.checked ? PAUSE_MS : 0),
  );
  const here = () => screen.clock.beThere(document.hasFocus() && !document.hidden);
  window.addEventListener("focus", here);
  window.addEventListener("blur", () => {
    screen.guard.keys.forget();
    screen.clock.beThere(false);
  });
  document.addEventListener("visibilitychange", here);
  element("pair").addEventListener("pointerdown", () => screen.clock.touch());
  window.addEventListener("beforeunload", (event) => {
    if (screen.lacksAnswers) event.preventDefault();
  });
  document.addEventListener("keydown", (event) => pressKey(screen, event));
  document.addEventListener("keyup", (event) => screen.guard.keys.release(event));
}

function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen().catch(() => {});
}
