// The list of the answers that were given, to go back to one of them and change it.

/** List what was answered, the newest first, as far as the filter lets it. */
function fillList(screen) {
  const sought = foldText(element("filter").value.trim());
  const entries = [];
  screen.judging.listChangeable(screen.next).forEach((turn, index) => {
    const row = screen.judging.answers.get(turn.place);
    const terms = `${turn.left} – ${turn.right}`;
    const told = [nameAnswer(row.answer), row.note].filter(Boolean).join(" · ");
    if (!foldText(`${terms}\n${told}`).includes(sought)) return;
    const [item, button, said] = ["li", "button", "span"].map((tag) => document.createElement(tag));
    button.type = "button";
    button.append(`${index + 1}. ${terms} `, said);
    said.className = "said";
    said.textContent = told;
    button.addEventListener("click", () => screen.choose(turn));
    item.append(button);
    entries.unshift(item);
  });
  element("given").replaceChildren(...entries);
  element("list-empty").hidden = entries.length > 0;
}

/** Return a text as the list of answers is filtered by: lower case, without diacritics. */
function foldText(text) {
  return text.normalize("NFKD").replace(/\p{Mn}/gu, "").toLowerCase();
}

