// `accounts.json`: the demo accounts with their secrets, readable by its owner only, so that they survive a restart of
// the paper exchanges. The file is complete or absent; it never replaces another.

import { join } from 'node:path';
import { parseJson } from '../../domain/json.ts';
import { fail, type Result } from '../../domain/result.ts';
import { limits } from '../../limits.ts';
import { makePrivateFolder, readPrivateFile, writePrivateFile } from '../../runtime/private-file.ts';
import type { ChainId } from '../../venues/venue-a/exchanges.ts';
import { createDemoAccounts, type DemoAccounts, readDemoAccounts } from './demo-accounts.ts';

const FILE_NAME = 'accounts.json';

/**
 * The accounts of the folder; creates them for this chain if there are none. Throws the errors of node:fs. An error about an
 * existing file does not show its content.
 */
export async function demoAccountsIn(folder: string, chainId: ChainId): Promise<Result<DemoAccounts, string>> {
  const path = join(folder, FILE_NAME);
  const before = read(path);
  if (before !== null) return before;
  const accounts = await createDemoAccounts(chainId);
  makePrivateFolder(folder);
  writePrivateFile(path, `${JSON.stringify(accounts, null, 2)}\n`);
  // Another process may have been quicker.
  return read(path) ?? fail(`${path}: must not be taken away while it is read`);
}

/** Null if there is none. */
function read(path: string): Result<DemoAccounts, string> | null {
  const text = readPrivateFile(path, limits.paperAccountsFileBytesMax);
  if (!text.ok) return text.error.isMissing ? null : fail(`${path}: ${text.error.words}`);
  const accounts = readDemoAccounts(parseJson(text.value), '');
  return accounts.ok ? accounts : fail(`${path}: ${accounts.error}`);
}
