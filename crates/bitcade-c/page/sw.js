// Keeps the page for use without a network. `cargo xtask web` replaces the two constants.
const VERSION = "0";
/** @type {string[]} */
const FILES = [];

const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => {
  // Past the browser's own cache, which may hold files of an older version.
  const files = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(files)));
  worker.skipWaiting();
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  const old = caches.keys().then((names) => names.filter((name) => name !== VERSION));
  event.waitUntil(old.then((names) => Promise.all(names.map((name) => caches.delete(name)))));
  event.waitUntil(worker.clients.claim());
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.match(event.request).then((response) => response ?? fetch(event.request)));
});
