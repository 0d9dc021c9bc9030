// A pod was taken by a new gateway at the address of the former owner, whose machine had been replaced. Another standby went on to listen for
// the former one, heard nothing of it, and took the pod from the new owner, which was well.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { Replica } from '../../src/engine/replica.ts';
import { Journal } from '../../src/journal/journal.ts';
import { JournalPositions } from '../../src/journal/positions.ts';
import { NO_ARCHIVE } from '../../src/ledger/archive.ts';
import { LedgerState } from '../../src/ledger/state/state.ts';
import { nodeFiles } from '../../src/store/files.ts';
import { MemoryPodStream } from '../support/memory-pod-stream.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

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
    ...{ connect: async () => stream, lost: () => {} },
  });
  const [owners, silent]: [string[], string[]] = [[], []];
  const followed = replica.follow({
    owner: ({ gatewayId }) => owners.push(gatewayId),
    stopped: () => {},
    silent: ({ gatewayId }) => silent.push(gatewayId),
  });
  await timers.settle();
  stream.store('new');
  for (let passedMs = 0; passedMs < 3 * TAKE_OVER_AFTER_MS; passedMs += BEAT_MS) {
    stream.beat('new');
    await timers.settle(BEAT_MS);
  }
  expect([owners, silent]).toEqual([['former', 'new'], []]);
  // It is missed by its own name, too.
  await timers.settle(2 * TAKE_OVER_AFTER_MS);
  expect(silent[0]).toBe('new');
  await replica.close();
  for (let turns = 0; turns < 3; turns += 1) await timers.settle(BEAT_MS);
  await followed;
});
