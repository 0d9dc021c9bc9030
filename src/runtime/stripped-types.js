// Each source file is stripped of its types once, not by every thread at every start: that was a third of the processor time of a
// start, and 10 MB of memory a thread. What is left of a file is kept by the hash of its text, so that it is never another's; and
// behind a hash of its own, since nothing waits for the disk: what a power cut has left half written is not run. Where it cannot be
// kept, it is stripped again. Loaded before everything else (`--import`), by every thread; plain JavaScript, as nobody is there yet
// to strip it.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread, threadId } from 'node:worker_threads';

/** Goes with the installation. Whoever may write there may write its code as well. */
const FOLDER = fileURLToPath(new URL(`../../node_modules/.cache/crossbook/${process.version}/`, import.meta.url));
const HASH_CHARACTERS = 64;

/** Of Node 22, as the native packages are. */
const ABI = '127';

if (process.versions.modules !== ABI) {
  const wanted = 'node_modules/.bin/node, which npm ci installs and npm start uses';
  process.stderr.write(
    `crossbook: runs on Node 22, not on ${process.version} (${process.execPath}): start it with ${wanted}\n`,
  );
  process.exit(1);
}

/** WebAssembly reserves 10 GiB for each of: the types' stripper, the parser of HTTP, Keccak. */
const ADDRESS_SPACE_MIN_KIB = 40 * 1_024 * 1_024;

if (isMainThread) needAddressSpace();

nodeModule.registerHooks({
  // What it says is where it is: Node would look for links, folders and package.json on the way to each (a 25th of a start).
  resolve(specifier, context, nextResolve) {
    if (!/^\.\.?\/.*\.ts$/.test(specifier) || context.parentURL === undefined) return nextResolve(specifier, context);
    return { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true };
  },
  load(url, context, nextLoad) {
    if (context.format !== 'module-typescript' || !url.startsWith('file:')) return nextLoad(url, context);
    const source = readFileSync(new URL(url), 'utf8');
    const path = FOLDER + hashOf(source);
    const text = kept(path) ?? keep(path, nodeModule.stripTypeScriptTypes(source));
    return { format: 'module', source: text, shortCircuit: true };
  },
});

/** Without it the first of them ends the process with a trace; src/main.ts asks for what the gateway needs beside that. */
function needAddressSpace() {
  const [, bytes] = /^Max address space +(\d+)/m.exec(limitsText()) ?? [];
  const maxKib = bytes === undefined ? Number.POSITIVE_INFINITY : Math.floor(Number(bytes) / 1_024);
  if (maxKib >= ADDRESS_SPACE_MIN_KIB) return;
  const rule = `must be at least ${ADDRESS_SPACE_MIN_KIB} KiB, or unlimited: it is reserved, no memory`;
  process.stderr.write(`crossbook: the limit of address space (ulimit -v) is ${maxKib} KiB, and ${rule}\n`);
  process.exit(1);
}

/** Empty where the system is not Linux. */
function limitsText() {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

/**
 * Null if it is not there whole.
 * @param {string} path
 */
function kept(path) {
  try {
    const file = readFileSync(path, 'utf8');
    const text = file.slice(HASH_CHARACTERS + 1);
    return file.slice(0, HASH_CHARACTERS) === hashOf(text) ? text : null;
  } catch {
    return null;
  }
}

/**
 * Whole or not at all, as other threads and processes may be reading it. Returns the text.
 * @param {string} path
 * @param {string} text
 */
function keep(path, text) {
  const draft = `${path}.${process.pid}.${threadId}`;
  try {
    mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${hashOf(text)}\n${text}`, { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // A folder that is read-only, say.
  }
  return text;
}

/**
 * Hex of SHA-256.
 * @param {string} text
 */
function hashOf(text) {
  return createHash('sha256').update(text).digest('hex');
}
