// The disk of the store. If a device takes bytes only in part, or not at all, the failure is reported and not ignored.

import { execFileSync } from 'node:child_process';
import { constants, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { nodeFiles, type OpenFile, readText } from '../../../src/core/store/files.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { testFolder } from '../../support/test-folder.ts';

let folder: string;
beforeEach(() => {
  folder = testFolder();
});

/** Opens a pipe, which takes as many bytes as it has room for, like a disk that becomes full within a write. A pipe cannot be synced. */
function pipeOf(path: string): OpenFile {
  execFileSync('mkfifo', [path]);
  return { path, descriptor: openSync(path, constants.O_RDWR | constants.O_NONBLOCK) };
}

it('appended bytes are there to their end, or the caller gets an error', () => {
  const pipe = pipeOf(join(folder, 'pipe'));
  expect(() => nodeFiles.append(pipe, new Uint8Array(4 * 1024 * 1024))).toThrow(StoreError);
  nodeFiles.close(pipe);
});

it('a sync that fails is reported to all who wait for it', async () => {
  const pipe = pipeOf(join(folder, 'pipe'));
  await expect(nodeFiles.syncSoon(pipe)).rejects.toThrow(StoreError);
  expect(() => nodeFiles.sync(pipe)).toThrow(StoreError);
  nodeFiles.close(pipe);
});

it('a file that is missing is not made by opening it', () => {
  const path = join(folder, 'file');
  expect(() => nodeFiles.open(path)).toThrow(`store file ${path}: is missing`);
  expect(existsSync(path)).toBe(false);
});

it('a text that cannot be read is reported, and is not taken for none', () => {
  expect(readText(nodeFiles, join(folder, 'none'), 10)).toBeNull();
  expect(() => readText(nodeFiles, folder, 10)).toThrow(StoreError);
});
