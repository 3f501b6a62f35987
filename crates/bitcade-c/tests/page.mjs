// Uses each tab of the page in a browser: `cargo xtask web --test` runs it with `chromium` or
// `firefox`, the page's folder and the folder of the npm packages. More arguments are the names of
// the parts to run, such as `use2048`. Screenshots go to the folder `shots` beside the page.
import { mkdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, extname, join, normalize, resolve } from "node:path";

const isFirefox = process.argv[2] === "firefox";
const [site, tools] = process.argv.slice(3, 5).map((path) => resolve(path));
const chosen = process.argv.slice(5);
const { chromium, firefox } = createRequire(join(tools, "package.json"))("playwright-core");
const axe = await readFile(join(tools, "node_modules/axe-core/axe.min.js"), "utf8");
const native = await readFile(new URL("page.txt", import.meta.url), "utf8");
const truths = await readFile(new URL("../../tetris-ai/tests/data/truth.txt", import.meta.url), "utf8");
const [, truth] = /^whole game \|.*\| (\d+)/m.exec(truths);
const level = await readFile(join(site, "levels/03-frost.toml"), "utf8");
const shots = join(dirname(site), "shots");
await mkdir(shots, { recursive: true });

let failures = 0;
function check(name, holds, detail = "") {
  console.log(`${holds ? "ok" : "FAILED"}: ${name}${detail === "" ? "" : `: ${detail}`}`);
  if (!holds) failures++;
}

const TYPES = {
  ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm",
  ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json",
};
let isOffline = false;
const server = createServer(async (request, response) => {
  if (isOffline) return request.socket.destroy();
  const path = normalize(new URL(request.url, "http://localhost").pathname);
  const file = join(site, path === "/" ? "index.html" : path);
  try {
    const body = await readFile(file);
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;

// The channel is Firefox by WebDriver BiDi.
const browser = isFirefox
  ? await firefox.launch({ channel: "moz-firefox", executablePath: "/usr/bin/firefox-esr" })
  : await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const errors = [];
async function open(options) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  return page;
}
/** Goes to a tab without loading the page again. */
const go = async (page, hash) => {
  await page.evaluate((hash) => (location.hash = hash), hash);
  await page.waitForTimeout(300);
};
const status = (page) => page.textContent("#status");
const values = (page) =>
  page.waitForFunction(() => /by the network|No move/.test(document.getElementById("values-note").textContent));
const until = (page, pattern, timeout = 60_000) =>
  page.waitForFunction((source) => new RegExp(source).test(document.getElementById("status").textContent),
    pattern.source, { timeout });

/** The same calls as a native program, whose results are in page.txt. */
async function compareWithNative(page) {
  const lines = native.trimEnd().split("\n");
  const part = (name) => lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const boards = part("values").map((line) => line.split(" "));
  const found = await page.evaluate(async ({ boards, level }) => {
    const { Engine } = await import("./engine.js");
    const g2048 = new Engine("g2048");
    const network = await (await fetch("2048.net")).arrayBuffer();
    await g2048.number("bitcade_2048_read_network", new Uint8Array(network));
    const ranks = boards.map(([code]) => [...code].map((digit) => parseInt(digit, 18)));
    let values;
    let spent = Infinity;
    // The fastest of some passes: other programs may share the processor.
    for (let pass = 0; pass < 5; pass++) {
      const start = performance.now();
      values = await g2048.job("values", ranks, 3);
      spent = Math.min(spent, (performance.now() - start) / boards.length);
    }
    const match3 = new Engine("match3");
    const handle = await match3.handle("bitcade_match3_level", level);
    const report = await match3.text("bitcade_match3_playtest", handle, "human", 20, 3n);
    const tetris = new Engine("tetris");
    const game = await tetris.handle("bitcade_tetris_new", 7n);
    const turns = [];
    for (let i = 0; i < 30; i++) {
      const best = await tetris.number("bitcade_tetris_best", game, 300n);
      turns.push(await tetris.text("bitcade_tetris_turn_text", game, best));
      await tetris.number("bitcade_tetris_play", game, best);
    }
    const gtp = new Engine("go");
    const session = await gtp.handle("bitcade_gtp_new", 60n, 1, 4096, 7n);
    for (const line of ["boardsize 5", "komi 0.5", "lz-analyze b 10"]) await gtp.text("bitcade_gtp_line", session, line);
    const moves = [];
    for (let i = 0; i < 80; i++) {
      const color = i % 2 ? "w" : "b";
      moves.push(`${color} ${(await gtp.text("bitcade_gtp_line", session, `genmove ${color}`)).trim()}`);
    }
    for (const engine of [g2048, match3, tetris, gtp]) engine.worker.terminate();
    return { values, spent, report, turns, moves };
  }, { boards, level });
  const isSame = (text, value) => (text === "-" ? value === null : Math.fround(Number(text)) === value);
  const same = found.values.filter((four, i) => four.every((value, j) => isSame(boards[i][j + 1], value)));
  check("values of 200 positions equal native's", same.length === 200, same.length);
  check("2048: 3 moves ahead", found.spent <= 3, `${found.spent.toFixed(2)} ms a position`);
  check("a playtest equals native's", found.report === part("report")[0]);
  check("the Tetris bot's game equals native's", found.turns.join() === part("turn").join());
  check("a game of Go equals native's", found.moves.join() === part("genmove").map((line) => line.trim()).join());
}

async function use2048(page) {
  await go(page, "2048");
  await values(page);
  await page.click("#new-2048");
  for (let i = 0; i < 40 && !/Game over/.test(await status(page)); i++) {
    for (let j = 0; j < 25; j++) await page.keyboard.press(["ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp"][(i + j) % 4]);
    await page.waitForTimeout(200);
  }
  check("2048: keys play a game to its end", /Game over/.test(await status(page)), await status(page));
  await page.click("#review");
  await until(page, /Reviewed .* moves in/);
  check("2048: the game's blunders are listed", (await page.locator("#blunder-rows tr").count()) > 3);
  await page.locator("#blunder-rows button").first().click();
  // The finished game's note has no values.
  const opened = page.locator(".values .best").waitFor({ timeout: 10_000 });
  check("2048: a blunder opens its position", await opened.then(() => true, () => false));
  await page.click("#line");
  await page.waitForFunction(() => /\d+ moves, .* points/.test(document.getElementById("line-2048").textContent));
  await page.check("#edit");
  const cell = page.locator("#tiles .cell").nth(5);
  await cell.focus();
  await page.keyboard.press("Delete");
  await cell.click();
  await page.waitForFunction(() => document.querySelectorAll("#tiles .cell")[5].textContent === "2");
  await page.uncheck("#edit");
  await page.fill("#paste-2048", "| 2 | 4 | 8 | 16 |\n|---|---|---|---|\n| . | 2 | 4 | 8 |\n| . | . | 2 | 2 |\n| . | . | . | 1024 |");
  await page.click("#read-2048");
  await page.waitForFunction(() => location.hash === "#2048?board=123401230011000a");
  const read = await page.locator("#tiles .cell").nth(15).textContent();
  check("2048: a pasted table is read", read === "1024", read);
  await page.fill("#paste-2048", "2 4\n3 99");
  await page.click("#read-2048");
  await until(page, /line 2, column 1/);
  check("2048: a bad position is one line", true, await status(page));
  // A game of 1,000 moves by the network one move ahead.
  const boards = await page.evaluate(async () => {
    const { Engine } = await import("./engine.js");
    const engine = new Engine("g2048");
    await engine.number("bitcade_2048_read_network", new Uint8Array(await (await fetch("2048.net")).arrayBuffer()));
    const { steps } = await engine.job("line", [1, 0, 0, 0, 0, 1, ...Array(10).fill(0)], 1, 1000);
    engine.worker.terminate();
    return steps.map(({ ranks }) => ranks.map((rank) => rank.toString(18)).join(""));
  });
  const text = ["1000010000000000", ...boards].join("\n");
  await page.evaluate((text) => (document.getElementById("paste-2048").value = text), text);
  await page.click("#read-2048");
  await until(page, /Reviewed 1000 moves in/);
  const seconds = Number(/in ([\d.]+) s/.exec(await status(page))[1]);
  check("2048: a game of 1,000 moves is reviewed", seconds <= 5, `${seconds} s`);
}

async function useMatch3(page) {
  await go(page, "match-3?level=02-shelf");
  await page.waitForSelector("#pieces .cell");
  await page.click("#test");
  await page.waitForTimeout(3000);
  await page.click("#test");
  const note = await page.textContent("#pass-note");
  check("match-3: a level is tested as games come in", /after [\d,]+ games/.test(note), `${await page.textContent("#pass-rate")}: ${note}`);
  check("match-3: the heat map has the level's cells", (await page.locator("#heat .cell").count()) >= 49);
  for (let i = 0; i < 80 && !/Won|Lost/.test(await status(page)); i++) {
    await page.click("#hint");
    await until(page, /Swap/);
    const right = /right/.test(await status(page));
    const left = await page.textContent("#limit");
    await page.keyboard.press(right ? "ArrowRight" : "ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForFunction((left) => document.getElementById("limit").textContent !== left, left);
  }
  check("match-3: keys play a level to its end", /Won|Lost/.test(await status(page)), await status(page));
  await page.fill("#level", "version = 1\ncolors = 99\n");
  await page.waitForFunction(() => /line 1, column 1/.test(document.getElementById("level-error").textContent));
  check("match-3: a bad level is one line", await page.isDisabled("#test"), await page.textContent("#level-error"));
}

async function useTetris(page) {
  await go(page, "tetris");
  await page.waitForFunction(() => document.querySelectorAll("#placements tr").length > 3);
  const best = await page.locator("#placements button").first().textContent();
  await page.locator("#field .cell").nth(195).click();
  await page.waitForFunction((best) => document.querySelector("#placements button")?.textContent !== best, best);
  await page.click("#write-fumen");
  await page.waitForFunction(() => document.getElementById("fumen").value.startsWith("v115@"));
  // A T-spin double: T is in play.
  await page.click("#clear-board");
  for (const cell of [170, 171, 180, 184, 185, 186, 187, 188, 189, 190, 191, 193, 194, 195, 196, 197, 198, 199]) {
    await page.locator("#field .cell").nth(cell).click();
  }
  await page.fill("#queue", "TOI");
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => /T south 2 1 full/.test(document.querySelector("#placements button")?.textContent));
  check("Tetris: the bot finds the T-spin double", true, await page.textContent("#placements-note"));
  await page.click("#line-tetris");
  await until(page, /attack \d+/);
  const line = await page.inputValue("#fumen");
  check("Tetris: the bot's line is a fumen", line.startsWith("v115@"), line.length);
  await page.locator("#placements button").first().click();
  await until(page, /2 lines, full spin/);
  await page.click("#read-fumen");
  await until(page, /The first of \d+ pages/);
  check("Tetris: the fumen is read back", (await page.inputValue("#queue")) === "TOI", await page.inputValue("#queue"));
  // Four free columns of two rows.
  await page.click("#clear-board");
  for (const cell of [180, 181, 182, 183, 184, 185, 190, 191, 192, 193, 194, 195]) {
    await page.locator("#field .cell").nth(cell).click();
  }
  await page.fill("#queue", "TOOI");
  await page.keyboard.press("Tab");
  await page.click("#perfect-clear");
  await until(page, /The perfect clear's fumen/);
  check("Tetris: a perfect clear is found", true, await status(page));
  await page.fill("#queue", "TTT");
  await page.keyboard.press("Tab");
  await page.click("#perfect-clear");
  await until(page, /no perfect clear/);
  await page.fill("#fumen", "v115@!!");
  await page.click("#read-fumen");
  await page.waitForSelector("#status.error");
  check("Tetris: a bad fumen is one line", true, await status(page));
  await page.click("#versus");
  for (let i = 0; i < 60 && !/wins|win\./.test(await status(page)); i++) {
    for (const key of ["ArrowLeft", "ArrowUp", "Space"]) await page.keyboard.press(key, { delay: 20 });
  }
  check("Tetris: keys play against the bot to an end", /wins|win\./.test(await status(page)), await status(page));
}

async function useGo(page) {
  await go(page, "go");
  await page.waitForSelector("#stones line", { state: "attached" });
  await page.selectOption("#playouts", "100");
  await page.click("#new-go");
  await page.focus("#stones");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await until(page, /White: /);
  check("Go: keys play, the engine answers", (await page.locator("#stones .stone").count()) === 2);
  const box = await page.locator("#stones").boundingBox();
  await page.mouse.click(box.x + (box.width * 2.75) / 9.5, box.y + (box.height * 2.75) / 9.5);
  await page.waitForFunction(() => document.querySelectorAll("#stones .stone").length >= 4);
  await page.click("#analyze-go");
  await page.waitForFunction(() => document.querySelectorAll("#stones .own").length > 40);
  await page.click("#analyze-go");
  check("Go: ownership and win rate", /Black wins \d+ %/.test(await page.textContent("#win-note")), await page.textContent("#win-note"));
  const isEnd = /The game is over: |resigns/;
  for (let i = 0; i < 60 && !isEnd.test(await status(page)); i++) {
    const before = await page.evaluate(() => location.hash);
    await page.click("#pass");
    await page.waitForFunction((before) => location.hash !== before, before);
    await until(page, /White: |The game is over: |resigns/);
  }
  check("Go: a game comes to its end", isEnd.test(await status(page)), await status(page));
  await page.selectOption("#size", "19");
  await page.click("#new-go");
  await page.waitForFunction(() => document.querySelectorAll("#stones line").length === 38);
  check("Go: 19 x 19", true);
}

async function useContest(page) {
  await go(page, "contest");
  await page.waitForFunction(() => document.getElementById("contest-piece").max === "10000");
  await page.focus("#contest-piece");
  await page.keyboard.press("End");
  await page.waitForFunction(() => /Piece 10,000/.test(document.getElementById("contest-note").textContent));
  const note = await page.textContent("#contest-note");
  check("contest: the whole record is replayed", note.replaceAll(",", "").endsWith(` ${truth} points`), note);
  await page.click("#play-contest");
  await page.waitForFunction(() => /Piece [1-9]\d? of/.test(document.getElementById("contest-note").textContent));
  await page.click("#play-contest");
  await page.fill("#contest-record", "N,D19,N,D500");
  await page.click("#read-contest");
  await until(page, /piece 2: expected 1 to 100 key presses/);
  check("contest: a bad record is one line", true, await status(page));
}

async function measure(page) {
  await go(page, "measure");
  await page.click("#run-measure");
  await page.waitForFunction(() => !document.getElementById("run-measure").disabled, null, { timeout: 60_000 });
  const rows = await page.locator("#measured tr").allTextContents();
  check("speed: every row has a number", rows.length === 5 && rows.every((row) => /\d$/.test(row)), rows.join("; "));
}

async function refuseBadAddresses(page) {
  for (const hash of ["nothing", "2048?board=zzz", "match-3?level=none", "tetris?fumen=v115@!", "go?size=99", "go?moves=Z9", "contest?piece=x"]) {
    await page.goto("about:blank");
    await page.goto(`${address}#${hash}`);
    await page.waitForSelector("#status.error");
    // It stays.
    await page.waitForTimeout(500);
    check(`a bad address is one line: #${hash}`, await page.isVisible("#status.error"), await status(page));
  }
}

async function frames(page) {
  await page.goto("about:blank");
  await page.goto(`${address}#match-3`);
  await page.waitForSelector("#pieces .cell");
  const record = () => page.evaluate(() => new Promise((resolve) => {
    const times = [];
    const long = [];
    const observer = new PerformanceObserver((list) => long.push(...list.getEntries().map((entry) => entry.duration)));
    observer.observe({ type: "longtask" });
    const frame = (now) => {
      times.push(now);
      if (times.length < 180) return requestAnimationFrame(frame);
      observer.disconnect();
      const steps = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b);
      resolve({ p95: steps[Math.floor(steps.length * 0.95)], median: steps[Math.floor(steps.length / 2)], long });
    };
    requestAnimationFrame(frame);
  }));
  const idle = await record();
  await page.click("#test");
  await page.waitForTimeout(500);
  let busy = await record();
  // Other programs may keep the page's thread from the processor: only what repeats is its own.
  for (let i = 0; i < 4 && busy.long.length > 0; i++) busy = await record();
  await page.click("#test");
  const text = ({ median, p95 }) => `median ${median.toFixed(1)}, 95 % ${p95.toFixed(1)} ms`;
  check("a worker thinks: 95 % of frames as on the idle page", busy.p95 <= Math.max(idle.p95 * 1.5, 20), `idle ${text(idle)}; busy ${text(busy)}`);
  // Firefox doesn't report long tasks.
  if (!isFirefox) check("no task over 50 ms", busy.long.length === 0, busy.long.join());
}

async function touch() {
  // Firefox takes no touches by this protocol: there the mouse does the same.
  const tap = (locator, options) => (isFirefox ? locator.click(options) : locator.tap(options));
  const isMobile = isFirefox ? {} : { isMobile: true };
  const page = await open({ viewport: { width: 360, height: 740 }, hasTouch: true, deviceScaleFactor: 2, ...isMobile });
  await page.goto(`${address}#2048`);
  await values(page);
  const box = await page.locator("#tiles").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const client = isFirefox ? null : await page.context().newCDPSession(page);
  for (let i = 0; i < 12; i++) {
    const [dx, dy] = [[-90, 0], [0, 90], [90, 0], [0, -90]][i % 4];
    if (client === null) {
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + dx, y + dy);
      await page.mouse.up();
      continue;
    }
    const point = (type, touchPoints) => client.send("Input.dispatchTouchEvent", { type, touchPoints });
    await point("touchStart", [{ x, y }]);
    await point("touchMove", [{ x: x + dx, y: y + dy }]);
    await point("touchEnd", []);
  }
  await page.waitForFunction(() => Number(document.getElementById("moves-2048").textContent) > 4);
  check("touch: swipes play 2048", true, await page.textContent("#moves-2048"));
  await go(page, "go");
  await page.waitForSelector("#stones line", { state: "attached" });
  // Chromium takes the first tap after swipes as quick as these for the end of a scroll.
  await tap(page.locator("h1"));
  await tap(page.locator("#stones"), { position: { x: 100, y: 100 } });
  await page.waitForFunction(() => document.querySelectorAll("#stones .stone").length === 2);
  check("touch: a tap plays Go", true);
  await go(page, "match-3?level=01-meadow");
  await page.waitForSelector("#pieces .cell");
  await tap(page.locator("#hint"));
  await until(page, /Swap/);
  const [column, row] = /column (\d+), row (\d+)/.exec(await status(page)).slice(1).map(Number);
  const isRight = /right/.test(await status(page));
  const columns = await page.evaluate(() => Number(getComputedStyle(document.getElementById("pieces")).getPropertyValue("--columns")));
  const to = (row - 1 + (isRight ? 0 : 1)) * columns + column - 1 + (isRight ? 1 : 0);
  await tap(page.locator("#pieces .cell").nth(to));
  await until(page, /points/);
  check("touch: taps swap pieces", true, await status(page));
  await go(page, "tetris");
  await page.waitForSelector("#placements tr");
  await tap(page.locator("#versus"));
  for (let i = 0; i < 80 && !/wins|win\./.test(await status(page)); i++) await tap(page.locator("#key-hard-drop"));
  check("touch: taps play Tetris to an end", /wins|win\./.test(await status(page)), await status(page));
  for (const hash of ["2048", "match-3", "tetris", "go", "contest", "measure"]) {
    await go(page, hash);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    check(`360 px: #${hash} needs no scrolling sideways`, wide <= 360, wide);
  }
  await page.context().close();
}

async function look(used) {
  const fumen = await used.evaluate(async () => {
    const { Engine } = await import("./engine.js");
    const engine = new Engine("tetris");
    const page = { board: "##........\n#...######\n##.#######", piece: null, comment: "#Q=[L](T)OISZJ" };
    const text = await engine.text("bitcade_fumen_encode", JSON.stringify([page]));
    engine.worker.terminate();
    return text;
  });
  for (const [width, height] of [[360, 740], [1440, 900]]) {
    // Firefox shows the system's scheme only.
    for (const colorScheme of isFirefox ? ["light"] : ["light", "dark"]) {
      const page = await open({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
      for (const hash of ["2048?board=9a4218310000000b", "match-3?level=04-warehouse",
        `tetris?fumen=${encodeURIComponent(fumen)}`, "go?moves=E5 C3 G7 G3 C7 D6",
        "contest?piece=5000", "measure"]) {
        const tab = hash.split("?")[0];
        await page.goto("about:blank");
        await page.goto(`${address}#${hash}`);
        await page.waitForLoadState("networkidle");
        if (tab === "2048") await values(page);
        if (tab === "match-3") {
          await page.click("#test");
          await page.waitForTimeout(1500);
          await page.click("#test");
        }
        if (tab === "go") {
          await page.click("#analyze-go");
          await page.waitForSelector("#stones .own", { state: "attached" });
          await page.click("#analyze-go");
        }
        await page.waitForTimeout(400);
        await page.screenshot({ path: join(shots, `${process.argv[2]}-${tab}-${width}-${colorScheme}.png`), fullPage: true });
        await page.evaluate(axe);
        const found = await page.evaluate(async () => {
          const { violations } = await globalThis.axe.run(document);
          const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
          return serious.map(({ id, nodes }) => `${id} ${nodes[0].target} (${nodes.length})`);
        });
        check(`axe: #${tab}, ${width} px, ${colorScheme}`, found.length === 0, found.join("; "));
      }
      await page.context().close();
    }
  }
}

async function offline() {
  const page = await open({});
  await page.goto(address);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => caches.keys().then((names) => names.length === 1));
  await values(page);
  isOffline = true;
  await page.reload();
  await values(page);
  await go(page, "tetris");
  await page.waitForSelector("#placements tr");
  check("offline: the page reloads and its engines run", true);
  isOffline = false;
  await page.context().close();
}

try {
  const page = await open({ serviceWorkers: "block" });
  await page.goto(address);
  const parts = [compareWithNative, use2048, useMatch3, useTetris, useGo, useContest, measure, frames, touch, look, offline, refuseBadAddresses];
  for (const part of parts) {
    if (chosen.length > 0 && !chosen.includes(part.name)) continue;
    try {
      await part(page);
    } catch (error) {
      check(part.name, false, error.message.split("\n")[0]);
    }
  }
  check("no errors in the console", errors.length === 0, errors.join("; "));
} finally {
  await browser.close();
  server.close();
}
process.exit(failures > 0 ? 1 : 0);
