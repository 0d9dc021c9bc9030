// The lock of a data directory and its owner.

import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { RecorderRig } from '../../market-data/recording/recorder-rig.ts';
import { removeFolder } from '../../support/temporary-folder.ts';
import { testFolder } from '../../support/test-folder.ts';

// A slow start moved the lock of a quicker start away. It put the lock back, unless a third start had come meanwhile. Then two processes
// owned the store, and each recovers the store and deletes from it.
describe('0166: starts that meet a dead owner', () => {
  const THREADS = 8;
  const ROUNDS = 60;
  /** The lock of a process from before the last start of the machine. */
  const DEAD = '1 00000000-0000-0000-0000-000000000000 1\n';
  const url = new URL('takes-a-store.ts', import.meta.url);
  let folder: string;
  let round: Int32Array;
  let threads: Worker[];
  beforeEach(() => {
    folder = testFolder();
    round = new Int32Array(new SharedArrayBuffer(4));
    threads = Array.from({ length: THREADS }, () => new Worker(url, { workerData: { folder, round } }));
  });
  afterEach(() => Promise.all(threads.map(thread => thread.terminate())));

  it.each([[['owner']], [['owner', 'owner.next']]])('leave it to one of them, where %j are of the dead', async left => {
    const expected = [...Array.from({ length: THREADS - 1 }, () => 'refused'), 'taken'];
    for (let number = 1; number <= ROUNDS; number++) {
      for (const name of readdirSync(folder)) removeFolder(join(folder, name));
      for (const name of left) writeFileSync(join(folder, name), DEAD);
      const outcomes = threads.map(thread => once(thread, 'message'));
      Atomics.store(round, 0, number);
      Atomics.notify(round, 0);
      expect((await Promise.all(outcomes)).flat().sort()).toEqual(expected);
      expect(readdirSync(folder)).toEqual(['lock', 'owner']);
    }
  });
});

// Each recorder removed the other's files beyond its own bound, also the open file. Only a reader of the recording learned that two
// recorders had written it.
describe('3208: two recorders in one folder', () => {
  let rig: RecorderRig;
  beforeEach(() => {
    rig = new RecorderRig();
  });
  afterEach(() => rig.remove());

  it.each([
    ['closed', () => rig.recorder.close()],
    ['given up', () => rig.recorder.abandon()],
  ])('a second one is refused until the first is %s', async (_, end) => {
    expect(() => rig.record()).toThrow(new StoreError(`${rig.folder}: another recorder writes there`));
    await end();
    rig.record().abandon();
  });

  it('a recorder that could not begin keeps nobody away', () => {
    rig.recorder.abandon();
    rig.files.failing.add('create');
    expect(() => rig.record()).toThrow(StoreError);
    rig.files.failing.delete('create');
    rig.record().abandon();
  });
});
