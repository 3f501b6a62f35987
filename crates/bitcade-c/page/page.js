/** What all tabs share: elements, errors, the address, boards of cells. */

/** @param {string} id @returns {any} */
export const $ = (id) => document.getElementById(id);

/** Shows a line under the tabs. @param {string} text @param {boolean} [isError] */
export function say(text, isError = false) {
  $("status").textContent = text;
  $("status").classList.toggle("error", isError);
}

/** Runs a handler; an error becomes a line, and the page goes on. @param {() => any} run */
export async function attempt(run) {
  try {
    await run();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    say(text, true);
  }
}

/** Returns a function that runs handlers one after the other. */
export function inOrder() {
  let last = Promise.resolve();
  return (/** @type {() => any} */ run) => (last = last.then(() => attempt(run)));
}

/** @param {string} id @param {() => any} run */
export const click = (id, run) => $(id).addEventListener("click", () => attempt(run));

/** @param {string} tag @param {Record<string, any>} [properties] @param {(Node | string)[]} children @returns {any} */
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** Puts a tab's state into the address. @param {string} tab @param {Record<string, string>} state */
export function share(tab, state) {
  // A late answer of another tab leaves the address alone.
  if ($(tab).hidden) return;
  const parts = Object.entries(state).filter(([, value]) => value !== "");
  const query = parts.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");
  history.replaceState(null, "", query ? `#${tab}?${query}` : `#${tab}`);
}

export const seed = () => crypto.getRandomValues(new BigUint64Array(1))[0];

/** @param {number} milliseconds */
export const pause = (milliseconds) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** @param {number} value */
export const whole = (value) => Math.round(value).toLocaleString("en");

/**
 * Fills an element with a grid of buttons, of which one is in the tab order; arrow keys move.
 * @param {HTMLElement} root @param {number} width @param {number} height
 * @param {(x: number, y: number, event: MouseEvent) => any} [press]
 * @returns {HTMLButtonElement[]}
 */
export function grid(root, width, height, press) {
  root.style.setProperty("--columns", String(width));
  const cells = Array.from({ length: width * height }, (_, i) => {
    const tag = press ? "button" : "span";
    const cell = element(tag, { className: "cell" });
    if (press) {
      Object.assign(cell, { type: "button", tabIndex: i === 0 ? 0 : -1 });
      cell.onclick = (/** @type {MouseEvent} */ event) =>
        attempt(() => press(i % width, Math.floor(i / width), event));
    }
    return cell;
  });
  root.replaceChildren(...cells);
  root.onkeydown = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width }[event.key];
    const at = cells.indexOf(/** @type {any} */ (document.activeElement));
    if (!press || step === undefined || at < 0 || event.defaultPrevented) return;
    const to = at + step;
    const isRowKept = Math.abs(step) > 1 || Math.floor(to / width) === Math.floor(at / width);
    if (cells[to] && isRowKept) {
      cells[at].tabIndex = -1;
      cells[to].tabIndex = 0;
      cells[to].focus();
    }
    event.preventDefault();
  };
  return cells;
}

/** Calls `move` with 0 left, 1 right, 2 up or 3 down. @param {HTMLElement} root @param {(direction: number, start: EventTarget | null) => any} move */
export function swipes(root, move) {
  /** @type {PointerEvent | undefined} */
  let start;
  root.addEventListener("pointerdown", (event) => (start = event));
  root.addEventListener("pointerup", (event) => {
    if (!start) return;
    const [dx, dy] = [event.clientX - start.clientX, event.clientY - start.clientY];
    const from = start.target;
    start = undefined;
    if (Math.max(Math.abs(dx), Math.abs(dy)) < 20) return;
    const direction = Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? 1 : 0) : dy > 0 ? 3 : 2;
    attempt(() => move(direction, from));
  });
}
