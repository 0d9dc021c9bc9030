// The history beside a ledger that goes on: a caller finds everything that was appended before its question, at any pace of disk and
// thread.

import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../../src/core/store/files.ts';
import { checkOrders } from '../../../src/core/store/orders/check.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { limits } from '../../../src/limits.ts';
import { listSegments } from '../../../src/orders/journal/segments.ts';
import { apply, liveQuestions, outcomeOf, questions, work } from '../../core/store/orders/lives.ts';
import { orderIdOf, storedOrder } from '../../core/store/orders/order-rig.ts';
import { NaiveOrderLedger } from '../../support/naive-order-ledger.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { FollowerRig, LedgerRig } from './history-rig.ts';

let ledger: LedgerRig;
let follower: FollowerRig;

describe('a follower', () => {
  beforeEach(() => {
    ledger = new LedgerRig();
    follower = new FollowerRig(ledger, { timers: new VirtualTimers() });
  });
  afterEach(async () => {
    await follower.close();
    await ledger.remove();
  });

  const put = (number: number) => ledger.step(it => it.putOrder(storedOrder({ number })));
  const listed = () =>
    follower.ask(reads =>
      reads
        .orders({ actorId: 'alice', venue: 'venue_b', address: null, status: null, after: null, rowsMax: 100 })
        .map(it => it.orderId),
    );

  it('answers with what was appended just before, and keeps it', async () => {
    for (let number = 1; number < 40; number++) {
      put(number);
      expect((await listed())[0]).toBe(orderIdOf(number));
      expect(ledger.positions.followed).toBe(ledger.positions.appended);
    }
    await follower.abandon();
    follower = new FollowerRig(ledger, { timers: new VirtualTimers() });
    expect(await listed()).toHaveLength(39);
  });

  it('follows the journal without requests, too', async () => {
    const timers = new VirtualTimers();
    await follower.close();
    follower = new FollowerRig(ledger, { timers });
    put(1);
    timers.advance(limits.historyFollowMs);
    await expect.poll(() => ledger.positions.followed).toBe(1);
  });

  it('keeps all that was appended before it is closed', async () => {
    for (let number = 1; number <= 3 * limits.historyStepsMax; number++) put(number);
    await follower.close();
    expect(ledger.positions.followed).toBe(3 * limits.historyStepsMax);
    follower = new FollowerRig(ledger);
    expect(checkOrders(follower.tables).rows.orders).toBe(3 * limits.historyStepsMax);
  });

  it('goes on where segments that it has were removed', async () => {
    for (let number = 1; number < 40; number++) put(number);
    await listed();
    await ledger.journal.durable();
    ledger.journal.prune(ledger.positions.followed);
    expect(listSegments(nodeFiles, ledger.journalFolder)[0]!.first).toBeGreaterThan(1);
    for (let number = 40; number < 60; number++) put(number);
    expect((await listed())[0]).toBe(orderIdOf(59));
  });

  it('names the record that is damaged, keeps what is before it, and answers nothing that it cannot know', async () => {
    put(1);
    put(2);
    const { path } = listSegments(nodeFiles, ledger.journalFolder)[0]!;
    const bytes = readFileSync(path);
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(path, bytes);
    await expect(listed()).rejects.toThrow(`journal file ${path}, offset `);
    expect(ledger.positions.followed).toBe(1);
  });

  it('fails a question that cannot be answered, and no other', async () => {
    put(1);
    const damaged = follower.ask(() => {
      throw new StoreError('damaged');
    });
    const [found, failed] = await Promise.allSettled([listed(), damaged]);
    expect(found).toMatchObject({ status: 'fulfilled', value: [orderIdOf(1)] });
    expect(failed).toMatchObject({ status: 'rejected', reason: new StoreError('damaged') });
    expect(ledger.positions.followed).toBe(1);
  });

  it('answers on a full disk, keeps nothing, says so once, and keeps it when there is room', async () => {
    await follower.close();
    const [timers, said] = [new VirtualTimers(), [] as string[]];
    let free = limits.historyFreeBytesMin - 1;
    follower = new FollowerRig(ledger, { timers, freeBytes: () => free, warn: event => void said.push(event) });
    put(1);
    expect(await listed()).toEqual([orderIdOf(1)]);
    put(2);
    expect(await listed()).toEqual([orderIdOf(2), orderIdOf(1)]);
    expect([ledger.positions.followed, follower.tables.followed()]).toEqual([0, 0]);
    expect(said).toEqual(['the history of orders is not kept']);
    free = limits.historyFreeBytesMin;
    timers.advance(limits.historyRetryMs);
    expect(await listed()).toEqual([orderIdOf(2), orderIdOf(1)]);
    expect(ledger.positions.followed).toBe(2);
  });
});

const happening = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('step' as const), work }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('ask' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('kill' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('prune' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('fill-disk' as const), isFull: fc.boolean() }) },
);

it('answers as a naive twin does, through deaths, a full disk, and segments that go', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 20 }), async happenings => {
      const rig = new LedgerRig();
      const twin = new NaiveOrderLedger();
      let isFull = false;
      const open = () => new FollowerRig(rig, { timers: new VirtualTimers(), freeBytes: () => (isFull ? 0 : 2 ** 40) });
      let following = open();
      try {
        for (const it of happenings) {
          if (it.type === 'step') {
            const done = outcomeOf(() => rig.step(step => apply(step, it.work, liveQuestions)));
            expect(done).toEqual(outcomeOf(() => twin.change(to => apply(to, it.work, liveQuestions))));
          } else if (it.type === 'kill') {
            await following.abandon();
            following = open();
          } else if (it.type === 'prune') {
            await rig.journal.durable();
            rig.journal.prune(rig.positions.followed + 1);
          } else if (it.type === 'fill-disk') {
            isFull = it.isFull;
          }
          if (it.type === 'ask') expect(await following.ask(questions)).toEqual(questions(twin));
        }
        isFull = false;
        await following.close();
        following = open();
        expect(rig.positions.followed).toBe(rig.positions.appended);
        expect(await following.ask(questions)).toEqual(questions(twin));
        expect(checkOrders(following.tables).faults).toEqual([]);
      } finally {
        await following.close();
        await rig.remove();
      }
    }),
    { numRuns: Number(process.env.RUNS ?? 40) },
  );
});
