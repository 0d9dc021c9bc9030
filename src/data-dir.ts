// The data directory at a start. A directory of the paper exchanges records that only they were ever its venues. It may be left for a new
// one: it is renamed, with the gateway's ledger and the exchanges' state, and nothing is deleted. A directory with orders at the real venues,
// or with those of live-paper, records that, and no other mode opens it. Main thread.

import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Config, isPaper } from './config.ts';
import { wordsOf } from './core/domain/error-words.ts';
import { makePrivateFolder, writePrivateFile } from './core/runtime/private-file.ts';
import { ConfigError } from './core/runtime/setting-values.ts';
import { refusePartOfRestore } from './core/store/data-files.ts';
import { takeOwnership } from './core/store/owner-lock.ts';
import { StoreError } from './core/store/store-error.ts';
import { holdsLedger } from './orders/history/ledger-folder.ts';

const RECORD = 'source';
const RECORD_TEXT = 'Only the paper exchanges were ever the venues of this data directory.\n';

/** Holds the mode whose orders the ledger has. */
const MODE = 'mode';
type KeptMode = 'live' | 'live-paper';

/** The folder of the exchanges in a data directory. */
export function paperFolderOf(dataDir: string): string {
  return join(dataDir, 'paper');
}

/**
 * Makes it if there is none. Returns a line that says where the one before is, if it was left; else an empty text. Throws a ConfigError if it cannot be made or left,
 * and a StoreError if it is a part, or open elsewhere.
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

/** Orders of another mode would be looked up at other venues, which never had them. Throws a ConfigError. */
function refuseOtherMode(dataDir: string, source: Config['source'], mode: KeptMode | null): void {
  const record = join(dataDir, MODE);
  const kept = existsSync(record) ? readFileSync(record, 'utf8').trim() : null;
  if (kept === null && !(mode === 'live-paper' && holdsLedger(join(dataDir, 'orders')))) return;
  // Without accounts there, the real venues are asked for no order.
  if (kept === mode || (kept === 'live' && !isPaper(source))) return;
  const has = kept === null ? 'has orders of another mode' : `is of the mode ${kept}`;
  const why = 'the venues of this start never had its orders';
  throw new ConfigError(`CROSSBOOK_DATA_DIR: ${resolve(dataDir)} ${has}, and ${why}: choose another folder`);
}

/** Records the source in a new directory, and takes the record back before other venues trade with it. */
function recordSource(dataDir: string, source: Config['source']): void {
  const folder = paperFolderOf(dataDir);
  const record = join(folder, RECORD);
  if (isPaper(source) && !existsSync(record) && !holdsLedger(join(dataDir, 'orders'))) {
    makePrivateFolder(folder);
    writePrivateFile(record, RECORD_TEXT);
  }
  if (source.kind === 'venues' && existsSync(record)) renameSync(record, `${record}.before-other-venues`);
}

/** Renames it. Returns its new path; null: there was none. */
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
