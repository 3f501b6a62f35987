/** Go: play and analysis by lines of the Go Text Protocol. */
import { Engine } from "./engine.js";
import { $, attempt, click, inOrder, say, share } from "./page.js";

const LETTERS = "ABCDEFGHJKLMNOPQRST";
const NODES = 1 << 17;

const engine = new Engine("go");
const order = inOrder();
/** @type {bigint | undefined} */
let session;
let size = 9;
/** The moves played, such as `b D4`. @type {string[]} */
let moves = [];
/** Ownership from -1 (White) to 1 (Black), or none. @type {number[] | undefined} */
let ownership;
let isAnalyzing = false;

/** @param {string} line */
async function gtp(line) {
  const response = await engine.text("bitcade_gtp_line", session, line);
  if (response.startsWith("?")) throw new Error(`${line}: ${response.slice(1).trim()}`);
  return response.slice(1).trim();
}

const turn = () => (moves.length % 2 === 0 ? "b" : "w");
/** @param {number} x @param {number} y from the top */
const vertex = (x, y) => LETTERS[x] + (size - y);

/** @param {string} name @param {Record<string, string | number>} attributes */
function svg(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

const stars = () => {
  const [near, far, middle] = [size < 13 ? 2 : 3, size - (size < 13 ? 3 : 4), (size - 1) / 2];
  const corners = [near, far].flatMap((x) => [near, far].map((y) => [x, y]));
  const sides = size > 13 ? [near, far].flatMap((at) => [[middle, at], [at, middle]]) : [];
  return [...corners, ...sides, [middle, middle]];
};

async function draw() {
  const board = $("stones");
  board.setAttribute("viewBox", `-0.75 -0.75 ${size + 0.5} ${size + 0.5}`);
  const parts = [];
  for (let i = 0; i < size; i++) {
    parts.push(svg("line", { x1: 0, x2: size - 1, y1: i, y2: i, class: "go-line" }));
    parts.push(svg("line", { y1: 0, y2: size - 1, x1: i, x2: i, class: "go-line" }));
  }
  for (const [cx, cy] of stars()) parts.push(svg("circle", { cx, cy, r: 0.1, class: "go-star" }));
  ownership?.forEach((owner, i) => {
    const side = 0.7 * Math.sqrt(Math.abs(owner));
    const [x, y] = [(i % size) - side / 2, Math.floor(i / size) - side / 2];
    parts.push(svg("rect", { x, y, width: side, height: side, class: owner > 0 ? "own black" : "own white" }));
  });
  const rows = [...(await gtp("showboard")).matchAll(/^ *\d+((?: [.XO])+) \d+$/gm)];
  rows.forEach(([, row], cy) => row.replaceAll(" ", "").split("").forEach((point, cx) => {
    if (point === ".") return;
    const color = point === "X" ? "black" : "white";
    parts.push(svg("circle", { cx, cy, r: 0.47, class: `stone ${color}` }));
    const isLast = moves.at(-1)?.slice(2) === vertex(cx, cy);
    if (isLast) parts.push(svg("circle", { cx, cy, r: 0.2, class: `last ${color}` }));
  }));
  board.replaceChildren(...parts, cursor);
  share("go", { size: String(size), moves: moves.map((move) => move.slice(2)).join(" ") });
}

const cursor = svg("circle", { r: 0.3, class: "go-cursor", visibility: "hidden" });
let at = [4, 4];

/** @param {number} black the win rate of Black */
function showRate(black) {
  $("win-rate").value = black;
  $("win-note").textContent = `Black wins ${(100 * black).toFixed(0)} %`;
}

/** @param {string} text a report of an analysis @param {string} color the player it is for */
function readReport(text, color) {
  const sign = color === "b" ? 1 : -1;
  const rate = /winrate ([\d.e-]+)/.exec(text);
  if (rate) showRate(color === "b" ? Number(rate[1]) : 1 - Number(rate[1]));
  const owners = /ownership ([-\d. e]+)/.exec(text)?.[1].trim().split(/\s+/);
  if (owners?.length === size * size) ownership = owners.map((value) => sign * Number(value));
}

const playouts = () => Number($("playouts").value);

/** Starts a session and plays moves, each such as `D4` or `pass`. @param {string[]} vertices */
async function start(vertices) {
  size = Number($("size").value);
  if (session !== undefined) await engine.number("bitcade_free", session);
  session = await engine.handle("bitcade_gtp_new", BigInt(playouts()), 1, NODES, 1n);
  await gtp(`boardsize ${size}`);
  await gtp(`komi ${Number($("komi").value)}`);
  moves = [];
  ownership = undefined;
  at = [(size - 1) / 2, (size - 1) / 2];
  try {
    for (const vertex of vertices) {
      const move = `${turn()} ${vertex}`;
      await gtp(`play ${move}`);
      moves.push(move);
    }
  } finally {
    await draw();
  }
}

const isOver = () => moves.slice(-2).filter((move) => move.endsWith("pass")).length === 2;

/** @param {string} vertex */
async function play(vertex) {
  if (isOver()) throw new Error("the game is over: start another");
  say("");
  const move = `${turn()} ${vertex}`;
  await gtp(`play ${move}`);
  moves.push(move);
  ownership = undefined;
  await draw();
  if (isOver()) await score();
  else if ($("answers").checked) await answer();
}

async function answer() {
  if (isOver()) throw new Error("the game is over: start another");
  const color = turn();
  say("Thinking …");
  const text = await gtp(`kata-genmove_analyze ${color} 100 ownership ${$("shows-owners").checked}`);
  const move = /play (\S+)/.exec(text)?.[1] ?? "pass";
  readReport(text, color);
  say(move === "resign" ? `${color === "b" ? "Black" : "White"} resigns.` : `${color === "b" ? "Black" : "White"}: ${move}`);
  if (move === "resign") return;
  moves.push(`${color} ${move}`);
  await draw();
  if (isOver()) await score();
}

async function score() {
  const result = await gtp("final_score");
  say(`The game is over: ${result.replace(/^B\+/, "Black wins by ").replace(/^W\+/, "White wins by ")}.`);
}

async function analyze() {
  if (isAnalyzing) {
    isAnalyzing = false;
    return;
  }
  isAnalyzing = true;
  $("analyze-go").textContent = "Stop";
  try {
    // A report at a time, so that moves come in between.
    for (let i = 0; i < 60 && isAnalyzing; i++) {
      await order(async () => {
        readReport(await gtp(`kata-analyze ${turn()} 10 ownership true`), turn());
        await draw();
      });
    }
  } finally {
    isAnalyzing = false;
    $("analyze-go").textContent = "Analyze";
  }
}

/** @param {MouseEvent} event */
function cellOf(event) {
  const box = $("stones").getBoundingClientRect();
  const unit = box.width / (size + 0.5);
  const [x, y] = [event.clientX - box.left, event.clientY - box.top].map((px) => Math.round(px / unit - 0.75));
  return x >= 0 && y >= 0 && x < size && y < size ? [x, y] : undefined;
}

$("stones").addEventListener("click", (/** @type {MouseEvent} */ event) => {
  const cell = cellOf(event);
  if (cell) order(() => play(vertex(cell[0], cell[1])));
});
$("stones").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (step) at = at.map((value, i) => Math.max(0, Math.min(size - 1, value + step[i])));
  else if (event.key === "Enter" || event.key === " ") order(() => play(vertex(at[0], at[1])));
  else return;
  event.preventDefault();
  cursor.setAttribute("cx", String(at[0]));
  cursor.setAttribute("cy", String(at[1]));
  cursor.setAttribute("visibility", "visible");
  $("go-at").textContent = vertex(at[0], at[1]);
});
$("stones").addEventListener("blur", () => cursor.setAttribute("visibility", "hidden"));
click("new-go", () => order(() => start([])));
click("pass", () => order(() => play("pass")));
click("move-go", () => order(answer));
click("undo-go", () => order(async () => {
  const back = $("answers").checked && moves.length > 1 ? 2 : 1;
  await start(moves.slice(0, -back).map((move) => move.slice(2)));
}));
click("analyze-go", analyze);
click("score-go", () => order(score));

/** @param {URLSearchParams} state */
export async function open(state) {
  const wanted = state.get("size") ?? "9";
  const played = (state.get("moves") ?? "").split(" ").filter(Boolean);
  if (session !== undefined && state.get("moves") === null) return;
  const isKnown = [...$("size").options].some((option) => option.value === wanted);
  $("size").value = isKnown ? wanted : "9";
  await start(isKnown ? played : []);
  if (!isKnown) throw new Error(`the address's size ${JSON.stringify(wanted)}: expected 9, 13 or 19`);
}

export function close() {
  isAnalyzing = false;
}
