// Prepares the data directory at a start. A directory of the paper exchanges has a record that only they were ever its venues. Such a
// directory may be left for a new one. It is then renamed as a whole, with the gateway's ledger and the state of the exchanges, and nothing
// is deleted. A directory with orders at the real venues, or with orders of live-paper, has a record of that mode, and no other mode opens
// it. Main thread.

import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Config, isPaper } from './config.ts';
import { wordsOf } from './core/domain/error-words.ts';
import { makePrivateFolder, writePrivateFile } from './core/runtime/private-file.ts';
import { ConfigError } from './core/runtime/setting-values.ts';
import { refusePartOfRestore } from './core/store/data-files.ts';
import { takeOwnership } from './core/store/owner-lock.ts';
import { StoreError } from './core/store/store-error.ts';
import { hasLedger } from './orders/history/ledger-folder.ts';

const RECORD = 'source';
const RECORD_TEXT = 'Only the paper exchanges were ever the venues of this data directory.\n';

/** The name of the file that holds the mode whose orders are in the ledger. */
const MODE = 'mode';
type KeptMode = 'live' | 'live-paper';

/** The folder of the paper exchanges in a data directory. */
export function paperFolderOf(dataDir: string): string {
  return join(dataDir, 'paper');
}

/**
 * Makes the data directory if there is none. If the former directory was left, returns a line with its new place. Otherwise returns an
 * empty text. Throws a ConfigError if the directory cannot be made or left. Throws a StoreError if the directory is part of an unfinished
 * restore, or is open in another process.
 */
export function openDataDir({
  dataDir,
  isFresh,
  source,
  podsFile,
}: Pick<Config, 'dataDir' | 'isFresh' | 'source' | 'podsFile'>): string {
  const left = isFresh ? leave(dataDir, new Date()) : null;
  try {
    makePrivateFolder(dataDir);
  } catch (error) {
    throw new ConfigError(`CROSSBOOK_DATA_DIR: must be a folder, or one that can be made: ${wordsOf(error)}`);
  }
  refusePartOfRestore(dataDir);
  const mode = source.kind === 'live-paper' ? 'live-paper' : source.kind === 'venues' && podsFile ? 'live' : null;
  refuseOtherMode(dataDir, source, mode);
  try {
    if (mode !== null) writePrivateFile(join(dataDir, MODE), `${mode}\n`);
    recordSource(dataDir, source);
  } catch (error) {
    throw new StoreError(`${paperFolderOf(dataDir)}: ${wordsOf(error)}`);
  }
  return left === null ? '' : `crossbook begins anew; what it had is in ${left}\n`;
}

/** Throws a ConfigError if the directory has orders of another mode. They would be looked up at venues that never had them. */
function refuseOtherMode(dataDir: string, source: Config['source'], mode: KeptMode | null): void {
  const record = join(dataDir, MODE);
  const kept = existsSync(record) ? readFileSync(record, 'utf8').trim() : null;
  if (kept === null && !(mode === 'live-paper' && hasLedger(join(dataDir, 'orders')))) return;
  // The real venues without accounts are also accepted, because no order is looked up there.
  if (kept === mode || (kept === 'live' && !isPaper(source))) return;
  const has = kept === null ? 'has orders of another mode' : `is of the mode ${kept}`;
  const why = 'the venues of this start never had its orders';
  throw new ConfigError(`CROSSBOOK_DATA_DIR: ${resolve(dataDir)} ${has}, and ${why}: choose another folder`);
}

/**
 * Records in a new directory that its venues are the paper exchanges. Takes the record back before other venues trade with the directory.
 */
function recordSource(dataDir: string, source: Config['source']): void {
  const folder = paperFolderOf(dataDir);
  const record = join(folder, RECORD);
  if (isPaper(source) && !existsSync(record) && !hasLedger(join(dataDir, 'orders'))) {
    makePrivateFolder(folder);
    writePrivateFile(record, RECORD_TEXT);
  }
  if (source.kind === 'venues' && existsSync(record)) renameSync(record, `${record}.before-other-venues`);
}

/** Renames the data directory. Returns its new path, or null if there was no directory. */
function leave(dataDir: string, now: Date): string | null {
  const folder = resolve(dataDir);
  if (!existsSync(folder)) return null;
  const paper = paperFolderOf(folder);
  if (!existsSync(join(paper, RECORD))) {
    throw new ConfigError(
      `--fresh: ${folder} does not record that only the paper exchanges were its venues; move it away yourself if you mean it`,
    );
  }
  takeOwnership(paper)();
  const left = `${folder}-until-${now.toISOString().replaceAll(/[:.]/g, '-')}`;
  try {
    renameSync(folder, left);
  } catch (error) {
    throw new ConfigError(`--fresh: ${folder} cannot be renamed: ${wordsOf(error)}; move what is in it away yourself`);
  }
  return left;
}
