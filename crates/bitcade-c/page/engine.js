/** A game's library in a worker of its own. Handles are bigints, as are all 64-bit arguments. */
export class Engine {
  /** @param {string} game */
  constructor(game) {
    /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
    this.waiting = new Map();
    this.last = 0;
    this.worker = new Worker("worker.js", { type: "module", name: game });
    this.worker.onmessage = ({ data }) => {
      const call = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.error === undefined) call?.resolve(data.result);
      else call?.reject(new Error(data.error));
    };
    this.worker.onerror = () => this.fail("the worker could not start");
  }

  /** @param {string} reason */
  fail(reason) {
    for (const call of this.waiting.values()) call.reject(new Error(reason));
    this.waiting.clear();
  }

  /** @param {string | number} kind @param {string} name @param {any[]} values @returns {Promise<any>} */
  send(kind, name, values) {
    return new Promise((resolve, reject) => {
      this.waiting.set(++this.last, { resolve, reject });
      this.worker.postMessage({ id: this.last, kind, name, values });
    });
  }

  /** @param {string} name @param {any[]} values @returns {Promise<bigint>} */
  handle(name, ...values) {
    return this.send("handle", name, values);
  }

  /** @param {string} name @param {any[]} values @returns {Promise<number>} */
  number(name, ...values) {
    return this.send("number", name, values);
  }

  /** What a function writes. @param {string} name @param {any[]} values @returns {Promise<string>} */
  text(name, ...values) {
    return this.send("text", name, values);
  }

  /** @param {string} name @param {any[]} values */
  async json(name, ...values) {
    return JSON.parse(await this.text(name, ...values));
  }

  /**
   * The number that a function returns, and the bytes it writes: `size` for each.
   * @param {number} size @param {string} name @param {any[]} values
   * @returns {Promise<[number, Uint8Array]>}
   */
  bytes(size, name, ...values) {
    return this.send(size, name, values);
  }

  /** @param {string} name @param {any[]} values */
  job(name, ...values) {
    return this.send("job", name, values);
  }
}
