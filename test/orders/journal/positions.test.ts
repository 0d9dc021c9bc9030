// The distance of the history behind the journal, and the consequences of that distance.

import { cpSync, mkdirSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { Random } from '../../../src/core/runtime/random.ts';
import { wallTimers } from '../../../src/core/runtime/timers.ts';
import { type Files, NoDescriptor, nodeFiles } from '../../../src/core/store/files.ts';
import { limits } from '../../../src/limits.ts';
import { createArena } from '../../../src/market-data/book/memory.ts';
import { EngineDisk } from '../../../src/orders/engine/engine-disk.ts';
import { Journal } from '../../../src/orders/journal/journal.ts';
import { JournalPositions } from '../../../src/orders/journal/positions.ts';
import { storedOrder } from '../../core/store/orders/order-rig.ts';
import { LosingDisk } from '../../support/losing-disk.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

it('4004: a history that cannot follow bounds what is kept for it, in words', () => {
  const positions = new JournalPositions();
  expect(positions.backlog).toBeNull();
  positions.appended = limits.historyBehindMax;
  expect(positions.backlog).toBeNull();
  positions.appended += 1;
  // Each thread sees the same positions.
  expect(new JournalPositions(positions.memory).backlog).toContain(`${limits.historyBehindMax + 1} records behind`);
  positions.followed = 1;
  expect(positions.backlog).toBeNull();
});

// The first append to a new segment of the journal failed, as on a full disk. The last record of the segment before still waited for its
// sync, which counted the name of the new segment as on disk. A power cut then took that segment with all its records, also those that
// `power-safe` had waited for (simulation, seed 3 006 443).
describe('3153: a segment whose name is lost', () => {
  const NEVER = 2 ** 30;

  function open(files: Files, root: string): { readonly journal: Journal; readonly found: readonly string[] } {
    const found: string[] = [];
    const options = { folder: `${root}/journal`, files, timers: wallTimers, segmentBytes: 20, syncDelayMs: NEVER };
    const journal = Journal.open(options, 1, (_sequence, payload) => {
      found.push(Buffer.from(payload).toString());
    });
    return { journal, found };
  }

  it('is on disk before a record in it is', async () => {
    const root = temporaryFolder();
    const disk = new LosingDisk(root);
    const { journal } = open(disk, root);
    journal.append(Buffer.from('one'));
    disk.failsNextAppend = true;
    expect(() => journal.append(Buffer.from('failed'))).toThrow('append failed');
    await journal.repaired();
    await journal.durable();
    journal.append(Buffer.from('two'));
    await journal.durable();
    for (let seed = 0; seed < 20; seed++) {
      const after = temporaryFolder();
      disk.rebuild(disk.steps, after, new Random(seed));
      const { journal: next, found } = open(nodeFiles, after);
      expect(found).toEqual(['one', 'two']);
      await next.close();
      removeFolder(after);
    }
    await journal.close();
    removeFolder(root);
  });
});

// An append to a new segment opens the segment, and opens its folder to sync the segment's name. Without a free descriptor at that moment
// the gateway assumed a failed disk, and took no orders until the next start.
describe('0236: a journal that cannot be opened for now', () => {
  const SEGMENT_BYTES = 200;

  let folder: string;
  let journal: Journal;
  /** The number of openings that fail from now on. */
  let failures: number;
  beforeEach(() => {
    folder = temporaryFolder();
    failures = 0;
    const unlessNone = <T>(path: string, work: () => T): T => {
      if (failures === 0) return work();
      failures -= 1;
      throw new NoDescriptor(`store file ${path}: EMFILE: too many open files`);
    };
    const files: Files = {
      ...nodeFiles,
      create: path => unlessNone(path, () => nodeFiles.create(path)),
      syncFolder: path => unlessNone(path, () => nodeFiles.syncFolder(path)),
    };
    const options = { folder, files, timers: wallTimers, segmentBytes: SEGMENT_BYTES, syncDelayMs: 1 };
    journal = Journal.open(options, 1, () => {});
    append('first'.padEnd(SEGMENT_BYTES));
  });
  afterEach(async () => {
    await journal.close();
    removeFolder(folder);
  });

  const append = (text: string): void => journal.append(Buffer.from(text));

  it('the lack of a descriptor costs the record that needs it, and no other', async () => {
    failures = 1;
    expect(() => append('refused')).toThrow('EMFILE');
    append('later');
    await journal.durable();
    expect([journal.sequence, journal.synced, journal.fault]).toEqual([2, 2, null]);
  });

  it('callers that wait for the disk wait until it can', async () => {
    append('in another segment');
    failures = 3;
    await journal.durable();
    expect([failures, journal.synced, journal.fault]).toEqual([0, 2, null]);
    append('last');
  });
});

// After a kill the journal's last record was damaged on the disk. Clients had heard the events of that record, and the next events got the
// same cursors. A client that resumed missed them.
describe('3212: a cursor of a lost event', () => {
  let folder: string;
  const opened: EngineDisk[] = [];
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(async () => {
    for (const disk of opened.splice(0)) await disk.close();
    removeFolder(folder);
  });

  it('is not given out again after a start on a journal with a torn end', async () => {
    const first = await openIn('first');
    expect([reported(first), reported(first)]).toEqual([1, 2]);
    cpSync(join(folder, 'first'), join(folder, 'copy'), { recursive: true });
    const journal = join(folder, 'copy/journal');
    const segment = join(journal, readdirSync(journal).sort().at(-1)!);
    truncateSync(segment, statSync(segment).size - 1);
    const again = await openIn('copy');
    expect(reported(again)).toBeGreaterThan(limits.orderEventsLostMax);
  });

  async function openIn(name: string): Promise<EngineDisk> {
    mkdirSync(join(folder, name), { recursive: true });
    const data = {
      folder: join(folder, name),
      positions: new JournalPositions().memory,
      pods: [],
      arena: createArena(),
    };
    const disk = await EngineDisk.open({ ...data, durability: 'process-safe', replication: null }, () => {});
    opened.push(disk);
    return disk;
  }

  /** The cursor of one event more. */
  function reported({ store }: EngineDisk): number {
    return store.change(to => {
      const { order } = storedOrder({ number: 1 });
      return to.appendEvent({
        actorId: 'alice',
        event: 'STATUS',
        order,
        fill: null,
        at: 1_790_000_000_000 as UnixMillis,
      }).cursor;
    });
  }
});
