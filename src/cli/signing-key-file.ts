// Secrets that a command signs with, from files of `crossbook keys create`, `crossbook api-keys create` and the first start. A
// file that others may read is refused: its readers can trade. No message has its content.

import { join } from 'node:path';
import type { SigningKeyPair } from '../client/signer.ts';
import { isObject, parseJson, textOf } from '../domain/json.ts';
import { readPrivateFile } from '../runtime/private-file.ts';
import { type Arguments, type CommandIo, dataDirOf, UsageError } from './command-io.ts';

const FILE_BYTES_MAX = 4_096;

/** Reads the file of `--key`, or the demo identity's: JSON `{keyId, seedHex}`. */
export function signingKeyOf(args: Arguments, io: CommandIo): SigningKeyPair {
  const path = args.one('key') ?? join(dataDirOf(args, io), 'demo', 'key.json');
  const value = parseJson(readSecret('key', path, 'crossbook keys create'));
  const [keyId, seedHex] = isObject(value) ? [textOf(value.keyId), textOf(value.seedHex)] : ['', ''];
  if (!/^[\x21-\x7e]+$/.test(keyId) || !/^[0-9a-f]{64}$/i.test(seedHex)) {
    throw new UsageError(`--key: ${path} must hold JSON {"keyId", "seedHex"}, the seed as 64 hex digits`);
  }
  return { keyId, seedHex };
}

/** Reads the file of `--api-key`, or the demo identity's: one line. */
export function apiKeyOf(args: Arguments, io: CommandIo): string {
  const path = args.one('api-key') ?? join(dataDirOf(args, io), 'demo', 'api-key.txt');
  const text = readSecret('api-key', path, 'crossbook api-keys create').trim();
  if (!/^[\x21-\x7e]+$/.test(text)) throw new UsageError(`--api-key: ${path} must hold one API key`);
  return text;
}

function readSecret(option: string, path: string, maker: string): string {
  const secret = readPrivateFile(path, FILE_BYTES_MAX);
  if (secret.ok) return secret.value;
  const { isMissing, words } = secret.error;
  if (!isMissing) throw new UsageError(`--${option}: ${path} ${words}`);
  throw new UsageError(`--${option}: there is no ${path}; the gateway's first start makes one, and so does ${maker}`);
}
