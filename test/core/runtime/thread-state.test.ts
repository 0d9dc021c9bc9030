// What a thread waits for, seen from another.

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, it } from 'vitest';
import { ownThread, waitsForDisk } from '../../../src/core/runtime/thread-state.ts';
import { FreezableDisk } from '../../support/freezable-disk.ts';

const disk = FreezableDisk.mount();
afterAll(() => disk?.unmount());

it('a thread that runs, or does not exist, waits for no disk', () => {
  expect(waitsForDisk(ownThread())).toBe(false);
  expect(waitsForDisk(null)).toBe(false);
  expect(waitsForDisk('0/task/0')).toBe(false);
});

it.skipIf(disk === null)('a thread that writes to a frozen disk waits for it, until the disk goes on', async () => {
  const path = join(disk!.folder, 'file');
  writeFileSync(path, '');
  const worker = new Worker(new URL('./writing-worker.ts', import.meta.url), { workerData: path });
  const [thread] = await once(worker, 'message');
  expect(waitsForDisk(thread)).toBe(false);
  disk!.freeze();
  const written = once(worker, 'message');
  worker.postMessage('write');
  try {
    await expect.poll(() => waitsForDisk(thread)).toBe(true);
  } finally {
    disk!.thaw();
  }
  expect(await written).toEqual(['written']);
  await worker.terminate();
});
