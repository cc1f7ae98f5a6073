// Asks again and again, sooner while there is news; goes on by itself when the server is back.

const USUAL_MS = 2000;
const LOADING_MS = 400;
const LONGEST_MS = 10_000;
const HIDDEN_MS = 30_000;

export class Polling {
  // `ask` resolves to how soon to ask again: "soon" or anything else; what it throws is a failure.
  constructor(ask, onFailure) {
    this.ask = ask;
    this.onFailure = onFailure;
    this.failures = 0;
    this.timer = null;
    this.turn = 0;
    document.addEventListener("visibilitychange", () => document.hidden || this.now());
    addEventListener("online", () => this.now());
  }

  now() {
    clearTimeout(this.timer);
    this.turn += 1;
    return this.run(this.turn);
  }

  stop() {
    clearTimeout(this.timer);
    this.turn += 1;
  }

  async run(turn) {
    let wait;
    try {
      const when = await this.ask(() => turn === this.turn);
      this.failures = 0;
      wait = when === "soon" ? LOADING_MS : document.hidden ? HIDDEN_MS : USUAL_MS;
    } catch (error) {
      if (turn !== this.turn) return;
      this.failures += 1;
      wait = Math.min(1000 * 2 ** (this.failures - 1), LONGEST_MS);
      this.onFailure(error, wait);
    }
    if (turn === this.turn) this.timer = setTimeout(() => this.run(turn), wait);
  }
}
