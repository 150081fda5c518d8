// Sends the rows of the log to the service that the page came from. The judge never waits for it:
// rows are kept in the browser first, and go out whenever the service can be reached.

const SHORTEST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;
const TOKEN_HEADER = "X-Judge-Token"; // no other site can send it

class Sender {
  constructor(judging, { url, token }) {
    this.judging = judging;
    this.url = url;
    this.token = token;
    this.sent = 0; // rows that the service has on its disk
    this.busy = this.refused = false;
    this.waitMs = SHORTEST_WAIT_MS;
    this.onChange = () => {};
    window.addEventListener("online", () => this.wake());
  }

  get unsent() {
    return this.judging.rows.length - this.sent;
  }

  /** Return the rows that the service has; none where it cannot be reached. */
  async fetchRows() {
    try {
      const response = await this.ask("GET");
      return (await response.json()).rows;
    } catch {
      return [];
    }
  }

  /** Send what was not sent, unless that is being done. */
  async wake() {
    if (this.busy || this.refused) return;
    this.busy = true;
    try {
      while (this.unsent > 0) await this.sendRows();
      this.waitMs = SHORTEST_WAIT_MS;
    } catch {
      setTimeout(() => this.wake(), this.waitMs);
      this.waitMs = Math.min(this.waitMs * 2, LONGEST_WAIT_MS);
    }
    this.busy = false;
    this.onChange();
  }

  async sendRows() {
    const after = this.sent;
    const rows = this.judging.listFileRows().slice(after, after + 500);
    const response = await this.ask("POST", JSON.stringify({ after, rows }));
    if (response.status === 409) {
      const { count } = await response.json();
      if (count >= after) this.refused = true; // it has other answers, of another browser
      this.sent = Math.min(count, after);
    } else if (response.ok) {
      this.sent = (await response.json()).count;
    } else {
      this.refused = response.status < 500;
    }
    if (this.refused) throw new Error(`${response.status}`);
    if (!response.ok && response.status !== 409) throw new Error(`${response.status}`);
  }

  ask(method, body) {
    const headers = { [TOKEN_HEADER]: this.token };
    if (body) headers["Content-Type"] = "application/json";
    return fetch(this.url, { method, headers, body, cache: "no-store", redirect: "error" });
  }
}

/** Begin to send, first taking over what another browser sent of the same judge. */
async function startSending(screen) {
  const { judging, data, store } = screen;
  const sender = new Sender(judging, data.send);
  const known = await sender.fetchRows();
  const here = judging.listFileRows();
  sender.refused = known.some((row, index) => here[index] && here[index].link !== row.link);
  if (!sender.refused) {
    for (const told of known.slice(here.length)) {
      const row = judging.rebuildRow(told);
      await store.add(row);
      judging.add(row);
    }
    sender.sent = known.length;
  }
  screen.sender = sender;
  sender.onChange = () => showSending(screen);
  sender.wake();
}

/** Say how much waits to be sent. */
function showSending(screen) {
  const { unsent, refused } = screen.sender;
  const text = refused
    ? tr("Not sent: the service has other answers of yours. Save your answers, and ask who sent the link.")
    : unsent
      ? trn("{n:,} answer waits to be sent", "{n:,} answers wait to be sent", unsent)
      : tr("All answers are sent");
  element("sending").textContent = text;
}
