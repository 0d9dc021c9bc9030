// A standby prunes its copy of the journal. Where the folder could not be listed, as with all descriptors in use, its process ended, although
// it only had to follow.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { createArena } from '../../src/book/memory.ts';
import { EngineDisk } from '../../src/engine/engine-disk.ts';
import { Standby } from '../../src/engine/standby.ts';
import { HistoryTables } from '../../src/history/tables.ts';
import { JournalPositions } from '../../src/journal/positions.ts';
import { createLog } from '../../src/runtime/log.ts';
import { wallTimers } from '../../src/runtime/timers.ts';
import { nodeFiles } from '../../src/store/files.ts';
import { openKeyStore } from '../../src/store/key-store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { eventually } from '../support/eventually.ts';
import { MemoryPodStream } from '../support/memory-pod-stream.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

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
  const standby = new Standby({ disk, keys, log, say: () => {} }, disk.elsewhere!);
  isFailing = true;
  await eventually(() => expect(failures).toBeGreaterThan(2));
  isFailing = false;
  await standby.close();
  log.flush();
  expect(lines.filter(line => line.includes('EMFILE'))).toHaveLength(1);
});
