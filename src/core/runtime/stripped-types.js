// Strips types from each source file once, not in every thread at every start. That took a third of a start's processor time, and 10 MB
// of memory a thread. The result is cached under the hash of the source, so that it always matches. It starts with its own hash, since no
// write waits for the disk: a file that a power cut has torn is not run. If it cannot be cached, each start strips again. Every thread
// loads this file first (`--import`). Plain JavaScript, as nothing could strip its types.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread, threadId } from 'node:worker_threads';

/** Part of the installation: a user who may write there may change its code as well. */
const FOLDER = fileURLToPath(new URL(`../../../node_modules/.cache/crossbook/${process.version}/`, import.meta.url));
const HASH_CHARACTERS = 64;

/** ABI of Node 22, which the native packages are built for. */
const ABI = '127';

if (process.versions.modules !== ABI) {
  const wanted = 'node_modules/.bin/node, which npm ci installs and npm start uses';
  process.stderr.write(
    `crossbook: runs on Node 22, not on ${process.version} (${process.execPath}): start it with ${wanted}\n`,
  );
  process.exit(1);
}

/** WebAssembly reserves 10 GiB each for the type stripper, the HTTP parser and Keccak. */
const ADDRESS_SPACE_MIN_KIB = 40 * 1_024 * 1_024;

if (isMainThread) needAddressSpace();

nodeModule.registerHooks({
  // The path is exact. Node would look for links, folders and package.json on the way to each (a 25th of a start).
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

/** Without it, the first of them ends the process with a stack trace. src/main.ts checks what the gateway needs besides. */
function needAddressSpace() {
  const [, bytes] = /^Max address space +(\d+)/m.exec(limitsText()) ?? [];
  const maxKib = bytes === undefined ? Number.POSITIVE_INFINITY : Math.floor(Number(bytes) / 1_024);
  if (maxKib >= ADDRESS_SPACE_MIN_KIB) return;
  const rule = `must be at least ${ADDRESS_SPACE_MIN_KIB} KiB, or unlimited: the gateway reserves address space, not memory`;
  process.stderr.write(`crossbook: the limit of address space (ulimit -v) is ${maxKib} KiB, and ${rule}\n`);
  process.exit(1);
}

/** Empty on systems other than Linux. */
function limitsText() {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

/**
 * Null if the file is missing or incomplete.
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
 * Writes the file atomically, as other threads and processes may read it. Returns the text.
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
    // For example a read-only folder.
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
