// The shared file on its own: the file that a start makes, replaces or refuses.

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { FILE_BYTES, FILE_CLOSED, HEADER, LAYOUT_VERSION, MAGIC } from '../../../src/market-data/shm/layout.ts';
import { createSharedFile, SharedFileError } from '../../../src/market-data/shm/shm-link.ts';
import { SharedFileView } from '../../support/shared-file-view.ts';
import { testFolder } from '../../support/test-folder.ts';

const NOW = 1_795_000_000_000;
/** The process id of init, which runs on every system and is not ours. */
const ANOTHER_PROCESS = 1;

let folder: string;
let path: string;
beforeEach(() => {
  folder = testFolder();
  path = join(folder, 'books');
});

const viewOf = (): SharedFileView => new SharedFileView(readFileSync(path).buffer);

function writtenBy(processId: number, heartbeat: number, state?: number): void {
  createSharedFile(path, NOW);
  const bytes = readFileSync(path);
  bytes.writeUInt32LE(processId, HEADER.processId);
  bytes.writeBigUInt64LE(BigInt(heartbeat), HEADER.heartbeat);
  if (state !== undefined) bytes.writeUInt32LE(state, HEADER.state);
  writeFileSync(path, bytes);
}

it('is complete, private to its user and group, and alone in its folder', () => {
  createSharedFile(path, NOW);
  const { size, mode } = statSync(path);
  expect([size, mode & 0o777]).toEqual([FILE_BYTES, 0o640]);
  expect(readdirSync(folder)).toEqual(['books']);
  const view = viewOf();
  expect(view.magic).toBe(MAGIC);
  const facts = {
    layoutVersion: LAYOUT_VERSION,
    processId: process.pid,
    createdAt: NOW,
    heartbeat: NOW,
    state: 1,
    ringHead: 0,
  };
  for (const [name, value] of Object.entries(facts)) expect([name, view.header(name)]).toEqual([name, value]);
  expect(view.symbols().size).toBe(0);
});

it('takes the place of an earlier one, whose mapping stays as it was', () => {
  createSharedFile(path, NOW);
  const before = statSync(path).ino;
  createSharedFile(path, NOW + 1);
  expect(statSync(path).ino).not.toBe(before);
  expect(viewOf().header('createdAt')).toBe(NOW + 1);
});

it.each([
  ['of a process that ended', 0x7fff_fff0, NOW, undefined],
  ['of a process that beats no more', ANOTHER_PROCESS, NOW - 1_001, undefined],
  ['that its gateway has closed', ANOTHER_PROCESS, NOW, FILE_CLOSED],
])('replaces the file %s', (_what, processId, heartbeat, state) => {
  writtenBy(processId, heartbeat, state);
  createSharedFile(path, NOW);
  expect(viewOf().header('processId')).toBe(process.pid);
});

it('refuses the file of a gateway that runs, any other file, a folder, and a folder that is not there', () => {
  writtenBy(ANOTHER_PROCESS, NOW);
  expect(() => createSharedFile(path, NOW)).toThrow(
    new SharedFileError(`CROSSBOOK_SHM: ${path} is written by the process 1: choose another path`),
  );
  writeFileSync(path, 'diary');
  expect(() => createSharedFile(path, NOW)).toThrow('is another file: move it away, or choose another path');
  expect(readFileSync(path, 'utf8')).toBe('diary');
  mkdirSync(join(folder, 'sub'));
  expect(() => createSharedFile(join(folder, 'sub'), NOW)).toThrow(/sub cannot be read: /);
  expect(() => createSharedFile(join(folder, 'no', 'books'), NOW)).toThrow(
    /^CROSSBOOK_SHM: .*no\/books cannot be made: /,
  );
  expect(readdirSync(folder).sort()).toEqual(['books', 'sub']);
});
