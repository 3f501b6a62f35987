/** 2048: a position's moves with their values, play, and the review of a game. */
import { Engine } from "./engine.js";
import { $, attempt, click, element, grid, inOrder, pause, say, seed, share, swipes, whole } from "./page.js";

const MOVES = ["left", "right", "up", "down"];
const ARROWS = ["←", "→", "↑", "↓"];
const KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
/** Above 131072 the network has no weights. */
const MOST = 17;

const engine = new Engine("g2048");
const order = inOrder();
/** @type {bigint} */
let game;
/** @type {number[]} */
let ranks = Array(16).fill(0);
/** The boards before the current one. @type {number[][]} */
let history = [];
/** @type {Promise<void> | undefined} */
let network;
let isPlaying = false;
/** Counts positions, so that values are those of the newest. */
let position = 0;
let isEvaluating = false;

const cells = grid($("tiles"), 4, 4, (x, y, event) =>
  order(() => edit(y * 4 + x, event.shiftKey ? -1 : 1)));
const isEditing = () => $("edit").checked;

/** @param {number[]} board */
const code = (board) => board.map((rank) => rank.toString(18)).join("");

async function draw() {
  const score = await engine.number("bitcade_2048_score", game);
  cells.forEach((cell, i) => {
    const rank = ranks[i];
    cell.textContent = rank ? String(2 ** rank) : "";
    cell.dataset.rank = String(Math.min(rank, 12));
    cell.style.fontSize = `${[1, 1, 1, 0.85, 0.7, 0.6][String(2 ** rank).length - 1] ?? 0.5}em`;
    const tile = rank ? String(2 ** rank) : "empty";
    cell.ariaLabel = `row ${Math.floor(i / 4) + 1}, column ${(i % 4) + 1}: ${tile}`;
  });
  $("score-2048").textContent = whole(score);
  $("moves-2048").textContent = whole(history.length);
  share("2048", { board: code(ranks) });
  attempt(evaluate);
}

function loadNetwork() {
  network ??= (async () => {
    $("values-note").textContent = "Loading the network, 2 MB …";
    const response = await fetch("2048.net");
    if (!response.ok) throw new Error(`2048.net: ${response.status} ${response.statusText}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    await engine.number("bitcade_2048_read_network", bytes);
  })();
  network.catch(() => {
    network = undefined;
    $("values-note").textContent = "No network: values need one.";
  });
  return network;
}

const depth = () => Number($("depth").value);

/** The first of the highest values, or -1. @param {(number | null)[]} values */
const bestOf = (values) => {
  const top = Math.max(...values.map((value) => value ?? -Infinity));
  return values.findIndex((value) => value === top);
};

async function evaluate() {
  position++;
  if (isEvaluating) return;
  isEvaluating = true;
  try {
    await loadNetwork();
    // Quick moves don't wait for the values of the boards between them.
    for (let mine = -1; mine !== position; ) {
      mine = position;
      const start = performance.now();
      const [values] = await engine.job("values", [ranks], depth());
      if (mine === position) showValues(values, performance.now() - start);
    }
  } finally {
    isEvaluating = false;
  }
}

/** @param {(number | null)[]} values @param {number} spent */
function showValues(values, spent) {
  const best = bestOf(values);
  MOVES.forEach((name, i) => {
    const value = values[i];
    const row = $(`value-${name}`);
    row.classList.toggle("best", i === best);
    row.querySelector("button").disabled = value === null;
    row.querySelector(".number").textContent = value === null ? "illegal" : whole(value);
    const lost = (values[best] ?? 0) - (value ?? 0);
    row.querySelector(".lost").textContent =
      value === null ? "" : i === best ? "best" : lost < 0.5 ? "as good" : `−${whole(lost)}`;
    // A move that loses a thousand points has no bar.
    row.querySelector("meter").value = value === null ? 0 : Math.max(0, 1 - lost / 1000);
  });
  const note = best < 0 ? "No move is legal: the game is over." : "Points to come, by the network";
  $("values-note").textContent = best < 0 ? note : `${note}, ${spent.toFixed(1)} ms.`;
}

/** @param {number[]} board @param {number[][]} before */
async function set(board, before = []) {
  const text = Array.from({ length: 4 }, (_, y) =>
    board.slice(4 * y, 4 * y + 4).map((rank) => (rank ? 2 ** rank : ".")).join(" ")).join("\n");
  const made = await engine.handle("bitcade_2048_from_board", text, seed());
  await adopt(made, before);
}

/** @param {bigint} made @param {number[][]} before */
async function adopt(made, before) {
  if (game !== undefined) await engine.number("bitcade_free", game);
  game = made;
  history = before;
  await show();
}

async function show() {
  const [, bytes] = await engine.bytes(1, "bitcade_2048_ranks", game);
  ranks = [...bytes];
  await draw();
}

async function newGame() {
  stop();
  say("");
  await adopt(await engine.handle("bitcade_2048_new", 4, 4, seed()), []);
}

/** @param {number} move */
async function play(move) {
  const legal = await engine.number("bitcade_2048_legal_moves", game);
  if (((legal >> move) & 1) === 0) return;
  const before = ranks;
  await engine.number("bitcade_2048_play", game, move);
  history.push(before);
  await show();
  if ((await engine.number("bitcade_2048_legal_moves", game)) === 0) {
    say(`Game over: ${$("score-2048").textContent} points in ${history.length} moves.`);
  }
}

/** @param {number} cell @param {number} step */
async function edit(cell, step) {
  if (!isEditing()) return;
  const board = [...ranks];
  board[cell] = (board[cell] + step + MOST + 1) % (MOST + 1);
  await set(board);
}

function stop() {
  isPlaying = false;
  $("auto").textContent = "Let the network play";
}

async function auto() {
  if (isPlaying) return stop();
  isPlaying = true;
  $("auto").textContent = "Stop";
  await loadNetwork();
  while (isPlaying && (await engine.number("bitcade_2048_legal_moves", game)) !== 0) {
    await play(await engine.number("bitcade_2048_evaluate", game, depth()));
    await pause(matchMedia("(prefers-reduced-motion: reduce)").matches ? 200 : 30);
  }
  stop();
}

async function line() {
  await loadNetwork();
  const { steps, gain } = await engine.job("line", ranks, depth(), 30);
  const arrows = steps.map((/** @type {any} */ step) => ARROWS[step.move]).join(" ");
  const end = element("button", { type: "button", className: "link" }, "Go to its end");
  end.onclick = () =>
    attempt(() => set(steps[steps.length - 1].ranks, [...history, ranks]));
  const text = `${steps.length} moves, ${whole(gain)} points, with tiles drawn by chance: ${arrows} `;
  $("line-2048").replaceChildren(text, ...(steps.length ? [end] : []));
}

/** @param {number[][]} boards @param {number[]} moves the bits of the moves after each board */
async function review(boards, moves) {
  await loadNetwork();
  const start = performance.now();
  /** @type {{number: number, board: number[], played: number, best: number, lost: number}[]} */
  const blunders = [];
  let [best, lost] = [0, 0];
  const turns = boards.length - 1;
  for (let from = 0; from < turns; from += 50) {
    const part = boards.slice(from, Math.min(from + 50, turns));
    const all = await engine.job("values", part, depth());
    all.forEach((/** @type {(number | null)[]} */ values, /** @type {number} */ i) => {
      const mine = values.map((value, move) => ((moves[from + i] >> move) & 1 ? value : null));
      const [top, played] = [bestOf(values), bestOf(mine)];
      const cost = (values[top] ?? 0) - (mine[played] ?? 0);
      lost += cost;
      if (cost === 0) best++;
      else blunders.push({ number: from + i + 1, board: part[i], played, best: top, lost: cost });
    });
    say(`Reviewed ${Math.min(from + 50, turns)} of ${turns} moves`);
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  say(`Reviewed ${turns} moves in ${seconds} s: ${best} were the best one; ${whole(lost)} points lost.`);
  blunders.sort((a, b) => b.lost - a.lost);
  const rows = blunders.slice(0, 20).map((blunder) => {
    const open = element("button", { type: "button", className: "link" }, `move ${blunder.number}`);
    open.onclick = () => attempt(() => set(blunder.board));
    const texts = [MOVES[blunder.played], MOVES[blunder.best], whole(blunder.lost)];
    return element("tr", {}, element("td", {}, open), ...texts.map((text) => element("td", {}, text)));
  });
  $("blunders").hidden = rows.length === 0;
  $("blunder-rows").replaceChildren(...rows);
}

/** @param {string} text */
async function read(text) {
  const [count, bytes] = await engine.bytes(67, "bitcade_2048_read", text);
  const [width, height] = bytes;
  if (width !== 4 || height !== 4) throw new Error(`a board of ${width}x${height}: the page has 4x4`);
  const all = Array.from({ length: count }, (_, i) => [...bytes.subarray(2 + 17 * i, 19 + 17 * i)]);
  const tooLarge = all.flatMap((board) => board.slice(0, 16)).find((rank) => rank > MOST);
  if (tooLarge !== undefined) throw new Error(`a tile of ${2 ** tooLarge}: the page knows 131072`);
  stop();
  const boards = all.map((board) => board.slice(0, 16));
  await set(boards[count - 1], boards.slice(0, -1));
  if (count > 1) await review(boards, all.map((board) => board[16]));
}

click("new-2048", newGame);
click("undo-2048", async () => {
  const before = history.pop();
  if (before) await set(before, history);
});
click("auto", auto);
click("line", line);
click("read-2048", () => {
  say("");
  return read($("paste-2048").value);
});
click("review", () => {
  if (history.length === 0) throw new Error("no moves yet: play some, or paste a game");
  return read([...history, ranks].map(code).join("\n"));
});
click("copy-2048", () => {
  $("paste-2048").value = [...history, ranks].map(code).join("\n");
  say("The game's boards are in the text field, a line each, a digit for each tile's rank.");
});
$("depth").addEventListener("change", () => attempt(evaluate));
MOVES.forEach((name, i) =>
  $(`value-${name}`).querySelector("button").addEventListener("click", () => order(() => play(i))));
swipes($("tiles"), (direction) => (isEditing() ? undefined : order(() => play(direction))));
$("edit").addEventListener("change", () => $("tiles").classList.toggle("editing", isEditing()));
addEventListener("keydown", (event) => {
  const isField = /** @type {HTMLElement} */ (event.target).closest("textarea, select, input, meter");
  const move = KEYS.indexOf(event.key);
  const cell = cells.indexOf(/** @type {any} */ (event.target));
  if ($("2048").hidden || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isEditing() && cell >= 0 && ["Backspace", "Delete", "+", "-"].includes(event.key)) {
    const step = { "+": 1, "-": -1 }[event.key] ?? -ranks[cell];
    order(() => edit(cell, step));
  } else if (!isField && move >= 0 && !isEditing()) {
    event.preventDefault();
    order(() => play(move));
  }
}, true);

/** @param {URLSearchParams} state */
export async function open(state) {
  const board = state.get("board");
  if (board !== null && board === code(ranks)) return;
  if (board === null) {
    if (game === undefined) await newGame();
    else share("2048", { board: code(ranks) });
    return;
  }
  try {
    await read(board);
  } catch (error) {
    if (game === undefined) await newGame();
    throw new Error(`the address's board: ${/** @type {Error} */ (error).message}`);
  }
}

export const close = stop;
