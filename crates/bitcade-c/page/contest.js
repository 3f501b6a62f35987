/** The replay of a record of the contest of 2021. */
import { Engine } from "./engine.js";
import { $, click, grid, inOrder, pause, say, share, whole } from "./page.js";

const [WIDTH, HEIGHT] = [10, 20];
/** The bytes of a piece: the score, and the rows from the top. */
const SIZE = 8 + 2 * HEIGHT;
const FIRST = "records/contest.txt";

const engine = new Engine("contest");
const order = inOrder();
const cells = grid($("contest-field"), WIDTH, HEIGHT);
/** The score and the board after each piece. @type {DataView} */
let pieces = new DataView(new ArrayBuffer(0));
let isPlaying = false;

function show() {
  const piece = Number($("contest-piece").value);
  const at = SIZE * (piece - 1);
  cells.forEach((cell, i) => {
    const row = piece === 0 ? 0 : pieces.getUint16(at + 8 + 2 * Math.floor(i / WIDTH), true);
    cell.dataset.piece = (row >> (i % WIDTH)) & 1 ? "#" : "";
  });
  const score = piece === 0 ? 0 : Number(pieces.getBigUint64(at, true));
  $("contest-note").textContent =
    `Piece ${whole(piece)} of ${whole(Number($("contest-piece").max))}: ${whole(score)} points`;
}

/** @param {string} text @param {number} [piece] */
async function read(text, piece = 0) {
  const [count, bytes] = await engine.bytes(SIZE, "bitcade_contest_replay", text);
  pieces = new DataView(bytes.buffer);
  $("contest-piece").max = count;
  $("contest-piece").value = piece;
  show();
  say("");
}

async function play() {
  isPlaying = !isPlaying;
  $("play-contest").textContent = isPlaying ? "Pause" : "Play";
  const slider = $("contest-piece");
  if (isPlaying && slider.value === slider.max) slider.value = 0;
  while (isPlaying && Number(slider.value) < Number(slider.max)) {
    slider.value = Number(slider.value) + 1;
    show();
    await pause(1000 / Number($("contest-pace").value));
  }
  close();
}

$("contest-piece").addEventListener("input", show);
$("contest-piece").addEventListener("change", () => share("contest", { piece: $("contest-piece").value }));
click("play-contest", play);
click("read-contest", () => order(() => read($("contest-record").value)));
$("contest-file").addEventListener("change", () => order(async () => {
  const [file] = $("contest-file").files;
  if (file) await read(await file.text());
}));

/** @param {URLSearchParams} state */
export async function open(state) {
  if (pieces.byteLength > 0) return;
  const text = state.get("piece") ?? "0";
  const response = await fetch(FIRST);
  if (!response.ok) throw new Error(`${FIRST}: ${response.status} ${response.statusText}`);
  const isNumber = /^\d+$/.test(text);
  await read(await response.text(), isNumber ? Number(text) : 0);
  if (!isNumber) throw new Error(`the address's piece: expected a number, found ${JSON.stringify(text)}`);
}

export function close() {
  isPlaying = false;
  $("play-contest").textContent = "Play";
}
