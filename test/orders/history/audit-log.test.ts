// The audit log on a real journal and real files: every line once, over rotations, restarts, torn lines, full disks and pruned journals.

import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lossLimitsText } from '../../../src/core/domain/loss-limit.ts';
import type { MicroDollars, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { nodeFiles } from '../../../src/core/store/files.ts';
import { AuditLines } from '../../../src/orders/history/audit-lines.ts';
import { AUDIT_BOUNDS, AuditLog } from '../../../src/orders/history/audit-log.ts';
import { orderIdOf, storedOrder } from '../../core/store/orders/order-rig.ts';
import { eventually } from '../../support/eventually.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { LedgerRig } from './history-rig.ts';

interface Line {
  readonly record: number;
  readonly line: number;
  readonly step: string;
  readonly [name: string]: unknown;
}

let ledger: LedgerRig;
let folder: string;
let path: string;
let timers: VirtualTimers;
let failures: number;
let recoveries: number;
const open: AuditLog[] = [];

beforeEach(() => {
  ledger = new LedgerRig();
  folder = temporaryFolder();
  path = join(folder, 'audit.log');
  timers = new VirtualTimers();
  failures = 0;
  recoveries = 0;
});
afterEach(async () => {
  for (const audit of open.splice(0)) await audit.close();
  await ledger.remove();
  removeFolder(folder);
});

function start(bounds = AUDIT_BOUNDS): AuditLog {
  const audit = new AuditLog({
    ...{ path, bounds, files: nodeFiles, journalFolder: ledger.journalFolder, positions: ledger.positions, timers },
    lines: new AuditLines(() => null),
    after: ledger.positions.appended,
    log: {
      ...silentLog,
      info: () => {
        recoveries += 1;
      },
    },
    onFailed: () => {
      failures += 1;
    },
  });
  open.push(audit);
  return audit;
}

/** Puts another file of the same name in the place of the file, as an editor does. */
function rewriteFileSync(name: string): void {
  writeFileSync(`${name}.new`, '');
  renameSync(`${name}.new`, name);
}

async function end(): Promise<void> {
  await open.pop()!.close();
}

/** Waits until `check` passes; time goes on meanwhile. */
const follow = (check: () => void) =>
  eventually(() => {
    timers.advance(10_000);
    check();
  });
const put = (number: number) => ledger.step(it => it.putOrder(storedOrder({ number })));
const linesIn = (name = path): Line[] =>
  readFileSync(name, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map(text => JSON.parse(text));
const orderIds = (lines: readonly Line[]) =>
  lines.map(({ order }) => (order as { orderId: string } | undefined)?.orderId);

describe('the audit log', () => {
  it('begins with the next record, and follows the journal', async () => {
    put(1);
    start();
    await eventually(() => expect(existsSync(path)).toBe(true));
    put(2);
    put(3);
    await follow(() => expect(orderIds(linesIn())).toEqual([orderIdOf(2), orderIdOf(3)]));
    expect(linesIn()[0]).toMatchObject({ record: 2, line: 0, step: 'submitted', actor: 'alice', venue: 'venue_b' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('has all that is appended when it is closed', async () => {
    start();
    await eventually(() => expect(existsSync(path)).toBe(true));
    for (let number = 1; number <= 500; number++) put(number);
    await end();
    expect(linesIn().map(({ record }) => record)).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
  });

  it('goes on where it was, without a line twice or too few', async () => {
    start();
    await eventually(() => expect(existsSync(path)).toBe(true));
    const three = () =>
      ledger.step(it => {
        for (const number of [7, 8, 9]) it.putOrder(storedOrder({ number }));
      });
    three();
    await end();
    const whole = linesIn();
    expect(whole.map(({ record, line }) => [record, line])).toEqual([1, 1, 1].map((record, line) => [record, line]));
    // A kill has cut the write: after the first line of the record, and inside the second line.
    const text = readFileSync(path, 'utf8');
    truncateSync(path, text.indexOf('\n') + 10);
    put(10);
    start();
    await end();
    expect([linesIn().slice(0, 3), orderIds(linesIn()).at(3)]).toEqual([whole, orderIdOf(10)]);
  });

  it('4026: goes on in a new file where its own was removed, moved or replaced, without a line twice or too few', async () => {
    start();
    await eventually(() => expect(existsSync(path)).toBe(true));
    put(1);
    await follow(() => expect(orderIds(linesIn())).toEqual([orderIdOf(1)]));
    const ways = [() => rmSync(path), () => renameSync(path, `${path}.moved`), () => rewriteFileSync(path)];
    for (const [index, take] of ways.entries()) {
      take();
      put(index + 2);
      await follow(() => expect(existsSync(path) && orderIds(linesIn())).toEqual([orderIdOf(index + 2)]));
      // The log hears after this check that the line is in the file. If the file is taken earlier, the failure is the same.
      await follow(() => expect(recoveries).toBe(index + 1));
      expect(failures).toBe(index + 1);
    }
  });

  it('4026: sees that its file was removed while a batch was written, before it writes the next batch', async () => {
    start();
    await eventually(() => expect(existsSync(path)).toBe(true));
    put(1);
    // The test looks without a pause, because the file has the line before the log hears that it is written.
    await eventually(() => {
      timers.advance(10_000);
      let looks = 0;
      while (statSync(path).size === 0) expect(looks++).toBeLessThan(1_000);
    });
    rmSync(path);
    put(2);
    await follow(() => expect(existsSync(path) && orderIds(linesIn())).toEqual([orderIdOf(2)]));
    expect(failures).toBe(1);
  });

  it('rotates, and keeps a bounded number of files', async () => {
    const bounds = { auditFileBytes: 1, auditFilesMax: 3 };
    for (let number = 1; number <= 5; number++) {
      start(bounds);
      await eventually(() => expect(existsSync(path)).toBe(true));
      put(number);
      await end();
    }
    const kept = [path, `${path}.1`, `${path}.2`].map(name => orderIds(linesIn(name)));
    expect(kept).toEqual([[orderIdOf(5)], [orderIdOf(4)], [orderIdOf(3)]]);
    expect(existsSync(`${path}.3`)).toBe(false);
    // A start right after a rotation finds its place in the former file.
    truncateSync(path, 0);
    rmSync(path);
    start(bounds);
    await end();
    expect(orderIds(linesIn())).toEqual([orderIdOf(5)]);
  });

  it('a full disk stops it with an alarm; it goes on without a gap once there is room', async () => {
    symlinkSync('/dev/full', path);
    start();
    put(1);
    await follow(() => expect(failures).toBe(1));
    put(2);
    await follow(() => expect(failures).toBe(1));
    rmSync(path);
    await follow(() => expect(orderIds(linesIn())).toEqual([orderIdOf(1), orderIdOf(2)]));
    expect(failures).toBe(1);
  });

  it('names what the journal has no more, and what a power cut has taken', async () => {
    start();
    await eventually(() => expect(existsSync(path)).toBe(true));
    put(1);
    await end();
    for (let number = 2; number < 40; number++) put(number);
    await ledger.journal.durable();
    ledger.journal.prune(ledger.positions.appended);
    start();
    await end();
    const gap = linesIn().find(({ step }) => step === 'gap');
    expect(gap).toMatchObject({ from: 2, record: gap!.to });
    expect(linesIn().at(-1)!.record).toBe(39);
    appendFileSync(path, `${JSON.stringify({ record: 1_000, line: 0, at: null, step: 'updated' })}\n`);
    start();
    await end();
    expect(linesIn().at(-1)).toMatchObject({ step: 'lost', from: 40, to: 1_000 });
    put(40);
    start();
    await end();
    expect(orderIds(linesIn()).at(-1)).toBe(orderIdOf(40));
  });
});

describe('its lines', () => {
  const lines = new AuditLines(() => null);
  const at = 1_795_000_000_000 as UnixMillis;
  const alone = { cursor: null, key: null };
  const of = (...events: Parameters<AuditLines['linesOf']>[0]) =>
    lines.linesOf(events, line => ({ record: 1, line })).map(text => JSON.parse(text) as Line);

  it('say what happened to an order, and show it as it is then', () => {
    const stored = storedOrder({ number: 1 });
    const { orderId } = stored.order;
    const motion = { ...stored.order, status: 'SUBMITTED', sentAt: at, updatedAt: at } as const;
    const moved = (change: object) =>
      ({ type: 'order-moved', orderId, motion: { ...motion, ...change }, refusedAs: null, ...alone }) as const;
    const steps = of(
      { type: 'order-made', stored, ...alone },
      moved({}),
      moved({ status: 'OPEN', venueOrderId: 'v-1' }),
      moved({ status: 'OPEN', cancelRequestedAt: at }),
      moved({ status: 'OPEN' }),
      moved({ status: 'OPEN', updatedAt: at + 1 }),
      moved({ status: 'CANCELLED', closedAt: at }),
    );
    expect(steps.map(({ step }) => step)).toEqual([
      'submitted',
      'submitted',
      'rests',
      'cancel-requested',
      'cancel-revoked',
      'updated',
      'cancelled',
    ]);
    expect(steps[2]).toMatchObject({ at: '2026-11-18T11:06:40.000Z', order: { status: 'OPEN', venueOrderId: 'v-1' } });
  });

  it('of an order that was looked up say how it ends, and nothing of its other changes', () => {
    const stored = storedOrder({ number: 5 });
    const later = { ...stored, order: { ...stored.order, status: 'CANCELLED' as const } };
    const looked = new AuditLines(() => later);
    const move = (status: 'OPEN' | 'CANCELLED') =>
      ({
        type: 'order-moved',
        orderId: stored.order.orderId,
        motion: { ...stored.order, status },
        refusedAs: null,
        ...alone,
      }) as const;
    const stepsOf = (...events: Parameters<AuditLines['linesOf']>[0]) =>
      looked.linesOf(events, line => ({ line })).map(text => JSON.parse(text).step);
    expect(stepsOf(move('OPEN'))).toEqual(['updated']);
    expect(stepsOf(move('CANCELLED'))).toEqual(['cancelled']);
    expect(new AuditLines(() => later).linesOf([move('CANCELLED')], line => ({ line }))[0]).toContain('"cancelled"');
  });

  it('of an unknown order have its id', () => {
    const orderId = orderIdOf(77);
    const { motion } = { motion: { ...storedOrder({ number: 77 }).order, status: 'FILLED' } as const };
    expect(of({ type: 'order-moved', orderId, motion, refusedAs: null, ...alone })).toMatchObject([
      { step: 'filled', orderId, status: 'FILLED' },
    ]);
  });

  it('of a change with its answer are two', () => {
    const stored = storedOrder({ number: 6 });
    const { orderId } = stored.order;
    const answer = { outcome: 'made', status: 'OPEN', message: '', at } as const;
    const key = { bodySha256Hex: 'a'.repeat(64), answer };
    const made = { type: 'order-made', stored, cursor: null, key: { ...key, answer: null } } as const;
    const motion = { ...stored.order, status: 'OPEN', updatedAt: at, venueOrderId: 'v-6' } as const;
    const moved = { type: 'order-moved', orderId, motion, refusedAs: null, cursor: 1, key } as const;
    const answered = { step: 'answered', actor: 'alice', clientOrderId: 'key 6', orderId, outcome: 'made' };
    expect(of(made, moved)).toMatchObject([{ step: 'submitted' }, { step: 'rests' }, answered]);
  });

  it('tell answers, switches, stops and loss limits, and pass over what is derived', () => {
    const answer = { outcome: 'made', status: 'OPEN', message: '', at } as const;
    const entry = { orderId: orderIdOf(1), bodySha256Hex: 'a'.repeat(64), answer };
    const terms = { scope: 'pod', lossMax: 2_500_000 as MicroDollars, cancels: true };
    const limit = { ...terms, since: at, until: at, base: 0n, reached: { at, loss: 2_600_000 as MicroDollars } };
    expect(
      of(
        { type: 'key-kept', actorId: 'alice', venue: 'venue_b', key: 'k', entry },
        { type: 'key-kept', actorId: 'alice', venue: 'venue_b', key: 'k', entry: { ...entry, answer: null } },
        { type: 'switch-armed', cancelAfter: { keyId: 'key', actorId: 'alice', podId: 'pod', deadline: at } },
        { type: 'switch-disarmed', keyId: 'key' },
        { type: 'mark-set', name: 'stops', value: 'pod\n*' },
        { type: 'mark-set', name: 'loss-limits', value: lossLimitsText([limit]) },
        { type: 'mark-set', name: 'probe', value: '0' },
        { type: 'cursors-leapt', floor: 5 },
      ),
    ).toMatchObject([
      { line: 0, step: 'answered', clientOrderId: 'k', outcome: 'made', status: 'OPEN' },
      { line: 1, step: 'switch-armed', keyId: 'key' },
      { line: 2, step: 'switch-disarmed', keyId: 'key' },
      { line: 3, step: 'stops', stopped: ['pod', '*'] },
      { line: 4, step: 'loss-limits', limits: [{ scope: 'pod', lossMaxUsd: '2.5', cancels: true }] },
    ]);
  });
});
