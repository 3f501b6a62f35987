// Runs a test binary of the target wasm32-wasip1 in Node.js: `node wasi.mjs FILE.wasm ARGUMENTS`. The folder in which
// it starts is the only one that the binary sees.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [file, ...args] = process.argv.slice(2);
const wasi = new WASI({
  version: "preview1",
  args: [file, ...args],
  env: process.env,
  preopens: { ".": "." },
  returnOnExit: true,
});
// Plain functions around those of node:wasi. Node.js 20 has a segmentation fault where a module calls them often enough
// that the engine replaces the calls by direct ones.
const imports = {};
for (const [name, call] of Object.entries(wasi.wasiImport)) {
  imports[name] = (...values) => call(...values);
}
const module = await WebAssembly.compile(await readFile(file));
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: imports });
process.exitCode = wasi.start(instance);
