// The keys of the judging screen, as services/verdicts/judging_keys.py has them. Those of the
// answers come with the study.

/** Do what a key does on the page that is on show; leave all other keys to the browser. */
function pressKey(screen, event) {
  const { guard, page } = screen;
  guard.keys.press(event);
  if (page === "pair") screen.clock.touch();
  const typing = event.target.matches('input[type="text"], input[type="search"]');
  const findAct = typing ? findFieldAct : findPageAct;
  const act = findTool(screen, event) || findAct(screen, event);
  const onButton = event.target.matches("button") && ["Enter", " "].includes(event.key);
  if (act || (event.repeat && onButton)) event.preventDefault();
  if (act && !event.repeat) act();
}

/** Return what a key does wherever the focus is; null for nothing. */
function findTool(screen, event) {
  const control = event.ctrlKey || event.metaKey;
  if (event.altKey) return null;
  if (event.key === "F1") return () => screen.showGuidelines();
  if (event.key === "F2") return () => screen.toggleList();
  const saves = control && !event.shiftKey && event.key.toLowerCase() === "s";
  return saves ? () => saveAnswers(screen) : null;
}

function findFieldAct(screen, event) {
  if (!["Enter", "Escape"].includes(event.key) || event.isComposing) return null;
  if (event.target.id === "comment") return () => screen.endComment();
  if (event.key === "Escape") return () => screen.comeBack();
  return () => element("given").querySelector("button")?.focus();
}

function findPageAct(screen, event) {
  if (event.altKey) return null;
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() !== "z") return null;
    return event.shiftKey ? () => screen.redo() : () => screen.undo();
  }
  if (event.key === "Backspace") return () => screen.undo();
  if (screen.page === "list") return event.key === "Escape" ? () => screen.comeBack() : null;
  return screen.page === "sheet" ? findSheetAct(screen, event) : findPairAct(screen, event);
}

function findSheetAct(screen, event) {
  if (!screen.sheet.goOn) return null;
  const otherButton = event.target.matches("button") && event.target.id !== "go-on";
  const goesOn = event.key === "Escape" || (["Enter", " "].includes(event.key) && !otherButton);
  return goesOn ? () => screen.read() : null;
}

function findPairAct(screen, event) {
  if (event.key === "Escape") return screen.changing ? () => screen.leavePair() : null;
  const key = nameKey(event);
  const lookUp = screen.lookUpKeys.get(event.shiftKey ? `Shift+${key}` : key);
  if (lookUp) return lookUp;
  if (event.shiftKey) return null;
  if (key === "C") return () => screen.startComment();
  const { keys } = screen.data;
  const answer = key === "L" ? SKIPPED : Object.keys(keys).find((name) => keys[name].includes(key));
  if (answer === undefined) return null;
  return () => {
    const refused = screen.guard.refuseKey();
    if (refused) screen.say(refused);
    else screen.answer(answer);
  };
}

/** Return the letter or digit of a key, also where another alphabet is typed. */
function nameKey(event) {
  const typed = event.key.toUpperCase();
  if (/^[A-Z0-9]$/.test(typed)) return typed;
  const key = /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(event.code);
  return key ? key[1] : typed;
}
