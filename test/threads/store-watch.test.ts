// The watch over the files of the order store under virtual time, with a real store.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { Metrics } from '../../src/runtime/metrics.ts';
import { StoreWatch } from '../../src/threads/store-watch.ts';
import { removeFolder, temporaryFolder } from '../store/durable/store-rig.ts';
import { openOrders } from '../store/orders/order-rig.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

it('says in every round what is damaged, and in none what is sound', async () => {
  const folder = temporaryFolder();
  const store = await openOrders(folder);
  for (let row = 0; row < 400; row += 1) store.change(to => to.putMark(`m${row}`, 'v'.repeat(1_000)));
  const [timers, metrics] = [new VirtualTimers(), new Metrics({ operations: [] })];
  const said: string[] = [];
  const log = { ...silentLog, warn: (_event: string, fields?: object) => void said.push(JSON.stringify(fields)) };
  const watch = new StoreWatch({ store, timers, metrics, log });
  const counts = (): number[] =>
    (['store_rounds_total', 'store_damages_total'] as const).map(name => metrics.count(metrics.counter(name)));
  const journals = readdirSync(folder).filter(name => name.startsWith('journal-'));

  // A piece each.
  const round = limits.storeLookRestMs + journals.length * limits.storeLookPauseMs;
  timers.advance(journals.length * limits.storeLookPauseMs);
  expect([journals.length > 3, counts()]).toEqual([true, [0, 0]]);
  timers.advance(limits.storeLookPauseMs);
  expect([counts(), said]).toEqual([[1, 0], []]);

  const path = join(folder, journals[1]!);
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(path, bytes);
  timers.advance(round);
  expect([counts(), said]).toEqual([[1, 1], [expect.stringContaining(journals[1]!)]]);
  timers.advance(round);
  expect(counts()).toEqual([1, 2]);
  // What is read is right all the same.
  expect(store.mark('m7')).toBe('v'.repeat(1_000));

  watch.close();
  expect(timers.pending).toBe(0);
  await store.close();
  removeFolder(folder);
});
