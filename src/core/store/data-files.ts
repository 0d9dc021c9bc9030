// Small files of the data directory: its random numbers, and the draft of a restore.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { wordsOf } from '../domain/error-words.ts';
import { makePrivateFolder, readPrivateFile, writePrivateFile } from '../runtime/private-file.ts';
import { StoreError } from './store-error.ts';

// The random numbers of the data directory: 32 bytes each, in a private file that the first reader makes.

export const GATEWAY_ID_NAME = 'gateway.id';
/** The number of digits of a random id. So many digits are enough that no two data directories have the same id. */
const GATEWAY_ID_DIGITS = 16;
const SECRET_BYTES = 32;
/** The largest size of the file: two characters a byte, and a line end of one or two characters. */
const SECRET_FILE_BYTES_MAX = 2 * SECRET_BYTES + 2;

/** Reads the secret. The first reader makes the secret. Throws a StoreError that names the file that cannot be used. */
export function secretIn(path: string, why: string): string {
  try {
    makePrivateFolder(dirname(path));
    const made = randomBytes(SECRET_BYTES).toString('hex');
    if (writePrivateFile(path, `${made}\n`)) return made;
  } catch (error) {
    throw new StoreError(`${path}: ${wordsOf(error)}`);
  }
  const kept = readPrivateFile(path, SECRET_FILE_BYTES_MAX);
  if (!kept.ok) throw new StoreError(`${path}: ${kept.error.words}`);
  const secretHex = kept.value.trimEnd();
  if (!/^[0-9a-f]{64}$/.test(secretHex)) throw new StoreError(`${path}: must hold 64 hex digits: ${why}`);
  return secretHex;
}

/** Returns the gateway's id, which names this gateway as the owner of a pod. Throws a StoreError that names a file that cannot be used. */
export function gatewayIdIn(dataDir: string): string {
  return secretIn(join(dataDir, GATEWAY_ID_NAME), 'the owner of a pod is named by it').slice(0, GATEWAY_ID_DIGITS);
}

// The draft of a restore, which lies within the data directory that it becomes. Main thread at the start, and the command line.

export const RESTORE_DRAFT = 'restoring';

/** Throws a StoreError if a restore was cut off, so that the directory is incomplete. */
export function refusePartOfRestore(dataDir: string): void {
  const draft = join(dataDir, RESTORE_DRAFT);
  if (existsSync(draft))
    throw new StoreError(`${draft}: belongs to a restore that was not finished: empty ${dataDir}, and restore again`);
}
