/** The tabs and the address. */
import { $, attempt, say } from "./page.js";

/** @type {Record<string, () => Promise<{open: (state: URLSearchParams) => any, close?: () => any}>>} */
const tabs = {
  2048: () => import("./2048.js"),
  "match-3": () => import("./match3.js"),
  tetris: () => import("./tetris.js"),
  go: () => import("./go.js"),
  contest: () => import("./contest.js"),
  measure: () => import("./measure.js"),
};

/** @type {(() => any) | undefined} */
let close;

function show() {
  const [hash, query] = location.hash.slice(1).split("?");
  const isKnown = hash === "" || hash in tabs;
  const name = hash in tabs ? hash : "2048";
  say("");
  for (const tab of Object.keys(tabs)) {
    $(tab).hidden = tab !== name;
    const link = document.querySelector(`nav a[href="#${tab}"]`);
    if (tab === name) link?.setAttribute("aria-current", "page");
    else link?.removeAttribute("aria-current");
  }
  document.title = `bitcade: ${document.querySelector(`nav a[href="#${name}"]`)?.textContent}`;
  attempt(async () => {
    close?.();
    const module = await tabs[name]();
    close = module.close;
    await module.open(new URLSearchParams(query ?? ""));
    if (!isKnown) say(`no tab ${JSON.stringify(hash)}: this is ${name}`, true);
  });
}

addEventListener("hashchange", show);
show();
if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("sw.js").catch(() => {
    // Without one, as on a page that was opened as a file, the page isn't there offline.
  });
}
