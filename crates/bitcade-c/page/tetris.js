/** Tetris: a board with its placements and the bot's values, and play against the bot. */
import { Engine } from "./engine.js";
import { $, attempt, click, element, grid, inOrder, pause, say, seed, share, whole } from "./page.js";

const [WIDTH, HEIGHT, SHOWN] = [10, 20, 22];
const PIECES = "IOTSZJL";
/** About a second. */
const PERFECT_CLEAR_NODES = 2_000_000n;
const SPINS = ["", "mini spin", "spin"];
const KEYS = ["left", "right", "soft-drop", "hard-drop", "cw", "ccw", "hold"];
const KEY_CODES = /** @type {Record<string, number>} */ ({
  ArrowLeft: 0, ArrowRight: 1, ArrowDown: 2, Space: 3, ArrowUp: 4, KeyX: 4, KeyZ: 5, KeyC: 6, ShiftLeft: 6,
});

const engine = new Engine("tetris");
const order = inOrder();
/** Row 0 is the floor. @type {boolean[][]} */
let board = emptyBoard();
/** @type {bigint | undefined} */
let game;
/** @type {{turn: number, value: number, depth: number, hold: boolean, piece: string, spin: number, cells: number[][], name: string, keys: string}[]} */
let ranked = [];
/** The placement that is shown, or -1. */
let shown = -1;
let position = 0;

function emptyBoard() {
  return Array.from({ length: 40 }, () => Array(WIDTH).fill(false));
}

const cells = grid($("field"), WIDTH, HEIGHT, (x, y) => {
  const row = HEIGHT - 1 - y;
  board[row][x] = !board[row][x];
  paint();
  change();
});

/** Ranks the placements after the last of several changes. */
function change() {
  const mine = ++position;
  order(() => (mine === position ? changed() : undefined));
}

/** @param {boolean[][]} rows */
const boardText = (rows) => {
  const height = rows.findLastIndex((row) => row.some(Boolean)) + 1;
  const lines = rows.slice(0, Math.max(height, 1)).map((row) => row.map((full) => (full ? "#" : ".")).join(""));
  return lines.reverse().join("\n");
};

/** @param {string} text */
function readBoard(text) {
  const rows = emptyBoard();
  text.split("\n").reverse().forEach((line, y) => [...line].forEach((c, x) => (rows[y][x] = c === "#")));
  return rows;
}

function paint() {
  const turn = ranked[shown];
  cells.forEach((cell, i) => {
    const [x, y] = [i % WIDTH, HEIGHT - 1 - Math.floor(i / WIDTH)];
    const isPiece = turn?.cells.some(([cx, cy]) => cx === x && cy === y);
    cell.dataset.piece = isPiece ? turn.piece : board[y][x] ? "#" : "";
    cell.classList.toggle("ghost", Boolean(isPiece));
    cell.ariaLabel = `column ${x + 1}, row ${y + 1}: ${isPiece ? turn.piece : board[y][x] ? "full" : "empty"}`;
  });
}

/** @param {string} id */
const letters = (id) => {
  const text = $(id).value.toUpperCase().replaceAll(/\s/g, "");
  const wrong = [...text].find((letter) => !PIECES.includes(letter));
  if (wrong) throw new Error(`${$(id).labels[0].textContent.trim()}: found ${wrong}, expected letters of ${PIECES}`);
  return text;
};

/** The drawn position as a saved game. */
async function saved() {
  const queue = letters("queue") || "T";
  const held = letters("held").slice(0, 1);
  const fresh = await engine.handle("bitcade_tetris_new", 1n);
  const text = await engine.text("bitcade_tetris_save", fresh);
  await engine.number("bitcade_free", fresh);
  // The generator's numbers don't fit JavaScript's: they stay text.
  const rng = text.slice(text.indexOf('"rng":'));
  const state = JSON.parse(text).game;
  Object.assign(state, { board: boardText(board), queue: queue.slice(0, 16), hold: held || null });
  state.rules.next = Math.min(queue.length, 16) - 1;
  state.back_to_back = $("b2b").checked ? 1 : 0;
  return `{"game":${JSON.stringify(state)},${rng}`;
}

/** Ranks the placements of the position. */
async function changed() {
  const mine = ++position;
  shown = -1;
  ranked = [];
  paint();
  share("tetris", { fumen: await fumen([{ board: boardText(board), comment: quiz() }]) });
  const made = await engine.handle("bitcade_tetris_resume", await saved());
  if (game !== undefined) await engine.number("bitcade_free", game);
  game = made;
  const nodes = BigInt($("nodes").value);
  const start = performance.now();
  const found = await engine.json("bitcade_tetris_rank", game, nodes);
  const spent = performance.now() - start;
  const [count, bytes] = await engine.bytes(14, "bitcade_tetris_legal_turns", game);
  if (mine !== position) return;
  ranked = found.map((/** @type {any} */ { turn, value, depth }) => {
    const at = bytes.subarray(14 * turn);
    const parts = [0, 1, 2, 3].map((i) => [at[6 + 2 * i], at[7 + 2 * i]]);
    return { turn, value, depth, hold: at[0] === 1, piece: PIECES[at[1]], spin: at[5], cells: parts, name: "", keys: "" };
  });
  const spins = ranked.filter(({ spin }) => spin > 0).length;
  $("placements-note").textContent =
    `${count} placements, ${spins} of them spins; searched in ${spent.toFixed(0)} ms`;
  await list(mine);
}

/** @param {number} mine */
async function list(mine) {
  const rows = [];
  for (const [i, turn] of ranked.slice(0, Number($("all").checked ? ranked.length : 8)).entries()) {
    turn.keys = await engine.text("bitcade_tetris_keys", game, turn.turn);
    turn.name = await engine.text("bitcade_tetris_turn_text", game, turn.turn);
    if (mine !== position) return;
    const button = element("button", { type: "button", className: "link" }, turn.name);
    button.onclick = () => order(() => place(i));
    const show = () => {
      shown = i;
      paint();
    };
    const value = ((ranked[0].value - turn.value) / 100).toFixed(2);
    const row = element("tr", { onpointerenter: show }, element("td", {}, button),
      element("td", {}, i === 0 ? "best" : turn.depth < ranked[0].depth ? "dead end" : value),
      element("td", {}, SPINS[turn.spin]), element("td", { className: "keys" }, turn.keys));
    button.onfocus = show;
    rows.push(row);
  }
  $("placements").replaceChildren(...rows);
  shown = ranked.length ? 0 : -1;
  paint();
}

/** Plays a placement, and takes the position after it. @param {number} i */
async function place(i) {
  const result = await engine.json("bitcade_tetris_play", game, ranked[i].turn);
  const state = JSON.parse(await engine.text("bitcade_tetris_save", game)).game;
  board = readBoard(state.board);
  // The last piece was drawn by chance.
  $("queue").value = state.queue.slice(0, -1);
  $("held").value = state.hold ?? "";
  $("b2b").checked = state.back_to_back > 0;
  const { lines, spin, perfect } = result.clear;
  say(`${ranked[i].name}: ${lines} lines${spin === "none" ? "" : `, ${spin} spin`}${perfect ? ", perfect clear" : ""}, attack ${result.attack}`);
  if ($("queue").value === "") {
    $("queue").value = state.queue.slice(-1);
    say(`${$("status").textContent}. The queue was used up: ${state.queue.slice(-1)} was drawn.`);
  }
  await changed();
}

/** @param {{board: string, piece?: any, comment?: string}[]} pages */
const fumen = (pages) => engine.text("bitcade_fumen_encode",
  JSON.stringify(pages.map(({ board, piece, comment }) => ({ board, piece: piece ?? null, comment: comment ?? null }))));

/** The queue as fumens write it. */
function quiz() {
  const [queue, held] = [letters("queue"), letters("held").slice(0, 1)];
  return queue ? `#Q=[${held}](${queue[0]})${queue.slice(1)}` : undefined;
}

/** Plays the bot's line to the end of the queue. */
async function line() {
  const copy = await engine.handle("bitcade_tetris_resume", await saved());
  const count = Math.max(1, letters("queue").length);
  const nodes = BigInt($("nodes").value);
  const best = async (/** @type {number} */ i) =>
    i < count && (await engine.number("bitcade_tetris_is_over", copy)) === 0
      ? engine.number("bitcade_tetris_best", copy, nodes) : undefined;
  await write(copy, "line", best);
}

/** Plays a perfect clear of at most four lines. */
async function perfectClear() {
  const copy = await engine.handle("bitcade_tetris_resume", await saved());
  const start = performance.now();
  /** @type {number[]} */
  let turns;
  try {
    turns = await engine.json("bitcade_tetris_perfect_clear", copy, 4, PERFECT_CLEAR_NODES);
  } catch (error) {
    await engine.number("bitcade_free", copy);
    say(`No perfect clear of up to 4 lines found: ${/** @type {Error} */ (error).message}.`);
    return;
  }
  const spent = `${(performance.now() - start).toFixed(0)} ms`;
  if (turns.length > 0) return write(copy, "perfect clear", async (i) => turns[i]);
  await engine.number("bitcade_free", copy);
  say(`The queue makes no perfect clear of up to 4 lines (${spent}).`);
}

/**
 * Plays turns on a copy of the position, as the pages of a fumen.
 * @param {bigint} copy @param {string} name @param {(i: number) => Promise<number | undefined>} choose
 */
async function write(copy, name, choose) {
  const pages = [];
  const names = [];
  let attack = 0;
  for (let i = 0, turn; (turn = await choose(i)) !== undefined; i++) {
    const before = await engine.text("bitcade_tetris_board", copy);
    const [, bytes] = await engine.bytes(14, "bitcade_tetris_legal_turns", copy);
    const at = new Int8Array(bytes.buffer, 14 * turn, 14);
    const orientation = ["north", "east", "south", "west"][at[2]];
    pages.push({ board: before, piece: { piece: PIECES[at[1]], orientation, x: at[3], y: at[4] },
      comment: i === 0 ? quiz() : undefined });
    names.push(await engine.text("bitcade_tetris_turn_text", copy, turn));
    attack += (await engine.json("bitcade_tetris_play", copy, turn)).attack;
  }
  pages.push({ board: await engine.text("bitcade_tetris_board", copy) });
  await engine.number("bitcade_free", copy);
  $("fumen").value = await fumen(pages);
  say(`${names.join("; ")}: attack ${attack}. The ${name}'s fumen is in the text field.`);
}

/** @param {string} text */
async function read(text) {
  const pages = await engine.json("bitcade_fumen_decode", text);
  const page = pages[0];
  const found = readBoard(page.board);
  board = found;
  const parts = /#Q=\[(\w?)\]\((\w?)\)(\w*)/.exec(page.comment ?? "");
  if (parts) {
    $("held").value = parts[1];
    $("queue").value = parts[2] + parts[3];
  } else if (page.piece) $("queue").value = page.piece.piece;
  say(pages.length > 1 ? `The first of ${pages.length} pages.` : "");
  await changed();
}

// ---- Play against the bot ----

const bot = new Engine("tetris");
const mine = grid($("mine"), WIDTH, SHOWN);
const theirs = grid($("theirs"), WIDTH, SHOWN);
/** Counts matches, so that an old one ends. */
let match = 0;
/** Presses and releases since the last tick. @type {[number, number][]} */
let pressed = [];

/** @param {HTMLElement[]} field @param {string} text @param {any} [falling] @param {any} [ghost] */
function paintGame(field, text, falling, ghost) {
  const rows = readBoard(text);
  field.forEach((cell, i) => {
    const [x, y] = [i % WIDTH, SHOWN - 1 - Math.floor(i / WIDTH)];
    const isIn = (/** @type {any} */ piece) => piece?.cells.some((/** @type {number[]} */ c) => c[0] === x && c[1] === y);
    const isFalling = isIn(falling);
    const isGhost = !isFalling && isIn(ghost);
    const piece = isFalling || isGhost ? falling.piece : rows[y][x] ? "#" : "";
    if (cell.dataset.piece !== piece) cell.dataset.piece = piece;
    cell.classList.toggle("ghost", isGhost);
  });
}

async function versus() {
  if (match % 2 === 1) return endMatch("Stopped.");
  const current = ++match;
  const drawn = seed() >> 1n;
  const me = await engine.handle("bitcade_realtime_new", drawn);
  const it = await bot.handle("bitcade_tetris_new", drawn);
  pressed = [];
  $("versus").textContent = "Stop";
  $("mine").focus();
  say("Arrows move, up and Z rotate, space drops, C holds.");
  const column = () => Math.floor(Math.random() * WIDTH);
  const think = async () => {
    for (let due = performance.now(); current === match; ) {
      due += 1000 / Number($("pace").value);
      if ((await bot.number("bitcade_tetris_is_over", it)) === 1) return endMatch("You win.");
      const best = await bot.number("bitcade_tetris_best", it, 2000n);
      const result = await bot.json("bitcade_tetris_play", it, best);
      paintGame(theirs, await bot.text("bitcade_tetris_board", it));
      if (current !== match) return;
      if (result.sent) await engine.number("bitcade_realtime_receive", me, result.sent, column());
      await pause(Math.max(0, due - performance.now()));
    }
  };
  const tick = async () => {
    let last = performance.now();
    while (current === match) {
      const now = await new Promise((resolve) => requestAnimationFrame(resolve));
      const ticks = Math.max(0, Math.min(10, Math.floor(((now - last) * 60) / 1000)));
      last += (ticks * 1000) / 60;
      if (now - last > 200) last = now;
      const keys = pressed;
      pressed = [];
      for (const [key, down] of keys) engine.number("bitcade_realtime_key", me, key, down);
      const screen = await engine.json("bitcade_realtime_tick", me, ticks);
      if (current !== match) return;
      paintGame(mine, screen.board, screen.falling, screen.ghost);
      const waits = screen.garbage ? `, ${screen.garbage} garbage waits` : "";
      $("match-note").textContent =
        `Hold ${screen.held ?? "–"}, next ${screen.next.join(" ")}; ${whole(screen.score)} points, ${screen.lines} lines, level ${screen.level}${waits}`;
      if (screen.is_over) return endMatch("The bot wins.");
      if (screen.sent && (await bot.number("bitcade_tetris_is_over", it)) === 0) {
        await bot.number("bitcade_tetris_receive", it, screen.sent, column());
      }
    }
  };
  attempt(think);
  attempt(tick);
}

/** @param {string} text */
function endMatch(text) {
  if (match % 2 === 1) match++;
  $("versus").textContent = "Play against the bot";
  say(text);
}

/** @param {KeyboardEvent} event @param {number} down */
function key(event, down) {
  const number = KEY_CODES[event.code];
  if (match % 2 === 0 || number === undefined || $("tetris").hidden) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest("textarea, input, select, button")) return;
  event.preventDefault();
  if (!event.repeat) pressed.push([number, down]);
}
addEventListener("keydown", (event) => key(event, 1));
addEventListener("keyup", (event) => key(event, 0));
for (const [number, name] of KEYS.entries()) {
  const button = $(`key-${name}`);
  button.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    event.preventDefault();
    pressed.push([number, 1]);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    button.addEventListener(end, () => pressed.push([number, 0]));
  }
}

for (const id of ["queue", "held", "b2b", "nodes", "all"]) {
  $(id).addEventListener("change", change);
}
click("read-fumen", () => order(() => read($("fumen").value)));
click("write-fumen", async () => {
  $("fumen").value = await fumen([{ board: boardText(board), comment: quiz() }]);
});
click("clear-board", () => {
  board = emptyBoard();
  change();
});
click("line-tetris", () => order(line));
click("perfect-clear", () => order(perfectClear));
click("place", () => order(() => {
  if (ranked.length === 0) throw new Error("no placement is left");
  return place(0);
}));
click("versus", versus);

/** @param {URLSearchParams} state */
export async function open(state) {
  const text = state.get("fumen");
  if (text === null) {
    if (game === undefined) await changed();
    return;
  }
  try {
    await read(text);
  } catch (error) {
    if (game === undefined) await changed();
    throw new Error(`the address's fumen: ${/** @type {Error} */ (error).message}`);
  }
}

export function close() {
  if (match % 2 === 1) endMatch("");
}
