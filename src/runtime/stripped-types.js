// Each source file is stripped of its types once, not by every thread at every start: that was a third of the processor time of a
// start, and 10 MB of memory a thread. What is left of a file is kept by the hash of its text, so that it is never another's; where
// it cannot be kept, it is stripped again. Loaded before everything else (`--import`), by every thread; plain JavaScript, as nobody
// is there yet to strip it.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';

/** Goes with the installation. Whoever may write there may write its code as well. */
const FOLDER = fileURLToPath(new URL(`../../node_modules/.cache/crossbook/${process.version}/`, import.meta.url));

registerHooks({
  load(url, context, nextLoad) {
    if (context.format !== 'module-typescript' || !url.startsWith('file:')) return nextLoad(url, context);
    const source = readFileSync(new URL(url), 'utf8');
    const path = FOLDER + createHash('sha256').update(source).digest('hex');
    return { format: 'module', source: kept(path) ?? keep(path, stripTypeScriptTypes(source)), shortCircuit: true };
  },
});

/** @param {string} path */
function kept(path) {
  try {
    return readFileSync(path, 'utf8');
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
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // A folder that is read-only, say.
  }
  return text;
}
