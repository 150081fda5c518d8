// The judging screen: guidelines, practice, pairs, and the answers as a file; nothing else. It does
// what views/judging/screen.py and pair_screen.py do. All texts of a study are set as text, never
// as markup.

const PAGES = ["sheet", "pair", "list"];
const element = (id) => document.getElementById(id);

class JudgeScreen {
  constructor(data, judging, store) {
    this.data = data;
    this.judging = judging;
    this.store = store;
    this.guard = new AnswerGuard();
    this.clock = new AttentionClock();
    this.shownAt = "";
    this.drafts = new Map(); // comments on pairs that have no answer yet, by place
    this.lookedUp = new Set(); // places
    this.turn = null; // on show
    this.next = judging.current();
    this.changing = null; // the earlier answer that is on show
    this.makeSheet = null; // makes the words of the sheet, in the language in use
    this.sheet = null;
    this.afterSheet = null; // what follows what was right in practice
    this.reading = false; // the guidelines, while something waits
    this.sheetBefore = null;
    this.aside = null; // what was on show before somebody went to earlier answers
    this.writing = false;
    this.pending = null; // the row that could not be kept
    this.savedRows = null; // how many rows the file has that was saved last
    this.page = "sheet";
    this.answerButtons = new Map();
  }

  /** Show what is said first. */
  start() {
    connectScreen(this);
    translateScreen(this);
    const { keeps } = this.store;
    const sends = Boolean(this.data.send);
    this.showSheet(() =>
      this.next ? welcomeSheet(this.judging, { keeps, sends }) : endSheet(this.judging, sends),
    );
    this.tellKeeping();
  }

  /** Say so where the browser keeps nothing. */
  tellKeeping() {
    if (this.store.keeps) return;
    this.notify(() =>
      tr("This browser keeps nothing of this page. Save your answers before you close it."),
    );
  }

  /** Say briefly what was done. */
  say(text) {
    element("message").textContent = text;
  }

  /** Say what somebody has to know or do until it is settled. */
  notify(makeText, buttonText = null, act = null) {
    this.makeNotice = () => {
      element("notice-text").textContent = makeText();
      const button = element("notice-button");
      button.hidden = !act;
      button.textContent = buttonText ? buttonText() : "";
      button.onclick = act;
      element("notice").hidden = false;
    };
    this.makeNotice();
  }

  dismissNotice() {
    this.makeNotice = null;
    element("notice").hidden = true;
  }

  // ---- pages ---------------------------------------------------------------------------------

  showPage(name) {
    this.page = name;
    if (name === "pair") this.guard.expectDrawing();
    for (const page of PAGES) element(page).hidden = page !== name;
  }

  showSheet(makeSheet) {
    this.makeSheet = makeSheet;
    const sheet = makeSheet();
    this.sheet = sheet;
    element("sheet-heading").textContent = sheet.heading;
    element("sheet-text").textContent = sheet.text;
    const { guidelines } = this.judging.content;
    element("sheet-guidelines").textContent = guidelines;
    element("sheet-guidelines").hidden = !sheet.guidelines || !guidelines.trim();
    const goOn = element("go-on");
    goOn.textContent = sheet.goOn;
    addKey(goOn, "Enter");
    goOn.hidden = !sheet.goOn;
    element("sheet-save").hidden = !sheet.save;
    element("sheet-save").classList.toggle("primary", !sheet.goOn);
    element("open-file").hidden = this.judging.rows.length > 0;
    this.showPage("sheet");
    window.scrollTo(0, 0);
    element("sheet-heading").focus({ preventScroll: true });
  }

  /** Show a pair with the comment that it had, unless another was typed since; time it. */
  showPair(turn, before) {
    this.turn = turn;
    if (before && before.details.looked_up) this.lookedUp.add(turn.place);
    const draft = this.drafts.get(turn.place);
    this.drafts.delete(turn.place);
    this.fillPair(draft || (before ? before.note : ""));
    this.showPage("pair");
    window.scrollTo(0, 0);
    this.shownAt = formatMoment(Date.now());
    this.clock.start();
    element("terms").focus({ preventScroll: true });
  }

  fillPair(note) {
    const { left, right, practice } = this.turn;
    element("left").textContent = left;
    element("right").textContent = right;
    element("terms").setAttribute("aria-label", `${left}. ${right}.`);
    const hints = this.judging.content.answers.filter(({ hint }) => hint);
    element("hints").textContent = hints.map(({ answer, hint }) => `${answer}: ${hint}`).join("\n");
    element("hints").hidden = !practice || !hints.length;
    element("comment").value = note;
    element("comment").hidden = !note;
    element("glossary-text").hidden = true;
    element("pause").checked = this.guard.pauseMs > 0;
  }

  get asked() {
    return this.changing || this.next;
  }

  readSeen() {
    return {
      shownAt: this.shownAt,
      activeMs: this.clock.activeMs,
      wallMs: this.clock.wallMs,
      lookedUp: this.lookedUp.has(this.turn.place),
    };
  }

  // ---- answers -------------------------------------------------------------------------------

  async answer(answer) {
    if (this.page !== "pair" || !this.asked || this.writing) return;
    const refused = this.guard.refuseAnswer();
    if (refused) {
      this.say(refused);
      return;
    }
    const { turn, changing } = this;
    const before = this.judging.answers.get(turn.place);
    const note = element("comment").value;
    await this.write(this.judging.makeAnswer(turn, answer, this.readSeen(), note), () => {
      const changed = changing && before && before.answer !== answer;
      this.say(
        changed
          ? tr("Changed: {before} → {answer}", {
              before: nameAnswer(before.answer), answer: nameAnswer(answer),
            })
          : tr("Kept: {answer}", { answer: nameAnswer(answer) }),
      );
      this.goOnFrom(turn, answer, !before);
    });
  }

  goOnFrom(turn, answer, first) {
    const following = this.judging.current();
    if (this.changing) {
      this.next = this.next || following;
      this.comeBack();
      return;
    }
    this.next = following;
    const show = () => this.showNext(turn, first);
    if (answer === SKIPPED || !turn.rightAnswer) {
      show();
    } else {
      this.afterSheet = show;
      this.say("");
      this.showSheet(() => feedbackSheet(turn, answer, !following));
    }
  }

  /** Show what comes after a pair: the next one, or a sheet between them. */
  showNext(before, first) {
    const turn = this.next;
    const { judging } = this;
    const progress = judging.progress();
    if (!turn) {
      this.showEnd();
    } else if (before.practice && !turn.practice && !progress.judged) {
      this.showSheet(() => practiceOverSheet(judging.progress()));
    } else if (judging.answers.has(turn.place) && first) {
      this.showSheet(() => shownOnceSheet(judging.progress()));
    } else {
      this.showPair(turn, judging.answers.get(turn.place));
    }
  }

  showEnd() {
    this.showSheet(() => endSheet(this.judging, Boolean(this.data.send)));
  }

  undo() {
    this.move(this.judging.makeUndo(), tr("Nothing to undo"), (row) => {
      const undone = this.judging.rows[row.undoes - 1];
      this.say(tr("Taken back: {answer}", { answer: nameAnswer(undone.answer) }));
      this.next = this.judging.turns[undone.details.place];
      this.showPair(this.next, undone);
    });
  }

  redo() {
    this.move(this.judging.makeRedo(), tr("Nothing to redo"), (row) => {
      const brought = this.judging.rows[this.judging.rows[row.undoes - 1].undoes - 1];
      this.say(tr("Brought back: {answer}", { answer: nameAnswer(brought.answer) }));
      this.next = this.judging.current();
      if (this.next) this.showPair(this.next, this.judging.answers.get(this.next.place));
      else this.showEnd();
    });
  }

  /** Take back or bring back, where something can be. */
  async move(row, nothing, then) {
    const onSheet = this.page === "sheet" && this.sheet.back;
    if (this.writing || !(this.page === "pair" || onSheet)) return;
    if (this.aside === null && this.page === "pair") {
      this.drafts.set(this.turn.place, element("comment").value);
    }
    this.dropAside();
    if (!row) {
      this.say(nothing);
      return;
    }
    await this.write(row, () => {
      this.reading = false;
      this.afterSheet = null;
      then(row);
    });
  }

  /** Keep a row, then go on; where it cannot be kept it stays on the screen, to be tried again. */
  async write(row, then) {
    this.setWriting(true);
    try {
      await this.store.add(row);
    } catch (error) {
      this.pending = row;
      this.setWriting(false);
      this.tellUnwritten(error, row, then);
      return;
    }
    this.judging.add(row);
    if (this.pending) this.dismissNotice();
    this.pending = null;
    showProgress(this);
    this.setWriting(false);
    then();
    if (this.sender) {
      showSending(this);
      this.sender.wake();
    }
  }

  setWriting(writing) {
    this.writing = writing;
    document.body.toggleAttribute("data-writing", writing);
  }

  tellUnwritten(error, row, then) {
    if (error && error.name === "ConstraintError") {
      const elsewhere = () =>
        tr("This study is judged on another page too, which is further. Go on there, or reload.");
      this.notify(elsewhere, () => tr("Reload"), () => location.reload());
      return;
    }
    const why = error ? error.message : "";
    const text = () =>
      tr("Not kept yet: {why}. It stays on the screen, and all before it is kept.", { why });
    this.notify(text, () => tr("Try again"), () => this.write(row, then));
  }

  // ---- guidelines, earlier answers -----------------------------------------------------------

  read() {
    if (!this.reading) {
      this.goOn();
      return;
    }
    this.reading = false;
    const before = this.sheetBefore;
    this.sheetBefore = null;
    if (before) {
      this.showSheet(before);
    } else {
      this.clock.touch();
      this.showPage("pair");
      element("terms").focus();
    }
  }

  goOn() {
    const after = this.afterSheet;
    this.afterSheet = null;
    if (after) after();
    else if (this.next) this.showPair(this.next, this.judging.answers.get(this.next.place));
  }

  showGuidelines() {
    if (element("guidelines-button").disabled || this.page === "list") return;
    if (this.reading) {
      this.read();
    } else if (this.page === "pair" || !this.sheet.guidelines) {
      const pairWaits = this.page === "pair";
      this.sheetBefore = pairWaits ? null : this.makeSheet;
      this.reading = true;
      this.showSheet(() => guidelinesSheet(this.judging.content.question, pairWaits));
    }
  }

  /** Show what was answered, or go back from there. */
  toggleList() {
    if (this.writing) return;
    if (this.page === "list") {
      this.comeBack();
      return;
    }
    if (this.aside === null) {
      const note = element("comment").value;
      const { page, clock, shownAt, turn, makeSheet } = this;
      this.aside = { page, clock, shownAt, note, turn, makeSheet };
      this.clock.setAside(true);
    }
    this.changing = null;
    this.reading = this.reading && this.aside.page === "sheet";
    element("filter").value = "";
    this.showPage("list");
    fillList(this);
    element("list-heading").focus();
  }

  /** Show a pair again, with what was said of it. */
  choose(turn) {
    this.changing = turn;
    this.clock = new AttentionClock();
    const row = this.judging.answers.get(turn.place);
    this.showPair(turn, row);
    const answer = nameAnswer(row.answer);
    this.say(
      tr("Your answer: {answer}. Answer again to change it; Esc leaves it as it is.", { answer }),
    );
  }

  /** Show again what was on show before earlier answers were. */
  comeBack() {
    const { aside } = this;
    this.aside = this.changing = null;
    if (!aside) return;
    this.clock = aside.clock;
    this.shownAt = aside.shownAt;
    this.clock.setAside(false);
    if (aside.page === "pair" && aside.turn) {
      this.turn = aside.turn;
      this.fillPair(aside.note);
      this.showPage("pair");
      element("terms").focus();
    } else {
      this.showSheetAgain(aside.makeSheet);
    }
  }

  /** Show a sheet that was set aside; what it tells of the answers may have changed. */
  showSheetAgain(makeSheet) {
    if (!makeSheet().save) this.showSheet(makeSheet);
    else if (this.next) this.showSheet(() => shownOnceSheet(this.judging.progress()));
    else this.showEnd();
  }

  /** Forget what was on show before, but for what was typed there. */
  dropAside() {
    const { aside } = this;
    this.aside = this.changing = null;
    if (aside && aside.page === "pair") this.drafts.set(aside.turn.place, aside.note);
  }

  leavePair() {
    if (this.changing && !this.writing) {
      this.say("");
      this.comeBack();
    }
  }

  startComment() {
    element("comment").hidden = false;
    element("comment").focus();
    this.clock.touch();
  }

  endComment() {
    element("comment").hidden = !element("comment").value;
    element("terms").focus();
  }

  /** Tell whether answers would be lost, or are missing in the file that was saved last. */
  get lacksAnswers() {
    const rows = this.judging.rows.length;
    if (this.pending || this.sender?.unsent) return true;
    if (!this.store.keeps) return rows > (this.savedRows || 0);
    return this.savedRows !== null && rows > this.savedRows;
  }
}
