// What is read between pairs, and how far somebody is: as views/judging/words.py says it.

const MINUTE = 60; // seconds

/** Return how far somebody is, at which pace, and how long the rest will take. */
function describeProgress(progress) {
  const practising = progress.practised < progress.practice && !progress.judged;
  const parts = [
    practising
      ? tr("Practice: {done} of {all}", { done: progress.practised, all: progress.practice })
      : tr("{done:,} of {all:,}", { done: progress.judged, all: progress.asked }),
  ];
  if (progress.skipped) parts.push(tr("{skipped:,} for later", { skipped: progress.skipped }));
  if (progress.secondsAPair !== null) {
    const seconds = Math.max(1, Math.round(progress.secondsAPair));
    parts.push(tr("{seconds} s a pair", { seconds }));
  }
  if (progress.secondsLeft) {
    parts.push(tr("{time} left", { time: describeTime(progress.secondsLeft) }));
  }
  return parts.join(" · ");
}

function describeTime(seconds) {
  const minutes = Math.round(seconds / MINUTE);
  if (minutes < 1) return tr("less than a minute");
  if (minutes < 2 * MINUTE) return tr("about {minutes} min", { minutes });
  const rounded = Math.round(minutes / 10) * 10;
  const [hours, rest] = [Math.floor(rounded / MINUTE), rounded % MINUTE];
  if (!rest) return tr("about {hours} h", { hours });
  return tr("about {hours} h {minutes} min", { hours, minutes: rest });
}

/** Return what there is of somebody's answers, and what is missing. */
function describeAnswers(progress) {
  const { judged, asked, skipped, practised, practice } = progress;
  const parts = [tr("{done:,} of {all:,} pairs are judged", { done: judged, all: asked })];
  if (skipped) parts.push(tr("{skipped:,} put off", { skipped }));
  const unseen = asked + practice - judged - practised - skipped;
  if (unseen) parts.push(tr("{unseen:,} not shown yet", { unseen }));
  return parts.join("; ");
}

/** Return an answer in words, also that a pair was put off. */
function nameAnswer(answer) {
  return answer === SKIPPED ? tr("put off") : answer;
}

// Each sheet is a heading, a text, what the way on is called ("" for none), whether the guidelines
// stand below, whether saving is offered, and whether one may take back from there.

function welcomeSheet(judging, { keeps, sends }) {
  const progress = judging.progress();
  const { question, title, annotator } = judging.content;
  const began = judging.answers.size > 0;
  let number = trn("There is {n:,} pair.", "There are {n:,} pairs.", progress.asked);
  if (began) {
    number = tr("{told}. You go on where you stopped.", { told: describeAnswers(progress) });
  } else if (progress.practice) {
    number = trn(
      "The first pair is to practise and does not count; {asked:,} follow.",
      "The first {n:,} pairs are to practise and do not count; {asked:,} follow.",
      progress.practice,
      { asked: progress.asked },
    );
  }
  const you = tr("You judge as {annotator}.", { annotator });
  const text = `${you} ${question}\n\n${number}\n\n${describeKeeping(keeps, sends)}`;
  return { heading: title, text, goOn: began ? tr("Go on") : tr("Start"), guidelines: true };
}

function describeKeeping(keeps, sends) {
  const sent = sends
    ? tr("Your answers are sent to who asked you, and can be saved as a file as well.")
    : tr("Nothing is sent anywhere: at the end you save your answers as a file, and send that back.");
  const stored = keeps
    ? tr(
        "Each answer is kept at once, in this browser: close whenever you like, and open the same page again to go on.",
      )
    : tr(
        "This browser keeps nothing: save your answers before you close this page, and open the saved file here to go on.",
      );
  return `${stored} ${sent}`;
}

function guidelinesSheet(question, pairWaits) {
  const goOn = pairWaits ? tr("Back to the pair") : tr("Back");
  return { heading: tr("Guidelines"), text: question, goOn, guidelines: true };
}

function feedbackSheet(turn, said, isLast) {
  const answer = turn.rightAnswer;
  const heading =
    said === answer
      ? tr("✓ {answer} is right", { answer })
      : tr("✗ {answer} is right, not {said}", { answer, said });
  const goOn = isLast ? tr("Go on") : tr("Next pair");
  return { heading, text: `${turn.left}\n${turn.right}`, goOn, back: true };
}

function practiceOverSheet(progress) {
  const pairs = trn("{n:,} pair", "{n:,} pairs", progress.asked);
  const text = tr(
    "From here on your answers count: {pairs}. Read the guidelines again, if you like; F1 shows them at any time.",
    { pairs },
  );
  return { heading: tr("Practice is over"), text, goOn: tr("Begin"), guidelines: true, back: true };
}

function shownOnceSheet(progress) {
  const text = tr("{told}. Those now come back.", { told: describeAnswers(progress) });
  return { heading: tr("All were shown once"), text, goOn: tr("Go on"), save: true, back: true };
}

function endSheet(judging, sends) {
  const told = describeAnswers(judging.progress());
  const text = sends
    ? tr("{told}. Backspace takes the last one back, and F2 shows all of them.", { told })
    : tr(
        "{told}. Save your answers, and send the file to who asked you. Backspace takes the last one back, and F2 shows all of them.",
        { told },
      );
  return { heading: tr("All is judged. Thank you!"), text, goOn: "", save: true, back: true };
}
