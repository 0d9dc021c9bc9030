// The mark says whether LMDB's files are what LMDB wrote: it writes without syncing, so that after a power cut they may be
// any mixture of old and new pages, and reading those could end the process. Owner only.

import { type Files, readText, replaceFile, syncPath } from './files.ts';
import { LMDB_DATA_NAME, MARK_NAME, STATE_NAME } from './layout.ts';

/** `open`: being written to since the machine started under that boot id. `clean`: everything is on disk. */
type Mark = { readonly is: 'open'; readonly bootId: string } | { readonly is: 'clean' } | { readonly is: 'none' };

const MARK_BYTES_MAX = 256;
const OPEN = /^open ([0-9a-f-]{1,64})\n$/;
const CLEAN = 'clean\n';
/** Equal to no boot id, so that after a crash the state is built anew. */
const UNKNOWN = '-';

export function readMark(files: Files, folder: string): Mark {
  const text = readText(files, `${folder}/${MARK_NAME}`, MARK_BYTES_MAX);
  if (text === CLEAN) return { is: 'clean' };
  const bootId = OPEN.exec(text ?? '')?.[1];
  return bootId === undefined ? { is: 'none' } : { is: 'open', bootId };
}

/** On disk when it returns: only then may LMDB write. */
export function markOpen(files: Files, folder: string, bootId: string | null): void {
  replaceFile(files, folder, MARK_NAME, `open ${bootId ?? UNKNOWN}\n`);
}

/** On disk when it returns: whatever is there now is not believed, and no member joins, until it is marked again. */
export function unmark(files: Files, folder: string): void {
  files.remove(`${folder}/${MARK_NAME}`);
  files.syncFolder(folder);
}

/** Puts the state on disk and says so; the journal is there already, and nobody writes any more. */
export function markClean(files: Files, folder: string): void {
  syncPath(files, `${folder}/${STATE_NAME}/${LMDB_DATA_NAME}`);
  files.syncFolder(`${folder}/${STATE_NAME}`);
  replaceFile(files, folder, MARK_NAME, CLEAN);
}

export function isStateBelieved(mark: Mark, bootId: string | null): boolean {
  return mark.is === 'clean' || (mark.is === 'open' && mark.bootId === bootId);
}
