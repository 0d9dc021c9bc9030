// The secrets that a command signs with, from the files that `crossbook keys create`, `crossbook api-keys create` and the
// first start write. A file that others may read is refused: whoever can read it can trade. What is in it is in no message.

import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SigningKeyPair } from '../client/signer.ts';
import { isObject, parseJson, textOf } from '../domain/json.ts';
import { type Arguments, type CommandIo, dataDirOf, UsageError } from './command-io.ts';

const FILE_BYTES_MAX = 4_096;
const OTHERS = 0o077;

/** Of `--key`, or the demo identity's. JSON `{keyId, seedHex}`. */
export function signingKeyOf(args: Arguments, io: CommandIo): SigningKeyPair {
  const path = args.one('key') ?? join(dataDirOf(args, io), 'demo', 'key.json');
  const value = parseJson(readSecret('key', path, 'crossbook keys create'));
  const [keyId, seedHex] = isObject(value) ? [textOf(value.keyId), textOf(value.seedHex)] : ['', ''];
  if (!/^[\x21-\x7e]+$/.test(keyId) || !/^[0-9a-f]{64}$/i.test(seedHex)) {
    throw new UsageError(`--key: ${path} must hold JSON {"keyId", "seedHex"}, the seed as 64 hex digits`);
  }
  return { keyId, seedHex };
}

/** Of `--api-key`, or the demo identity's: one line. */
export function apiKeyOf(args: Arguments, io: CommandIo): string {
  const path = args.one('api-key') ?? join(dataDirOf(args, io), 'demo', 'api-key.txt');
  const text = readSecret('api-key', path, 'crossbook api-keys create').trim();
  if (!/^[\x21-\x7e]+$/.test(text)) throw new UsageError(`--api-key: ${path} must hold one API key`);
  return text;
}

function readSecret(option: string, path: string, maker: string): string {
  const file = openSecret(option, path, maker);
  try {
    // Of the open file, so that nobody can put another one in its place between the look and the reading.
    const { mode, size } = fstatSync(file);
    // Windows has no such bits.
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      const shown = (mode & 0o777).toString(8);
      throw new UsageError(`--${option}: ${path} is open to others than its owner (mode ${shown}); chmod 600 it`);
    }
    if (size > FILE_BYTES_MAX) throw new UsageError(`--${option}: ${path} is longer than ${FILE_BYTES_MAX} bytes`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function openSecret(option: string, path: string, maker: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isMissing) throw new UsageError(`--${option}: ${error instanceof Error ? error.message : String(error)}`);
    throw new UsageError(`--${option}: there is no ${path}; the gateway's first start makes one, and so does ${maker}`);
  }
}
