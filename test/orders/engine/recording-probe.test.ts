// Whether changes are recorded where the next start looks for them: the folder of orders may be removed or moved under the engine.

import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { limits } from '../../../src/limits.ts';
import { createArena } from '../../../src/market-data/book/memory.ts';
import { EngineDisk } from '../../../src/orders/engine/engine-disk.ts';
import type { Recording } from '../../../src/orders/engine/engine-messages.ts';
import { RecordingProbe } from '../../../src/orders/engine/recording-probe.ts';
import { JournalPositions } from '../../../src/orders/journal/positions.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

let dataDir: string;
let folder: string;
let disk: EngineDisk;
let probe: RecordingProbe;
let said: Recording[];
let timers: VirtualTimers;

beforeEach(async () => {
  dataDir = temporaryFolder();
  folder = join(dataDir, 'orders');
  mkdirSync(folder);
  const data = { folder, positions: new JournalPositions().memory, pods: [], arena: createArena() };
  disk = await EngineDisk.open({ ...data, durability: 'process-safe', replication: null }, () => {});
  timers = new VirtualTimers();
  said = [];
  const say = ({ recording }: { readonly recording: Recording }): void => void said.push(recording);
  probe = new RecordingProbe({ disk, folder, timers, log: silentLog, post: say });
});
afterEach(async () => {
  probe.close();
  await disk.close().catch(() => {});
  removeFolder(dataDir);
});

const record = (): void => disk.store.change(it => it.putMark('test', 'value'));

it.each([
  ['4026: the data directory', '', 'journal'],
  ['4026: the folder of orders', 'orders', 'journal'],
  ['4026: the journal', 'orders/journal', 'journal'],
  ['4026: the history', 'orders/history', 'history'],
])('%s that is deleted ends what is recorded at the next look', (_what, name, named) => {
  record();
  rmSync(join(dataDir, name), { recursive: true });
  timers.advance(limits.storeProbeMs);
  expect(said).toEqual(['removed']);
  expect(record).toThrow(`the ${named} was removed from the data directory, or moved`);
  // An empty folder in the place of the removed folder counts as another folder.
  mkdirSync(join(folder, 'journal'), { recursive: true });
  timers.advance(limits.storeProbeMs);
  expect(record).toThrow('was removed');
});

it('4026: a folder that was moved and is put back takes records again', () => {
  renameSync(folder, `${folder}.away`);
  timers.advance(limits.storeProbeMs);
  expect(record).toThrow('was removed');
  renameSync(`${folder}.away`, folder);
  timers.advance(limits.storeProbeMs);
  record();
  expect(said).toEqual(['removed', 'taken']);
});
