// Lines of the audit log about an order that this process has not seen before, as after a restart.

import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { type Order, type OrderEvent, transition } from '../../../src/core/domain/order.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { nodeFiles } from '../../../src/core/store/files.ts';
import { AuditLines } from '../../../src/orders/history/audit-lines.ts';
import { AUDIT_BOUNDS, AuditLog } from '../../../src/orders/history/audit-log.ts';
import { storedOrder } from '../../core/store/orders/order-rig.ts';
import { eventually } from '../../support/eventually.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { LedgerRig } from './history-rig.ts';

const BEFORE = 1_795_000_000_000 as UnixMillis;
const at = (BEFORE + 5_000) as UnixMillis;
const pending = storedOrder({ number: 1 });

function moved(order: Order, ...events: OrderEvent[]): Order {
  return events.reduce((it, event) => transition(it, event as never), order);
}

const sent = moved({ ...pending.order, status: 'PENDING', updatedAt: BEFORE }, { type: 'sent', at: BEFORE });
const resting = moved(sent, { type: 'rests', at: BEFORE, venueOrderId: 'v-1', stated: null });
const wanted = moved(resting, { type: 'cancel-requested', at: BEFORE });
const fill = { size: 10_000 as MicroShares, price: 5_000 as Ticks, fee: 0 as MicroDollars };

/** Returns the first line of a process. `known` is the order as the history knows it by then. */
function stepOf(known: Order | null, order: Order): string {
  const lines = new AuditLines(() => known && { ...pending, order: known });
  const event = {
    type: 'order-moved',
    orderId: order.orderId,
    motion: order,
    refusedAs: null,
    cursor: null,
    key: null,
  } as const;
  const [line = ''] = lines.linesOf([event], number => ({ line: number }));
  return (JSON.parse(line) as { step: string }).step;
}

describe('4028: the first change of an order after a restart', () => {
  it.each([
    ['cancel-requested', resting, [{ type: 'cancel-requested', at }]],
    ['cancel-revoked', wanted, [{ type: 'cancel-revoked', at }]],
    ['rests', sent, [{ type: 'rests', at, venueOrderId: 'v-1', stated: null }]],
    ['updated', resting, [{ type: 'fills', at, fill }]],
    ['updated', wanted, [{ type: 'fills', at, fill }]],
    ['cancelled', wanted, [{ type: 'ends', at, venueOrderId: null, stated: null }]],
    [
      'updated',
      moved(wanted, { type: 'ends', at: BEFORE, venueOrderId: null, stated: null }),
      [{ type: 'fills', at, fill }],
    ],
  ] as [string, Order, OrderEvent[]][])('is %s', (step, before, events) => {
    expect(stepOf(before, moved(before, ...events))).toBe(step);
  });

  it.each([
    ['cancel-requested', resting, { type: 'cancel-requested', at }],
    ['updated', wanted, { type: 'fills', at, fill }],
    ['cancelled', wanted, { type: 'ends', at, venueOrderId: null, stated: null }],
  ] as [string, Order, OrderEvent][])(
    'is %s, though the history is further than it, or knows nothing',
    (step, before, event) => {
      const order = moved(before, event);
      const ended = moved(order.status === 'CANCELLED' ? order : moved(order, { type: 'cancel-requested', at }), {
        type: 'ends',
        at: (at + 1) as UnixMillis,
        venueOrderId: null,
        stated: null,
      });
      expect([order, ended, null].map(known => stepOf(known, order))).toEqual([step, step, step]);
    },
  );

  it('is submitted, where it was just sent', () => {
    const order = moved({ ...pending.order, status: 'PENDING', updatedAt: BEFORE }, { type: 'sent', at });
    expect([order, null].map(known => stepOf(known, order))).toEqual(['submitted', 'submitted']);
  });
});

// The audit log reported the missing beginning only behind a line of its own. If the log had failed from its start on, it began in the
// middle, without a word.
describe('3207: an audit log without its beginning', () => {
  let ledger: LedgerRig;
  let folder: string;
  beforeEach(() => {
    ledger = new LedgerRig();
    folder = temporaryFolder();
  });
  afterEach(async () => {
    await ledger.remove();
    removeFolder(folder);
  });

  it('names what it lacks there, too', async () => {
    const path = join(folder, 'audit.log');
    const timers = new VirtualTimers();
    let failures = 0;
    symlinkSync('/dev/full', path);
    const audit = new AuditLog({
      ...{ path, bounds: AUDIT_BOUNDS, files: nodeFiles, journalFolder: ledger.journalFolder, timers, log: silentLog },
      positions: ledger.positions,
      lines: new AuditLines(() => null),
      after: ledger.positions.appended,
      onFailed: () => {
        failures += 1;
      },
    });
    for (let number = 1; number < 40; number++) ledger.step(it => it.putOrder(storedOrder({ number })));
    await eventually(() => {
      timers.advance(10_000);
      expect(failures).toBe(1);
    });
    await ledger.journal.durable();
    ledger.journal.prune(ledger.positions.appended);
    rmSync(path);
    await audit.close();
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const { step, from, to } = JSON.parse(lines[0]!);
    expect([step, from, to > 1]).toEqual(['gap', 1, true]);
    expect(JSON.parse(lines[1]!).record).toBe(to + 1);
  });
});
