// Found by the faults' campaign. The journal's last record was damaged on the disk after a kill. The events in it had been heard, and the
// next events got their cursors again. A client that resumed missed them.

import { cpSync, mkdirSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createArena } from '../../src/book/memory.ts';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { EngineDisk } from '../../src/engine/engine-disk.ts';
import { JournalPositions } from '../../src/journal/positions.ts';
import { limits } from '../../src/limits.ts';
import { storedOrder } from '../store/orders/order-rig.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

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
  const data = { folder: join(folder, name), positions: new JournalPositions().memory, pods: [], arena: createArena() };
  const disk = await EngineDisk.open({ ...data, durability: 'process-safe', replication: null }, () => {});
  opened.push(disk);
  return disk;
}

/** The cursor of one event more. */
function reported({ store }: EngineDisk): number {
  return store.change(to => {
    const { order } = storedOrder({ number: 1 });
    return to.appendEvent({ actorId: 'alice', event: 'STATUS', order, fill: null, at: 1_790_000_000_000 as UnixMillis })
      .cursor;
  });
}
