// How long somebody is at a pair, and which presses count as answers: the rules of the program's
// views/judging/attention_clock.py and answer_guard.py.

const LONGEST_THOUGHT_MS = 120_000; // without a key, after which nobody is believed to be there
const PAUSE_MS = 250; // nobody reads a pair and answers it sooner
const FORGOTTEN_MS = 2_000; // without a repeat, after which a key's release is believed to be lost
const MODIFIERS = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "NumLock"]);

/** Counts time that goes by, and of that the time in which somebody was there. */
class AttentionClock {
  constructor() {
    this.present = true;
    this.aside = this.elsewhere = false;
    this.start();
  }

  get wallMs() {
    return Math.round(performance.now() - this.started);
  }

  get activeMs() {
    return Math.round(this.active + this.thought());
  }

  /** Count from 0 again. */
  start() {
    this.started = this.touched = performance.now();
    this.active = 0;
    this.elsewhere = false;
  }

  /** Note that something else is on show, or that this is again. */
  setAside(aside) {
    this.touch();
    this.aside = aside;
  }

  /** Note that another page was opened on purpose: to go there now is to be at it. */
  goElsewhere() {
    this.touch();
    this.elsewhere = true;
  }

  /** Note that something was done. */
  touch() {
    this.active += this.thought();
    this.touched = performance.now();
  }

  /** Note that the page is looked at, or something else. */
  beThere(there) {
    this.touch();
    this.present = there || this.elsewhere;
    this.elsewhere = this.elsewhere && !there;
  }

  thought() {
    const counts = this.present && !this.aside;
    return counts ? Math.min(performance.now() - this.touched, LONGEST_THOUGHT_MS) : 0;
  }
}

/** Follows which keys are down. */
class PressedKeys {
  constructor() {
    this.down = new Map(); // keys with the times of their newest presses
    this.repeats = this.othersDown = this.lost = false;
  }

  press(event) {
    this.repeats = event.repeat;
    this.othersDown = this.lost = false;
    if (MODIFIERS.has(event.key)) return;
    const now = performance.now();
    for (const [code, seen] of this.down) {
      if (now - seen >= FORGOTTEN_MS) this.down.delete(code);
    }
    this.lost = this.down.has(event.code) && !event.repeat;
    this.othersDown = [...this.down.keys()].some((code) => code !== event.code);
    this.down.set(event.code, now);
  }

  release(event) {
    this.down.delete(event.code);
  }

  /** Forget all keys, whose releases go to another window. */
  forget() {
    this.down.clear();
  }
}

/** Lets a press count once, and as an answer only to what could be seen. */
class AnswerGuard {
  constructor() {
    this.keys = new PressedKeys();
    this.drawnAt = null;
  }

  get pauseMs() {
    const stored = preferences.read("pause");
    return stored === null ? PAUSE_MS : Number(stored);
  }

  /** Note that a pair comes on show; the time counts from when it is drawn. */
  expectDrawing() {
    this.drawnAt = null;
    delete document.body.dataset.drawn;
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        this.drawnAt = performance.now();
        document.body.dataset.drawn = "";
      }),
    );
  }

  /** Return why a key that was pressed does not count as an answer; "" if it does. */
  refuseKey() {
    return this.keys.othersDown || this.keys.lost
      ? tr("Not counted: a key was still down. Release all keys, then press again.")
      : "";
  }

  /** Return why what is on show may not be answered now; "" if it may. */
  refuseAnswer() {
    const pause = this.pauseMs;
    const seen = this.drawnAt !== null && performance.now() - this.drawnAt >= pause;
    return seen
      ? ""
      : tr("Not counted: this had been on show for less than {pause} ms. Press again.", { pause });
  }
}
