/** Match-3: a level file, its pass rate and heat map, and play. */
import { Engine } from "./engine.js";
import { $, attempt, click, element, grid, inOrder, say, seed, share, swipes, whole } from "./page.js";

const LEVELS = ["01-meadow", "02-shelf", "03-frost", "04-warehouse", "05-jam", "06-harvest",
  "07-tunnels", "08-river", "09-fountain", "10-keep"];
const OUTCOMES = ["", "Won", "Lost: no moves left", "Lost: no time left", "Lost: no legal swap"];
/** By kind: row, column, bomb, color, square. */
const KINDS = ["", "↔", "↕", "✹", "★", "◆"];
const KIND_NAMES = ["", " row", " column", " bomb", " color piece", " square"];
const BLOCKS = ["", "wall", "void", "crate", "item"];

const tester = new Engine("match3");
const player = new Engine("match3");
const order = inOrder();
/** The tested level, in each engine. @type {bigint | undefined} */
let level;
/** @type {bigint | undefined} */
let game;
/** @type {HTMLButtonElement[]} */
let cells = [];
/** The cells of the heat map. @type {HTMLElement[]} */
let map = [];
let [width, height] = [0, 0];
/** The first cell of a swap. */
let chosen = -1;
/** Counts tests, so that an old one ends. */
let test = 0;
/** @type {any} */
let sums;

const text = () => $("level").value;

/** @param {Engine} engine @param {bigint} game */
async function sizeOf(engine, game) {
  const rows = (await engine.text("bitcade_match3_board", game)).split("\n").length;
  const [count] = await engine.bytes(1, "bitcade_match3_cells", game);
  return /** @type {[number, number]} */ ([count / rows, rows]);
}

/** Says what is wrong with the level, at its place. */
async function check() {
  test++;
  $("test").textContent = "Test the level";
  if (level !== undefined) await tester.number("bitcade_free", level);
  level = undefined;
  try {
    level = await tester.handle("bitcade_match3_level", text());
    const dealt = await tester.handle("bitcade_match3_level_new", level, 1n);
    map = grid($("heat"), ...(await sizeOf(tester, dealt)));
    sums = undefined;
    await tester.number("bitcade_free", dealt);
    $("level-error").textContent = "";
  } catch (error) {
    $("level-error").textContent = /** @type {Error} */ (error).message;
  }
  $("test").disabled = $("play-level").disabled = level === undefined;
}

async function choose() {
  const name = $("levels").value;
  const response = await fetch(`levels/${name}.toml`);
  if (!response.ok) throw new Error(`levels/${name}.toml: ${response.status} ${response.statusText}`);
  $("level").value = (await response.text()).replace(/^#:schema.*\n/, "");
  share("match-3", { level: name });
  await check();
  await play();
}

/** @param {any} into @param {any} report */
function add(into, report) {
  for (const [key, value] of Object.entries(report)) {
    if (Array.isArray(value)) into[key] = value.map((n, i) => n + (into[key]?.[i] ?? 0));
    else if (typeof value === "number") into[key] = (into[key] ?? 0) + value;
    else {
      into[key] ??= {};
      for (const [bin, n] of Object.entries(value)) into[key][bin] = (into[key][bin] ?? 0) + n;
    }
  }
}

/** @param {Record<string, number>} bins */
function median(bins) {
  const sorted = Object.entries(bins).map(([bin, n]) => [Number(bin), n]).sort((a, b) => a[0] - b[0]);
  let half = sorted.reduce((sum, [, n]) => sum + n, 0) / 2;
  return sorted.find(([, n]) => (half -= n) <= 0)?.[0];
}

function report() {
  const { games, won } = sums;
  const rate = won / games;
  // Wilson's interval of 95 %.
  const [z, n] = [1.96, games];
  const middle = (rate + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const spread = (z / (1 + (z * z) / n)) * Math.sqrt((rate * (1 - rate)) / n + (z * z) / (4 * n * n));
  const percent = (/** @type {number} */ x) => (100 * x).toFixed(1);
  $("pass-rate").textContent = `${percent(rate)} %`;
  $("pass-meter").value = rate;
  $("pass-note").textContent =
    `${percent(middle - spread)} to ${percent(middle + spread)} % after ${whole(games)} games; ` +
    `moves needed ${median(sums.moves_needed) ?? "–"} (median), near misses ${percent(sums.near_misses / games)} %, ` +
    `swaps to choose from ${(sums.choices / sums.moves).toFixed(1)}, ` +
    `${(sums.cascade_levels / sums.moves).toFixed(2)} cascade levels a move`;
  heat();
}

/** Shows how often each cell was cleared, or what a lost game still wanted. */
function heat() {
  if (!sums) return;
  const counts = sums[$("heat-kind").value] ?? [];
  const most = Math.max(1, ...counts);
  map.forEach((cell, i) => {
    const count = counts[i] ?? 0;
    cell.style.setProperty("--heat", `${Math.round((100 * count) / most)}%`);
    cell.title = `${(count / sums.games).toFixed(2)} a game`;
  });
}

async function run() {
  if ($("test").textContent === "Stop") {
    test++;
    $("test").textContent = "Test the level";
    return;
  }
  const mine = ++test;
  $("test").textContent = "Stop";
  sums = {};
  let count = 8;
  let reported = -Infinity;
  for (let batch = 1n; mine === test && (sums.games ?? 0) < 20000; batch++) {
    const start = performance.now();
    const found = await tester.job("playtest", level, $("agent").value, count, batch);
    if (mine !== test) return;
    add(sums, found);
    const now = performance.now();
    if (now - reported > 400) {
      reported = now;
      report();
    }
    const spent = now - start;
    count = Math.max(4, Math.min(1000, Math.round((count * 200) / Math.max(spent, 1))));
  }
  report();
  if (mine === test) $("test").textContent = "Test the level";
}

async function play() {
  say("");
  if (game !== undefined) await player.number("bitcade_free", game);
  game = undefined;
  const read = await player.handle("bitcade_match3_level", text());
  game = await player.handle("bitcade_match3_level_new", read, seed());
  await player.number("bitcade_free", read);
  [width, height] = await sizeOf(player, game);
  cells = grid($("pieces"), width, height, (x, y) => order(() => press(y * width + x)));
  chosen = -1;
  await draw();
}

async function draw() {
  const [count, numbers] = await player.bytes(1, "bitcade_match3_cells", game);
  const [, layers] = await player.bytes(1, "bitcade_match3_layers", game);
  for (let i = 0; i < count; i++) {
    const [color, kind, isCovered] = [numbers[i] & 15, (numbers[i] & 127) >> 4, numbers[i] >> 7];
    const [cover, jelly] = [layers[2 * i], layers[2 * i + 1]];
    const cell = cells[i];
    const isBlock = color === 0 && kind > 0 && kind < 5;
    const block = isBlock ? BLOCKS[kind] : "";
    cell.className = `cell piece ${block} ${color ? "" : "blank"}`;
    cell.dataset.color = String(color || "");
    const shown = isBlock ? { crate: "▦", item: "⬢" }[block] ?? "" : KINDS[kind];
    cell.textContent = shown || (color ? String.fromCharCode(64 + color) : "");
    cell.dataset.layers = cover ? String(cover) : isCovered ? "⚿" : "";
    cell.dataset.jelly = String(jelly || "");
    const under = `${cover || isCovered ? ", covered" : ""}${jelly ? ", jelly" : ""}`;
    const what = block || (color ? `color ${String.fromCharCode(64 + color)}${KIND_NAMES[kind]}` : "empty");
    cell.ariaLabel = `column ${(i % width) + 1}, row ${Math.floor(i / width) + 1}: ${what}${under}`;
    cell.ariaPressed = String(i === chosen);
  }
  await facts();
}

async function facts() {
  const goals = [];
  for (let i = 0; ; i++) {
    try {
      const left = await player.number("bitcade_match3_goal_left", game, i);
      const name = await player.text("bitcade_match3_goal_text", game, i);
      const color = /^color (\d+)$/.exec(name);
      goals.push(`${color ? `color ${String.fromCharCode(64 + Number(color[1]))}` : name} ${left ? `${whole(left)} left` : "✓"}`);
    } catch {
      break; // The level has no more goals.
    }
  }
  const left = await player.number("bitcade_match3_limit_left", game);
  const score = await player.number("bitcade_match3_score", game);
  const outcome = await player.number("bitcade_match3_outcome", game);
  $("goals").textContent = goals.join(", ");
  $("score-match3").textContent = whole(score);
  $("limit").textContent = whole(left);
  if (outcome) say(`${OUTCOMES[outcome]}: ${whole(score)} points.`);
}

/** Chooses a cell, or swaps with the one chosen before. @param {number} at */
async function press(at) {
  const from = chosen;
  chosen = -1;
  const [dx, dy] = [(at % width) - (from % width), Math.floor(at / width) - Math.floor(from / width)];
  if (from >= 0 && Math.abs(dx) + Math.abs(dy) === 1) await swap(Math.min(from, at), dy === 0);
  else if (from !== at) chosen = at;
  cells.forEach((cell, i) => (cell.ariaPressed = String(i === chosen)));
}

/** @param {number} at @param {boolean} isRight */
async function swap(at, isRight) {
  const points = await player.number("bitcade_match3_play", game, at % width, Math.floor(at / width), isRight ? 0 : 1);
  say(`${whole(points)} points`);
  await draw();
}

async function hint() {
  const [count, swaps] = await player.bytes(3, "bitcade_match3_legal_swaps", game);
  if (count === 0) throw new Error("the game is over: start another");
  const [x, y, down] = swaps.subarray(3 * Math.floor(Math.random() * count));
  chosen = y * width + x;
  cells.forEach((cell, i) => (cell.ariaPressed = String(i === chosen)));
  cells[chosen].focus();
  say(`Swap column ${x + 1}, row ${y + 1} with the one ${down ? "below" : "to the right"}.`);
}

$("levels").replaceChildren(...LEVELS.map((name) =>
  element("option", { value: name }, `${Number(name.slice(0, 2))} ${name.slice(3)}`)));
$("levels").addEventListener("change", () => attempt(choose));
/** @type {number | undefined} */
let typed;
$("level").addEventListener("input", () => {
  clearTimeout(typed);
  typed = setTimeout(() => attempt(check), 300);
});
$("level-file").addEventListener("change", async () => {
  const [file] = $("level-file").files;
  if (!file) return;
  $("level").value = await file.text();
  await check();
});
$("heat-kind").addEventListener("change", heat);
click("test", run);
click("play-level", play);
click("hint", hint);
swipes($("pieces"), (direction, start) => order(() => {
  const at = cells.indexOf(/** @type {any} */ (start));
  if (at < 0) return;
  const [x, y] = [at % width, Math.floor(at / width)];
  const to = [x > 0 && at - 1, x < width - 1 && at + 1, y > 0 && at - width, y < height - 1 && at + width][direction];
  if (to === false) return;
  chosen = -1;
  return swap(Math.min(at, to), direction < 2);
}));

/** @param {URLSearchParams} state */
export async function open(state) {
  const name = state.get("level") ?? LEVELS[0];
  const isKnown = LEVELS.includes(name);
  if (game !== undefined && [null, $("levels").value].includes(state.get("level"))) return;
  $("levels").value = isKnown ? name : LEVELS[0];
  await choose();
  if (!isKnown) throw new Error(`the address's level ${JSON.stringify(name)}: there is none of this name`);
}

export function close() {
  test++;
  $("test").textContent = "Test the level";
}
