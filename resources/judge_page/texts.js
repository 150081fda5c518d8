// What the page says, in English or German: texts.de.json has the German by the English.

const LANGUAGES = ["en", "de"];
const speech = { language: "en", german: {} };

/** Choose the language: the one chosen here before, else the reader's, else the pack's. */
function chooseLanguage(packLanguage) {
  const wanted = [preferences.read("language"), ...navigator.languages, packLanguage, "en"];
  const known = wanted.map((name) => (name || "").slice(0, 2).toLowerCase());
  speak(known.find((name) => LANGUAGES.includes(name)));
}

function speak(language) {
  speech.language = language;
  document.documentElement.lang = language;
}

/** Return a text in the language in use, with values for its `{names}`; `{name:,}` is a number. */
function tr(text, values = {}) {
  return fillText(speech.language === "de" ? speech.german[text] || text : text, values);
}

/** Return a text that depends on a number, `{n}` in it. */
function trn(singular, many, n, values = {}) {
  const german = speech.language === "de" && speech.german[many];
  const [one, others] = german || [singular, many];
  return fillText(n === 1 ? one : others, { ...values, n });
}

function fillText(text, values) {
  return text.replace(/\{(\w+)(:,)?\}/g, (whole, name, grouped) => {
    if (!(name in values)) return whole;
    return grouped ? values[name].toLocaleString(speech.language) : String(values[name]);
  });
}
