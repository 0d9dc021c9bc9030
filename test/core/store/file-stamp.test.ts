// Whether a file has changed, by its times.

import { appendFileSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StampedFile } from '../../../src/core/store/key-store.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';

let folder: string;
let path: string;
let file: StampedFile;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook-stamp-'));
  path = join(folder, 'file');
  writeFileSync(path, 'one');
  file = new StampedFile(path);
});
afterEach(() => {
  file.close();
  rmSync(folder, { recursive: true });
});

function setTimes(agoS: number): void {
  const at = Date.now() / 1_000 - agoS;
  utimesSync(path, at, at);
}

it('has no stamp right after a write, by which another write could be missed', () => {
  expect(file.stamp()).toBeNull();
});

it('has no stamp by a clock that was set back', () => {
  setTimes(-3_600);
  expect(file.stamp()).toBeNull();
});

it('keeps its stamp until it is written to', () => {
  setTimes(60);
  const stamp = file.stamp();
  expect([typeof stamp, file.stamp()]).toEqual(['string', stamp]);
  appendFileSync(path, 'two');
  expect(file.stamp()).not.toBe(stamp);
});

it('has another stamp when only its times were put back', () => {
  setTimes(60);
  const stamp = file.stamp();
  setTimes(61);
  expect(file.stamp()).not.toBe(stamp);
});

it('4026: says that no name leads to the file any more', () => {
  expect([file.stamp() === null, file.isRemoved]).toEqual([true, false]);
  rmSync(path);
  writeFileSync(path, 'another');
  file.stamp();
  expect(file.isRemoved).toBe(true);
});

it('a file that does not exist is a StoreError', () => {
  expect(() => new StampedFile(join(folder, 'none'))).toThrow(StoreError);
});
