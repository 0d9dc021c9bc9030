// The data directory at a start. A directory of the paper exchanges records that only they were ever its venues. It may be left for a new
// one: it is renamed, with the gateway's ledger and the exchanges' state, and nothing is deleted. Main thread.

import { existsSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from './config.ts';
import { wordsOf } from './core/domain/error-words.ts';
import { makePrivateFolder, writePrivateFile } from './core/runtime/private-file.ts';
import { ConfigError } from './core/runtime/setting-values.ts';
import { refusePartOfRestore } from './core/store/data-files.ts';
import { takeOwnership } from './core/store/owner-lock.ts';
import { StoreError } from './core/store/store-error.ts';
import { holdsLedger } from './orders/history/ledger-folder.ts';

const RECORD = 'source';
const RECORD_TEXT = 'Only the paper exchanges were ever the venues of this data directory.\n';

/** The folder of the exchanges in a data directory. */
export function paperFolderOf(dataDir: string): string {
  return join(dataDir, 'paper');
}

/**
 * Makes it if there is none. Returns a line that says where the one before is, if it was left; else an empty text. Throws a ConfigError if it cannot be made or left,
 * and a StoreError if it is a part, or open elsewhere.
 */
export function openDataDir({ dataDir, isFresh, source }: Pick<Config, 'dataDir' | 'isFresh' | 'source'>): string {
  const left = isFresh ? leave(dataDir, new Date()) : null;
  try {
    makePrivateFolder(dataDir);
  } catch (error) {
    throw new ConfigError(`CROSSBOOK_DATA_DIR: must be a folder, or one that can be made: ${wordsOf(error)}`);
  }
  refusePartOfRestore(dataDir);
  try {
    recordSource(dataDir, source);
  } catch (error) {
    throw new StoreError(`${paperFolderOf(dataDir)}: ${wordsOf(error)}`);
  }
  return left === null ? '' : `crossbook begins anew; what it had is in ${left}\n`;
}

/** Records the source in a new directory, and takes the record back before other venues trade with it. */
function recordSource(dataDir: string, { kind }: Config['source']): void {
  const folder = paperFolderOf(dataDir);
  const record = join(folder, RECORD);
  if (kind === 'paper' && !existsSync(record) && !holdsLedger(join(dataDir, 'orders'))) {
    makePrivateFolder(folder);
    writePrivateFile(record, RECORD_TEXT);
  }
  if (kind === 'venues' && existsSync(record)) renameSync(record, `${record}.before-other-venues`);
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
