// Versions of the journal that are newer than this program: a start is refused with an explanation; a standby goes on, and reports the
// version.

import { mkdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog, silentLog } from '../../../src/core/runtime/log.ts';
import { wallTimers } from '../../../src/core/runtime/timers.ts';
import { nodeFiles } from '../../../src/core/store/files.ts';
import { openKeyStore } from '../../../src/core/store/key-store.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { createArena } from '../../../src/market-data/book/memory.ts';
import { EngineDisk } from '../../../src/orders/engine/engine-disk.ts';
import { Replica } from '../../../src/orders/engine/replica.ts';
import { Standby } from '../../../src/orders/engine/standby.ts';
import { journalIn } from '../../../src/orders/history/ledger-folder.ts';
import { HistoryTables } from '../../../src/orders/history/tables.ts';
import { Journal } from '../../../src/orders/journal/journal.ts';
import { JournalPositions } from '../../../src/orders/journal/positions.ts';
import { NO_ARCHIVE } from '../../../src/orders/ledger/archive.ts';
import { LedgerState } from '../../../src/orders/ledger/state/state.ts';
import { eventually } from '../../support/eventually.ts';
import { MemoryPodStream } from '../../support/memory-pod-stream.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

/** Makes a record of a version that does not exist yet. */
const LATER = Uint8Array.of(250, 1, 2, 3);
const WORDS = /^journal record \d+: has version 250, this program reads version \d+: start the later release/;
const REPLICATION = {
  nats: { url: 'nats://nowhere.example', credentials: null, caFile: null },
  owner: { gatewayId: 'standby', url: 'http://standby.example:8080' },
  takeOverAfterMs: null,
  knownPosition: 0,
} as const;

let folder: string;
let stream: MemoryPodStream;
beforeEach(() => {
  folder = temporaryFolder();
  stream = new MemoryPodStream();
});
afterEach(() => removeFolder(folder));

function openDisk(replication: typeof REPLICATION | null): Promise<EngineDisk> {
  const pods = [{ podId: 'pod', secretHex: '00'.repeat(32), venueA: null, venueB: null }];
  const data = { folder, positions: new JournalPositions().memory, pods, arena: createArena(), replication };
  const machine = {
    ...{ files: nodeFiles, timers: wallTimers, bootId: () => 'boot', segmentBytes: 1_000_000, keptBytes: 0 },
    openTables: (path: string) => HistoryTables.open(path),
    connect: async () => stream,
  };
  return EngineDisk.open({ ...data, durability: 'process-safe' } as never, () => {}, machine);
}

async function isRefused(replication: typeof REPLICATION | null): Promise<void> {
  const refused = await openDisk(replication).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StoreError);
  expect((refused as Error).message).toMatch(WORDS);
}

it('4012: a start on a journal of a later release is refused in words', async () => {
  mkdirSync(journalIn(folder));
  const bounds = { segmentBytes: 1_000_000, syncDelayMs: 5 };
  const journal = Journal.open(
    { folder: journalIn(folder), files: nodeFiles, timers: wallTimers, ...bounds },
    1,
    () => {},
  );
  journal.append(LATER);
  await journal.close();
  await isRefused(null);
});

it('4012: a start on a stream of a later release is refused in words', async () => {
  stream.store('owner');
  stream.append(LATER);
  await isRefused(REPLICATION);
});

it('4012: a standby stays where the owner goes on with a later release, says so, and takes nothing over', async () => {
  stream.store('owner');
  const disk = await openDisk(REPLICATION);
  const out: unknown[] = [];
  const keys = openKeyStore(`${folder}/keys`);
  const standby = new Standby({ disk, keys, log: silentLog, post: it => void out.push(it) }, disk.otherOwner!);
  stream.append(LATER);
  await eventually(() => expect(out.at(-1)).toEqual({ type: 'follow-stopped', words: expect.stringMatching(WORDS) }));
  // The standby does not skip to a later record.
  stream.store('standby');
  expect(disk.otherOwner?.gatewayId).toBe('owner');
  await standby.close();
  expect(await standby.followed).toBe(false);
});

// A standby prunes its copy of the journal. Where the folder could not be listed, as with all descriptors in use, its process ended,
// although it only had to follow.
describe('3304: a standby whose disk fails', () => {
  const REPLICATION = {
    nats: { url: 'nats://nowhere.example', credentials: null, caFile: null },
    owner: { gatewayId: 'standby', url: 'http://standby.example:8080' },
    takeOverAfterMs: null,
    knownPosition: 0,
  } as const;

  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => removeFolder(folder));

  it('goes on, and says why once', async () => {
    const stream = new MemoryPodStream();
    stream.store('owner');
    let isFailing = false;
    let failures = 0;
    const files = {
      ...nodeFiles,
      list(path: string) {
        if (!isFailing) return nodeFiles.list(path);
        failures += 1;
        throw new StoreError('store file: EMFILE: too many open files');
      },
    };
    const pods = [{ podId: 'pod', secretHex: '00'.repeat(32), venueA: null, venueB: null }];
    const data = {
      folder,
      positions: new JournalPositions().memory,
      pods,
      arena: createArena(),
      replication: REPLICATION,
    };
    const machine = {
      ...{ files, timers: wallTimers, bootId: () => 'boot', segmentBytes: 1_000_000, keptBytes: 0 },
      openTables: (path: string) => HistoryTables.open(path),
      connect: async () => stream,
    };
    const disk = await EngineDisk.open({ ...data, durability: 'replicated' } as never, () => {}, machine);
    const lines: string[] = [];
    const log = createLog('engine', { level: 'warn', write: line => void lines.push(line) });
    const keys = openKeyStore(`${folder}/keys`);
    const standby = new Standby({ disk, keys, log, post: () => {} }, disk.otherOwner!);
    isFailing = true;
    await eventually(() => expect(failures).toBeGreaterThan(2));
    isFailing = false;
    await standby.close();
    log.flush();
    expect(lines.filter(line => line.includes('EMFILE'))).toHaveLength(1);
  });
});

// A new gateway took a pod at the address of the former owner, whose machine had been replaced. Another standby went on to listen for the
// former owner, and heard nothing. So it took the pod from the new owner, which was well.
describe('3303: a new owner at the same address', () => {
  const TAKE_OVER_AFTER_MS = 3_000;
  const BEAT_MS = 500;
  const NO_NATS = { url: 'nats://nowhere.example', credentials: null, caFile: null };

  let folder: string;
  let journal: Journal;
  let timers: VirtualTimers;
  let stream: MemoryPodStream;
  beforeEach(() => {
    folder = temporaryFolder();
    timers = new VirtualTimers();
    stream = new MemoryPodStream();
    const bounds = { segmentBytes: 1_000_000, syncDelayMs: 5 };
    journal = Journal.open({ folder: `${folder}/journal`, files: nodeFiles, timers, ...bounds }, 1, () => {});
  });
  afterEach(async () => {
    await journal.close();
    removeFolder(folder);
  });

  it('is listened for by its own name', async () => {
    stream.store('former');
    const owner = { gatewayId: 'standby', url: 'http://standby.example:8080' };
    const replication = { nats: NO_NATS, owner, takeOverAfterMs: TAKE_OVER_AFTER_MS, knownPosition: 0 };
    const state = new LedgerState(NO_ARCHIVE);
    const replica = await Replica.open(replication as unknown as Parameters<typeof Replica.open>[0], {
      ...{ podId: 'pod', secretHex: '00'.repeat(32), journal, positions: new JournalPositions(), state, timers },
      ...{ connect: async () => stream, onLost: () => {} },
    });
    const [owners, silent]: [string[], string[]] = [[], []];
    const followed = replica.follow({
      onOwner: ({ gatewayId }) => owners.push(gatewayId),
      onStopped: () => {},
      onSilent: ({ gatewayId }) => silent.push(gatewayId),
    });
    await timers.settle();
    stream.store('new');
    for (let passedMs = 0; passedMs < 3 * TAKE_OVER_AFTER_MS; passedMs += BEAT_MS) {
      stream.beat('new');
      await timers.settle(BEAT_MS);
    }
    expect([owners, silent]).toEqual([['former', 'new'], []]);
    // The standby notices the silence of the new owner by the new owner's name, too.
    await timers.settle(2 * TAKE_OVER_AFTER_MS);
    expect(silent[0]).toBe('new');
    await replica.close();
    for (let turns = 0; turns < 3; turns += 1) await timers.settle(BEAT_MS);
    await followed;
  });
});
