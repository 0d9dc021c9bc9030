// The system call in which a thread waits, as another thread sees it.

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, it } from 'vitest';
import { ownThreadId, waitsForDisk } from '../../../src/core/runtime/thread-state.ts';
import { OwnProcess } from '../../support/child-process.ts';
import { FreezableDisk } from '../../support/freezable-disk.ts';

const disk = FreezableDisk.mount();
afterAll(() => disk?.unmount());

it('a thread that runs, or does not exist, waits for no disk', () => {
  expect(waitsForDisk(ownThreadId())).toBe(false);
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

const BELOW_NORMAL = 10;

it('a thread gives way alone: main and other workers stay as they are', async () => {
  const child = new OwnProcess([fileURLToPath(new URL('./priorities-child.ts', import.meta.url))]);
  expect(await child.ended).toBe(0);
  const { main, worker, yielding } = JSON.parse(child.stdout);
  // The tests themselves may run with a lower priority.
  expect({ worker, yielding }).toEqual({ worker: main, yielding: Math.max(main, BELOW_NORMAL) });
});

it('a thread whose heap runs full ends by itself, and says why', async () => {
  const resourceLimits = { maxOldGenerationSizeMb: 128 };
  const worker = new Worker(new URL('./hoarding-worker.ts', import.meta.url), { resourceLimits });
  const [error] = await once(worker, 'error');
  expect(error.message).toMatch(/^its heap has \d+ bytes of \d+$/);
});
