// Looking a term up, on the web or in the glossary of the study; only if somebody asks for it.

const SEARCH = "https://duckduckgo.com/?q=";

function searchWeb(screen, side) {
  const term = screen.turn[side];
  noteLookUp(screen);
  screen.clock.goElsewhere();
  window.open(SEARCH + encodeURIComponent(term), "_blank", "noopener,noreferrer");
  screen.say(tr("Searching the web in your browser for: {term}", { term }));
}

function showGlossary(screen) {
  const box = element("glossary-text");
  if (!box.hidden) {
    box.hidden = true;
    return;
  }
  noteLookUp(screen);
  const folded = screen.data.folded_turns[screen.turn.place];
  const entries = screen.judging.content.look_up.glossary.filter((entry, index) =>
    holdsWord(folded, screen.data.folded_terms[index]),
  );
  const text = entries.map((entry) => `${entry.term}: ${entry.text}`).join("\n");
  box.textContent = text || tr("No matching entry.");
  box.hidden = false;
}

function noteLookUp(screen) {
  screen.clock.touch();
  screen.lookedUp.add(screen.turn.place);
}

/** Tell whether a word stands in a text, with no letter or figure beside it. */
function holdsWord(text, word) {
  const isLetter = (character) => /[\p{L}\p{N}_]/u.test(character);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = Array.from(text.slice(Math.max(0, at - 2), at)).pop() || " ";
    const after = Array.from(text.slice(at + word.length, at + word.length + 2))[0] || " ";
    if (!isLetter(before) && !isLetter(after)) return true;
  }
  return false;
}
