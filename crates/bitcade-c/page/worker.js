// A game's module in a worker: answers calls of exported functions, one after the other.
// Numbers pass as they are, as bigint where the function takes 64 bits; a text or bytes pass
// through the library's buffer, and their length is the argument.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @type {any} */
let library;
const file = `${self.name}.wasm`;
const ready = fetch(file)
  .then((response) => {
    if (!response.ok) throw new Error(`${file}: ${response.status} ${response.statusText}`);
    return response.arrayBuffer();
  })
  .then((bytes) => WebAssembly.instantiate(bytes, {}))
  .then(({ instance }) => {
    library = instance.exports;
  });

/** @param {number} pointer @param {number} length */
const memory = (pointer, length) => new Uint8Array(library.memory.buffer, pointer, length);

/** @param {number} pointer */
function textAt(pointer) {
  const rest = new Uint8Array(library.memory.buffer, pointer);
  return decoder.decode(rest.subarray(0, rest.indexOf(0)));
}

/** @param {any} argument */
function passed(argument) {
  if (typeof argument === "number" || typeof argument === "bigint") return argument;
  const bytes = typeof argument === "string" ? encoder.encode(argument) : argument;
  const pointer = library.bitcade_buffer(bytes.length);
  if (pointer === 0) throw new Error(textAt(library.bitcade_last_error()));
  memory(pointer, bytes.length).set(bytes);
  return BigInt(bytes.length);
}

/** @param {string} call @param {any[]} values */
function call(call, ...values) {
  const result = library[call](...values.map(passed));
  if (result === -1n) throw new Error(textAt(library.bitcade_last_error()));
  return result;
}

const written = () => textAt(library.bitcade_buffer(0));

/** Copies the first bytes of the buffer. @param {number} length */
const bytes = (length) => memory(library.bitcade_buffer(length), length).slice();

/** @param {number[]} ranks */
const boardText = (ranks) => {
  const side = Math.sqrt(ranks.length);
  const row = (/** @type {number} */ y) => ranks.slice(y * side, (y + 1) * side);
  const rows = Array.from({ length: side }, (_, y) => row(y));
  return rows.map((row) => row.map((rank) => (rank ? 2 ** rank : ".")).join(" ")).join("\n");
};

/** Work of many calls, so that a message carries it. @type {Record<string, (...values: any[]) => any>} */
const jobs = {
  /** The values of the four moves of 2048 boards; null for an illegal one. */
  values(/** @type {number[][]} */ boards, /** @type {number} */ depth) {
    return boards.map((ranks) => {
      const game = call("bitcade_2048_from_board", boardText(ranks), 1n);
      try {
        if (call("bitcade_2048_legal_moves", game) === 0n) return [null, null, null, null];
        call("bitcade_2048_evaluate", game, depth);
        const values = [0, 1, 2, 3].map((move) => library.bitcade_2048_value(game, move));
        return values.map((value) => (Number.isNaN(value) ? null : value));
      } finally {
        call("bitcade_free", game);
      }
    });
  },
  /** The network's next moves on a board of 2048, with the boards after them. */
  line(/** @type {number[]} */ ranks, /** @type {number} */ depth, /** @type {number} */ count) {
    const game = call("bitcade_2048_from_board", boardText(ranks), 1n);
    const steps = [];
    while (steps.length < count && call("bitcade_2048_legal_moves", game) !== 0n) {
      const move = Number(call("bitcade_2048_evaluate", game, depth));
      call("bitcade_2048_play", game, move);
      call("bitcade_2048_ranks", game);
      steps.push({ move, ranks: [...bytes(ranks.length)] });
    }
    const gain = Number(call("bitcade_2048_score", game));
    call("bitcade_free", game);
    return { steps, gain };
  },
  /** A playtest's report without its long list of scores. */
  playtest(/** @type {any[]} */ ...values) {
    call("bitcade_match3_playtest", ...values);
    const { scores: _, ...report } = JSON.parse(written());
    return report;
  },
  /** Milliseconds of a call on fresh games, repeated for a while. */
  time(
    /** @type {[string, any[]]} */ make,
    /** @type {[string, any[]]} */ run,
    /** @type {number} */ milliseconds,
  ) {
    let spent = 0;
    let moves = 0;
    let count = 0;
    while (spent < milliseconds) {
      const game = call(make[0], ...make[1].map((v) => (v === "seed" ? BigInt(count) : v)));
      const start = performance.now();
      call(run[0], game, ...run[1]);
      spent += performance.now() - start;
      if (run[0] === "bitcade_2048_play_out") moves += Number(call("bitcade_2048_moves", game));
      count++;
      call("bitcade_free", game);
    }
    return { spent, count, moves };
  },
};

self.onmessage = async ({ data: { id, kind, name, values } }) => {
  try {
    await ready;
    let result;
    if (kind === "job") {
      result = jobs[name](...values);
    } else {
      result = call(name, ...values);
      if (kind === "text") result = written();
      else if (kind === "number") result = Number(result);
      else if (typeof kind === "number") result = [Number(result), bytes(kind * Number(result))];
    }
    self.postMessage({ id, result });
  } catch (error) {
    self.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
};
