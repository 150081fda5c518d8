// What was said, as rows of a log: the same rows with the same hashes as the program writes into a
// fresh workspace, and the same file of answers. See services/studies/judging.py and rows.py.

const SKIPPED = "skipped"; // stands in the log for an answer, until there is one
const FIRST_HASH = "0".repeat(64);
const SURROGATE = /\p{Surrogate}/gu;

/** Return this moment as the log has it: ISO 8601 in UTC, to the millisecond. */
function formatMoment(milliseconds) {
  return new Date(milliseconds).toISOString().replace("Z", "+00:00");
}

/** Return the turns of a pack, practice first, each with which time its pair is shown. */
function listTurns(content) {
  const showings = new Map();
  const pairs = [
    ...content.practice.map((pair) => ({ ...pair, practice: true })),
    ...content.pairs.map((pair) => ({ ...pair, practice: false })),
  ];
  return pairs.map(({ left, right, practice, right_answer = "" }, place) => {
    const [subject, object] = [left, right].sort(compareCodePoints);
    const terms = JSON.stringify([subject, object]);
    const showing = (showings.get(terms) || 0) + 1;
    showings.set(terms, showing);
    return { place, left, right, subject, object, terms, showing, practice, rightAnswer: right_answer };
  });
}

/**
 * An annotator at the pairs of a pack. What is asked depends on nothing but the log: first what was
 * never seen, in the annotator's order, then what was put off, the first that was put off first.
 *
 * A row is made by `makeAnswer`, `makeUndo` or `makeRedo`, written by the caller, and then `add`ed.
 */
class Judging {
  constructor(content, packHash) {
    this.content = content;
    this.packHash = packHash;
    this.turns = listTurns(content);
    this.rows = [];
    this.fileRows = []; // the same as files have them, as far as they were wanted
    this.answers = new Map(); // the counting row by place, in the order in which they were given
    this.newest = ""; // moment
  }

  /** Take a row that is kept; it has to follow the last one. */
  add(row) {
    this.checkRow(row);
    this.rows.push(row);
    if (row.answered_at > this.newest) this.newest = row.answered_at;
    this.settle();
  }

  /** Take rows that were kept before, all at once. */
  addAll(rows) {
    for (const row of rows) {
      this.checkRow(row);
      this.rows.push(row);
      if (row.answered_at > this.newest) this.newest = row.answered_at;
    }
    this.settle();
  }

  checkRow(row) {
    const { hash, ...values } = row;
    const before = this.rows.length ? this.rows[this.rows.length - 1].hash : FIRST_HASH;
    if (row.id !== this.rows.length + 1 || row.before !== before || hashRow(values) !== hash) {
      throw new Error(`row ${row.id} does not follow row ${this.rows.length}`);
    }
  }

  /** Return the ids of rows that are taken back, by a row that is not taken back itself. */
  findUndone() {
    const undone = new Set();
    for (let index = this.rows.length - 1; index >= 0; index--) {
      const row = this.rows[index];
      if (row.undoes !== null && !undone.has(row.id)) undone.add(row.undoes);
    }
    return undone;
  }

  settle() {
    const undone = this.findUndone();
    const counting = this.rows.filter((row) => row.undoes === null && !undone.has(row.id));
    counting.sort((first, second) => compareTexts(first.answered_at, second.answered_at));
    this.answers = new Map();
    for (const row of counting) {
      this.answers.delete(row.details.place); // so that it stands behind all others
      this.answers.set(row.details.place, row);
    }
  }

  /** Return the turn that is asked now; null when all is judged. */
  current() {
    const unseen = this.turns.find((turn) => !this.answers.has(turn.place));
    if (unseen) return unseen;
    for (const [place, row] of this.answers) {
      if (row.answer === SKIPPED) return this.turns[place];
    }
    return null;
  }

  /**
   * Return what was answered or put off and may be shown again, in the order of the answers. Nobody
   * sees what they said of a pair before while it is asked a second time, nor both beside each other.
   */
  listChangeable(onShow) {
    const newest = new Map();
    for (const place of this.answers.keys()) newest.set(this.turns[place].terms, place);
    return [...this.answers.keys()]
      .filter((place) => newest.get(this.turns[place].terms) === place)
      .map((place) => this.turns[place])
      .filter((turn) => !onShow || turn.terms !== onShow.terms);
  }

  makeAnswer(turn, answer, seen, note) {
    const details = {
      place: turn.place,
      practice: turn.practice,
      left: turn.left,
      active_ms: seen.activeMs,
      wall_ms: seen.wallMs,
      looked_up: seen.lookedUp,
    };
    const clean = note.replace(/\0/g, "").replace(SURROGATE, "?");
    const said = { answer, note: clean, shown_at: seen.shownAt, answered_at: this.nextMoment() };
    return this.makeRow({ ...said, ...this.subjectOf(turn), details, undoes: null });
  }

  /** Return a row that takes back what was said last; null if nothing is left. */
  makeUndo() {
    const undone = this.findUndone();
    const last = findLast(this.rows, (row) => row.undoes === null && !undone.has(row.id));
    return last ? this.makeWithdrawal(last, last.id) : null;
  }

  /** Return a row that brings back what was taken back last; null if something was said since. */
  makeRedo() {
    const undone = this.findUndone();
    const last = findLast(this.rows, (row) => row.undoes === null || this.isOpenUndo(row, undone));
    if (!last || last.undoes === null) return null;
    return this.makeWithdrawal(this.rows[last.undoes - 1], last.id);
  }

  isOpenUndo(row, undone) {
    return !undone.has(row.id) && this.rows[row.undoes - 1].undoes === null;
  }

  makeWithdrawal(verdict, undoes) {
    const moment = this.nextMoment();
    const subject = this.subjectOf(this.turns[verdict.details.place]);
    const nothing = { answer: "", note: "", shown_at: moment, answered_at: moment };
    return this.makeRow({ ...nothing, ...subject, details: {}, undoes });
  }

  /** Return the turn that a row is about, also one that takes back. */
  turnOf(row) {
    const verdict = row.undoes === null ? row : this.rows[row.undoes - 1];
    return verdict.undoes === null ? this.turns[verdict.details.place] : this.turnOf(verdict);
  }

  subjectOf(turn) {
    const { subject, object, showing } = turn;
    const { question, study } = this.content;
    return { question, subject, object, term: "", study, showing };
  }

  makeRow(values) {
    const last = this.rows[this.rows.length - 1];
    const row = {
      id: this.rows.length + 1,
      judge: this.content.annotator,
      orcid: "",
      release_hash: "",
      before: last ? last.hash : FIRST_HASH,
      ...values,
    };
    return { ...row, hash: hashRow(row) };
  }

  /** Return this moment, but after all that was said, whatever the clock says. */
  nextMoment() {
    const moment = formatMoment(Date.now());
    return moment > this.newest ? moment : formatMoment(Date.parse(this.newest) + 1);
  }

  /** Return how far the annotator is, and how long the rest will take. */
  progress() {
    const judged = [...this.answers.values()].filter((row) => row.answer !== SKIPPED);
    const practised = judged.filter((row) => row.details.practice).length;
    const practice = this.turns.filter((turn) => turn.practice).length;
    const atPractice = practised === judged.length;
    const times = judged.filter((row) => row.details.practice === atPractice);
    const sum = times.reduce((total, row) => total + row.details.active_ms / 1000, 0);
    const pace = times.length ? sum / times.length : null;
    return {
      judged: judged.length - practised,
      asked: this.turns.length - practice,
      skipped: this.answers.size - judged.length,
      practised,
      practice,
      secondsAPair: pace,
      secondsLeft: pace === null ? null : pace * (this.turns.length - judged.length),
    };
  }

  /** Return the rows as files have them, each with the hash of itself and the one before. */
  listFileRows() {
    for (const row of this.rows.slice(this.fileRows.length)) {
      const last = this.fileRows[this.fileRows.length - 1];
      const told = this.rowOfFile(row);
      const link = hashJson([last ? last.link : this.packHash, told]);
      this.fileRows.push({ ...told, link });
    }
    return this.fileRows;
  }

  /** Return the text of the file that goes back: what the program would write, without a signature. */
  writeAnswersFile() {
    const { study, title, annotator } = this.content;
    const rows = this.listFileRows();
    const content = { study, title, annotator, pack: this.packHash, rows };
    const envelope = { termexplorer: "study answers", version: 1, hash: hashJson(content), content };
    return `${JSON.stringify(envelope, null, 1)}\n`;
  }

  /**
   * Return the rows of a file that this page saved, which have to begin with those that are here.
   *
   * Throws an error where it is another file.
   */
  readAnswersFile(text) {
    const { content } = JSON.parse(text);
    const judging = new Judging(this.content, this.packHash);
    if (content.pack !== this.packHash) throw new Error("another pack");
    for (const told of content.rows) {
      const row = judging.rebuildRow(told);
      if (row.hash !== told.id) throw new Error("a row was changed, or written elsewhere");
      judging.rows.push(row);
    }
    if (this.rows.some((row, index) => judging.rows[index]?.hash !== row.hash)) {
      throw new Error("it lacks answers that are here");
    }
    return judging.rows;
  }

  rebuildRow(told) {
    const { undoes, answered_at } = told;
    if (undoes !== undefined) {
      const undone = this.rows.find((row) => row.hash === undoes);
      const nothing = { answer: "", note: "", shown_at: answered_at, answered_at };
      const subject = this.subjectOf(this.turnOf(undone));
      return this.makeRow({ ...nothing, ...subject, details: {}, undoes: undone.id });
    }
    const { answer, note, shown_at, active_ms, wall_ms, looked_up } = told;
    const turn = this.turns[told.place];
    const { place, practice, left } = turn;
    const details = { place, practice, left, active_ms, wall_ms, looked_up };
    const said = { answer, note, shown_at, answered_at };
    return this.makeRow({ ...said, ...this.subjectOf(turn), details, undoes: null });
  }

  rowOfFile(row) {
    if (row.undoes !== null) {
      const undone = this.rows[row.undoes - 1].hash;
      return { id: row.hash, undoes: undone, answered_at: row.answered_at };
    }
    const { place, active_ms, wall_ms, looked_up } = row.details;
    const { left, right } = this.turns[place];
    const { answer, note, shown_at, answered_at } = row;
    const said = { answer, note, shown_at, answered_at, active_ms, wall_ms, looked_up };
    return { id: row.hash, place, left, right, ...said };
  }
}

/** Return the hash of a row: of all its columns by name, but its own hash. */
function hashRow(values) {
  const { showing, ...others } = values;
  return hashJson(showing === 1 ? others : values); // as before a pair could be shown again
}

function compareTexts(first, second) {
  return first < second ? -1 : Number(first > second);
}

function findLast(values, test) {
  for (let index = values.length - 1; index >= 0; index--) {
    if (test(values[index])) return values[index];
  }
  return undefined;
}
