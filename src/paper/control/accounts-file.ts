// `accounts.json`: the demo accounts with their secrets, in a file of its owner's only, so that a restart of the paper
// exchanges does not change them. Complete or not there at all; never in place of another.

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../domain/json.ts';
import { fail, type Result } from '../../domain/result.ts';
import { limits } from '../../limits.ts';
import type { ChainId } from '../../venues/venue-a/exchanges.ts';
import { createDemoAccounts, type DemoAccounts, readDemoAccounts } from './demo-accounts.ts';

const FILE_NAME = 'accounts.json';
const OTHERS = 0o077;

/**
 * Those of the folder; made there, for this chain, if there are none. Throws what node:fs throws. What is wrong with a file
 * that is there is told without what is in it.
 */
export async function demoAccountsIn(folder: string, chainId: ChainId): Promise<Result<DemoAccounts, string>> {
  const path = join(folder, FILE_NAME);
  const before = read(path);
  if (before !== null) return before;
  const accounts = await createDemoAccounts(chainId);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  write(path, `${JSON.stringify(accounts, null, 2)}\n`);
  // Somebody else's, if another process was quicker.
  return read(path) ?? fail(`${path}: must not be taken away while it is read`);
}

/** Null if there is none. */
function read(path: string): Result<DemoAccounts, string> | null {
  const file = openIfThere(path);
  if (file === null) return null;
  try {
    // Of the open file, so that nobody can put another one in its place between the look and the reading.
    const { mode, size } = fstatSync(file);
    // Windows has no such bits.
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
      return fail(`${path}: must be its owner’s only; chmod 600 it`);
    if (size > limits.paperAccountsFileBytesMax)
      return fail(`${path}: must not be longer than ${limits.paperAccountsFileBytesMax} bytes`);
    const accounts = readDemoAccounts(parseJson(readFileSync(file, 'utf8')), '');
    return accounts.ok ? accounts : fail(`${path}: ${accounts.error}`);
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Leaves what is there as it is. */
function write(path: string, text: string): void {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
    // Unlike a rename, a link never replaces what is there.
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    closeSync(file);
    unlinkSync(draft);
  }
}
