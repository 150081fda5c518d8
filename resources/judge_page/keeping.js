// Where rows are kept: in the browser's own database, on the disk before the next pair shows.

const DATABASE = "termexplorer-judge";
const ROWS = "rows";

/**
 * The rows of one pack in this browser.
 *
 * Attributes: `keeps`, whether they are still there when the page is opened again.
 */
class RowStore {
  constructor(packHash) {
    this.packHash = packHash;
    this.database = null;
  }

  get keeps() {
    return this.database !== null;
  }

  /** Open the database and return the rows that are in it; none where the browser has none. */
  async load() {
    try {
      this.database = await this.openDatabase();
      const range = IDBKeyRange.bound([this.packHash, 0], [this.packHash, Infinity]);
      return await this.ask("readonly", (rows) => rows.getAll(range));
    } catch {
      this.database = null;
      return [];
    }
  }

  /**
   * Write a row to the disk.
   *
   * Throws an error of the name ConstraintError where another page has written one of that number.
   */
  async add(row) {
    if (this.keeps) await this.ask("readwrite", (rows) => rows.add(row, [this.packHash, row.id]));
  }

  openDatabase() {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(DATABASE, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(ROWS);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(new Error("blocked"));
    });
  }

  ask(mode, call) {
    return new Promise((resolve, reject) => {
      const transaction = this.database.transaction(ROWS, mode, { durability: "strict" });
      const request = call(transaction.objectStore(ROWS));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(request.error || transaction.error);
    });
  }
}

/** What this browser remembers of the look of the page; nothing where it remembers nothing. */
const preferences = {
  read(name) {
    try {
      return localStorage.getItem(`${DATABASE}/${name}`);
    } catch {
      return null;
    }
  },
  write(name, value) {
    try {
      localStorage.setItem(`${DATABASE}/${name}`, value);
    } catch {
      // it counts for as long as the page is open
    }
  },
};
