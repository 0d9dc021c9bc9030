// Files on the disk that hold a secret: their owner and mode when they are written, and which files are refused when they are read.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { makePrivateFolder, readPrivateFile, writePrivateFile } from '../../../src/core/runtime/private-file.ts';
import { testFolder } from '../../support/test-folder.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = testFolder();
  path = join(folder, 'secret');
});

const reading = (bytesMax = 100) => readPrivateFile(path, bytesMax);

it('is read as it was written, and is its owner’s under any umask', () => {
  const umask = process.umask(0);
  try {
    expect(writePrivateFile(path, 'secret\n')).toBe(true);
  } finally {
    process.umask(umask);
  }
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(reading()).toEqual({ ok: true, value: 'secret\n' });
});

it('is in folders that are their owner’s, of which one that was there stays as it is', () => {
  chmodSync(folder, 0o750);
  for (let times = 0; times < 2; times += 1) makePrivateFolder(join(folder, 'a', '..', 'a', 'b'));
  const modes = ['.', 'a', 'a/b'].map(name => statSync(join(folder, name)).mode & 0o777);
  expect(modes).toEqual([0o750, 0o700, 0o700]);
  expect(() => makePrivateFolder(join(folder, 'a', 'b', '\0'))).toThrow();
});

it('is not in a folder that cannot be made', () => {
  writeFileSync(path, '');
  expect(() => makePrivateFolder(path)).toThrow('EEXIST');
  expect(() => makePrivateFolder(join(path, 'in', 'it'))).toThrow('EEXIST');
});

it('is not written over, and no draft is left', () => {
  writePrivateFile(path, 'first');
  expect(writePrivateFile(path, 'second')).toBe(false);
  expect(reading()).toEqual({ ok: true, value: 'first' });
  expect(readdirSync(folder)).toEqual(['secret']);
});

it.each(['640', '604', '620', '610', '602', '601'])('a file that others may use (mode %s) is refused', mode => {
  writePrivateFile(path, 'secret');
  chmodSync(path, Number.parseInt(mode, 8));
  const words = `is open to others than its owner (mode ${mode}); chmod 600 it`;
  expect(reading()).toEqual({ ok: false, error: { isMissing: false, words } });
});

it('a file that is not regular is refused, and a pipe that nobody writes to keeps nobody waiting', () => {
  execFileSync('mkfifo', ['-m', '600', path]);
  expect(reading()).toEqual({ ok: false, error: { isMissing: false, words: 'is not a regular file' } });
});

it('distinguishes too long, missing and no file', () => {
  expect(reading()).toEqual({ ok: false, error: { isMissing: true, words: 'cannot be read (ENOENT)' } });
  writeFileSync(path, 'x'.repeat(101), { mode: 0o600 });
  expect(reading()).toEqual({ ok: false, error: { isMissing: false, words: 'is longer than 100 bytes' } });
  const aFolder = mkdtempSync(join(folder, 'folder-'));
  expect(readPrivateFile(aFolder, 100_000)).toEqual({ ok: false, error: { isMissing: false, words: 'is a folder' } });
});
