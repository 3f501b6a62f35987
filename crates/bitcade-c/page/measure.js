/** The engines' speed on this device. */
import { Engine } from "./engine.js";
import { $, click, element, say, whole } from "./page.js";

const MILLISECONDS = 400;
const LEVEL = "levels/01-meadow.toml";

/** @type {[string, (done: (text: string) => void) => Promise<void>][]} */
const rows = [
  ["2048: moves of random play a second, one game", async (done) => {
    const timed = await time("g2048", ["bitcade_2048_new", [4, 4, "seed"]], ["bitcade_2048_play_out", []]);
    done(whole((timed.moves * 1000) / timed.spent));
  }],
  ["2048: evaluations by the network a second, 3 moves ahead", async (done) => {
    const engine = new Engine("g2048");
    const response = await fetch("2048.net");
    await engine.number("bitcade_2048_read_network", new Uint8Array(await response.arrayBuffer()));
    const board = [1, 3, 6, 10, 2, 4, 5, 9, 1, 2, 3, 4, 0, 0, 1, 0];
    const start = performance.now();
    let count = 0;
    for (; performance.now() - start < MILLISECONDS; count += 20) {
      await engine.job("values", Array(20).fill(board), 3);
    }
    done(whole((count * 1000) / (performance.now() - start)));
    engine.worker.terminate();
  }],
  ["Match-3: games of a level by a careful agent a second", async (done) => {
    const engine = new Engine("match3");
    const level = await engine.handle("bitcade_match3_level", await (await fetch(LEVEL)).text());
    const start = performance.now();
    let count = 0;
    for (let batch = 1n; performance.now() - start < MILLISECONDS; batch++, count += 8) {
      await engine.number("bitcade_match3_playtest", level, "careful", 8, batch);
    }
    done(whole((count * 1000) / (performance.now() - start)));
    engine.worker.terminate();
  }],
  ["Tetris: placements that the bot searches a second", async (done) => {
    const nodes = 50000;
    const timed = await time("tetris", ["bitcade_tetris_new", ["seed"]], ["bitcade_tetris_best", [BigInt(nodes)]]);
    done(whole((timed.count * nodes * 1000) / timed.spent));
  }],
  ["Go: playouts of a search on 9 × 9 a second", async (done) => {
    const playouts = 2000;
    const make = ["bitcade_gtp_new", [BigInt(playouts), 1, 1 << 16, "seed"]];
    const timed = await time("go", make, ["bitcade_gtp_line", ["genmove b"]]);
    done(whole((timed.count * playouts * 1000) / timed.spent));
  }],
];

/** @param {string} game @param {any} make @param {any} run */
async function time(game, make, run) {
  const engine = new Engine(game);
  const timed = await engine.job("time", make, run, MILLISECONDS);
  engine.worker.terminate();
  return timed;
}

click("run-measure", async () => {
  $("run-measure").disabled = true;
  try {
    const made = rows.map(([name]) => element("tr", {}, element("td", {}, name), element("td", {}, "")));
    $("measured").replaceChildren(...made);
    for (const [i, [name, run]] of rows.entries()) {
      say(`Measures: ${name}`);
      await run((text) => (made[i].lastChild.textContent = text));
    }
    say("");
  } finally {
    $("run-measure").disabled = false;
  }
});

export function open() {}
