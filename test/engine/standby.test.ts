// Releases of the journal that are later than this program: a start is refused in words, and a standby stays, and says so.

import { mkdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createArena } from '../../src/book/memory.ts';
import { EngineDisk } from '../../src/engine/engine-disk.ts';
import { Standby } from '../../src/engine/standby.ts';
import { journalIn } from '../../src/history/ledger-folder.ts';
import { HistoryTables } from '../../src/history/tables.ts';
import { Journal } from '../../src/journal/journal.ts';
import { JournalPositions } from '../../src/journal/positions.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { wallTimers } from '../../src/runtime/timers.ts';
import { nodeFiles } from '../../src/store/files.ts';
import { openKeyStore } from '../../src/store/key-store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { eventually } from '../support/eventually.ts';
import { MemoryPodStream } from '../support/memory-pod-stream.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

/** A record of a version that is not written yet. */
const LATER = Uint8Array.of(250, 1, 2, 3);
const WORDS =
  /^journal record \d+: has events of version 250, this program reads versions up to \d+: start the later release/;
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
  const refused = await openDisk(null).catch((error: unknown) => error);
  expect([refused instanceof StoreError, String((refused as Error).message)]).toEqual([
    true,
    expect.stringMatching(WORDS),
  ]);
});

it('4012: a start on a stream of a later release is refused in words', async () => {
  stream.store('owner');
  stream.append(LATER);
  const refused = await openDisk(REPLICATION).catch((error: unknown) => error);
  expect([refused instanceof StoreError, String((refused as Error).message)]).toEqual([
    true,
    expect.stringMatching(WORDS),
  ]);
});

it('4012: a standby stays where the owner goes on with a later release, says so, and takes nothing over', async () => {
  stream.store('owner');
  const disk = await openDisk(REPLICATION);
  const said: unknown[] = [];
  const keys = openKeyStore(`${folder}/keys`);
  const standby = new Standby({ disk, keys, log: silentLog, say: message => void said.push(message) }, disk.elsewhere!);
  stream.append(LATER);
  await eventually(() => expect(said.at(-1)).toEqual({ type: 'follow-stopped', words: expect.stringMatching(WORDS) }));
  // What comes later is not skipped to.
  stream.store('standby');
  expect(disk.elsewhere?.gatewayId).toBe('owner');
  await standby.close();
  expect(await standby.followed).toBe(false);
});
