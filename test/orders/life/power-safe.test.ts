// The power-safe mode: nothing is sent before the record is on disk.

import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { actorTag } from '../../../src/core/domain/actor-tag.ts';
import type { Answer } from '../../../src/core/domain/answer.ts';
import { NO_LIMITS } from '../../../src/core/domain/identity.ts';
import type { Venue } from '../../../src/core/domain/market.ts';
import type { OperationReply } from '../../../src/core/domain/operation.ts';
import { NOTHING_FILLED } from '../../../src/core/domain/order-sums.ts';
import type { PricesOf } from '../../../src/core/domain/position.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { wallTimers } from '../../../src/core/runtime/timers.ts';
import { type Files, nodeFiles, type OpenFile } from '../../../src/core/store/files.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { LiveBooks } from '../../../src/market-data/book/live-books.ts';
import { createArena } from '../../../src/market-data/book/memory.ts';
import { Journal } from '../../../src/orders/journal/journal.ts';
import { NO_ARCHIVE } from '../../../src/orders/ledger/archive.ts';
import { EngineStore } from '../../../src/orders/ledger/engine-store.ts';
import { adopt } from '../../../src/orders/life/adoption.ts';
import { CancelAfterWatch } from '../../../src/orders/life/cancel-after.ts';
import { Exposure } from '../../../src/orders/life/exposure.ts';
import { OrderService } from '../../../src/orders/life/order-service.ts';
import type { Submission } from '../../../src/orders/life/submission.ts';
import { PodTrading } from '../../../src/venues/pod-trading.ts';
import { HOOKS, submit } from '../../support/submitted.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { turnsUntil } from '../../support/turns.ts';
import { LossRig } from './loss-rig.ts';
import { ACTOR, POD, REFUSED, RESTS, Rig, YES_BUY } from './orders-rig.ts';
import { StopsRig } from './stops-rig.ts';

// Here the disk's sync is held back. Until it is released nothing reaches the venue, and no answer is given that a power cut could take
// back.
describe('3022: nothing is sent before the disk has it', () => {
  /** Turns of the loop in which all that does not wait for the disk would end. */
  const TURNS = 200;

  /** Real files, whose syncs begin only when the test lets them go. */
  class HeldDisk {
    readonly #held: ((error: StoreError | null) => void)[] = [];
    isHolding = true;
    readonly files: Files = {
      ...nodeFiles,
      syncSoon: async (file: OpenFile) => {
        if (this.isHolding) {
          const error = await new Promise<StoreError | null>(resolve => this.#held.push(resolve));
          if (error !== null) throw error;
        }
        return nodeFiles.syncSoon(file);
      },
    };

    get waiting(): number {
      return this.#held.length;
    }

    /** Lets the waiting syncs go on. With an error, the syncs fail. */
    letGo(error: StoreError | null = null): void {
      for (const go of this.#held.splice(0)) go(error);
    }
  }

  let folder: string;
  let disk: HeldDisk;
  let journal: Journal;
  let rig: Rig<EngineStore>;

  const opened = (mode: 'power-safe' | 'process-safe', venue: Venue = 'venue_b'): void => {
    folder = temporaryFolder();
    disk = new HeldDisk();
    const options = { folder, files: disk.files, timers: wallTimers, segmentBytes: 1_000_000, syncDelayMs: 4 };
    journal = Journal.open(options, 1, () => {});
    rig = new Rig(venue, new EngineStore(NO_ARCHIVE, mode).appendTo(journal));
    rig.venue.submits = [RESTS];
  };
  afterEach(async () => {
    disk.isHolding = false;
    disk.letGo();
    await journal.close().catch(() => {});
    removeFolder(folder);
  });

  const submission = (change: Partial<Submission> = {}): Submission =>
    rig.submission({ bodySha256Hex: 'a'.repeat(64), ...change });

  async function turns(count = TURNS): Promise<void> {
    let left = count;
    await turnsUntil(() => --left < 0);
  }

  /** The answer to an IOC order that met no other order. */
  const OVER = { type: 'accepted', venueOrderId: 'v1', state: 'gone', stated: NOTHING_FILLED } as const;

  interface Underway {
    /** The answer. Null as long as there is no answer. */
    answer: Answer | 'failed' | null;
    readonly done: Promise<Answer>;
  }

  /** Begins a submission, and lets it come as far as it can without the disk. */
  async function begun(change: Partial<Submission> = {}): Promise<Underway> {
    const done = submit(rig.parts, submission(change));
    const underway: Underway = { answer: null, done };
    done.then(
      answer => {
        underway.answer = answer;
      },
      () => {
        underway.answer = 'failed';
      },
    );
    await turnsUntil(() => disk.waiting > 0 || underway.answer !== null);
    await turns();
    return underway;
  }

  describe('power-safe: while the disk has not taken the record', () => {
    beforeEach(() => opened('power-safe'));

    it('an order does not reach the venue, and does once the disk has it', async () => {
      const underway = await begun();
      expect(rig.order().status).toBe('SUBMITTED');
      expect([rig.venue.calls, underway.answer]).toEqual([[], null]);
      disk.letGo();
      expect(await underway.done).toMatchObject({ type: 'made', status: 'OPEN' });
      expect(rig.venue.calls).toEqual(['submit SUBMITTED']);
    });

    it('an order that was recorded while a sync was under way waits for the next', async () => {
      const first = await begun();
      const second = submit(rig.parts, submission({ idempotencyKey: 'two' }));
      await turns();
      expect(rig.order(rig.id('two')).status).toBe('SUBMITTED');
      disk.letGo();
      await first.done;
      await turnsUntil(() => disk.waiting > 0);
      await turns();
      expect(rig.venue.calls).toEqual(['submit SUBMITTED']);
      disk.letGo();
      expect(await second).toMatchObject({ type: 'made' });
      expect(rig.venue.calls).toEqual(['submit SUBMITTED', 'submit SUBMITTED']);
    });

    it('no answer says that an order was refused here', async () => {
      const limits = { ...NO_LIMITS, openOrdersMax: 0 };
      const underway = await begun({ limits });
      expect(rig.order().status).toBe('REJECTED');
      expect(underway.answer).toBeNull();
      disk.letGo();
      expect(await underway.done).toMatchObject({ type: 'refused', kind: 'invalid' });
      expect(rig.venue.calls).toEqual([]);
    });

    it.each([
      ['refused an order', REFUSED, 'REJECTED'],
      ['has taken an order that is over and has traded nothing', OVER, 'CANCELLED'],
    ] as const)('no answer says that the venue %s, also to a repeated request', async (_what, outcome, status) => {
      rig.venue.submits = [outcome];
      const first = await begun();
      disk.letGo();
      await turnsUntil(() => rig.order().status === status);
      const repeated = await begun();
      expect([first.answer, repeated.answer]).toEqual([null, null]);
      disk.isHolding = false;
      disk.letGo();
      for (const { done } of [first, repeated])
        expect(await done).toMatchObject(
          status === 'REJECTED' ? { type: 'refused', orderId: null } : { type: 'made', status },
        );
      expect(rig.venue.calls).toEqual(['submit SUBMITTED']);
    });

    it('no answer says that an order rests at venue A, which forgets one that ends untraded', async () => {
      await journal.close();
      removeFolder(folder);
      opened('power-safe', 'venue_a');
      const first = await begun();
      disk.letGo();
      await turnsUntil(() => rig.order().status === 'OPEN');
      await turnsUntil(() => disk.waiting > 0);
      await turns();
      expect(first.answer).toBeNull();
      // The sync that waits may have begun before the record of the outcome, which then needs one more.
      disk.isHolding = false;
      disk.letGo();
      expect(await first.done).toMatchObject({ type: 'made', status: 'OPEN' });
    });

    it('no answer has an order that was found at the venue', async () => {
      disk.isHolding = false;
      const reported = { ...rig.venueOrder(), request: YES_BUY };
      const actorOfTag = (_podId: string, tag: string) => (tag === actorTag(ACTOR) ? ACTOR : null);
      rig.ledger.change(entry => {
        const orderId = adopt(entry, rig.account, reported, YES_BUY, actorOfTag);
        return entry.apply(orderId!, [
          { type: 'rests', at: entry.at, venueOrderId: reported.venueOrderId, stated: null },
        ]);
      });
      await journal.durable();
      disk.isHolding = true;
      const underway = await begun({ isTradable: false });
      expect(underway.answer).toBeNull();
      disk.letGo();
      expect(await underway.done).toMatchObject({ type: 'made', status: 'OPEN' });
      expect(rig.venue.calls).toEqual([]);
    });

    it('no answer says that a switch is armed; if the disk fails it is armed without a record', async () => {
      const switches = new CancelAfterWatch({ ...rig, onFired: () => {} });
      const books = new LiveBooks(createArena());
      const trading = new PodTrading([], {
        log: silentLog,
        metrics: new Metrics({ operations: [] }),
        bookOf: tokenId => books.sides('venue_a', tokenId),
      });
      onTestFinished(() => trading.close());
      const secretHex = '5e'.repeat(32);
      const pods = [{ podId: POD, secretHex }];
      const pricesOf: PricesOf = (venue, address) => books.prices(venue, address);
      const { ledger, protections } = rig;
      const { stops } = new StopsRig(rig);
      const { losses } = new LossRig(rig);
      const desk = new OrderService({
        ...{ ledger, trading, switches, protections, stops, losses, log: silentLog, pods, pricesOf },
        groupOf: () => null,
        bestOf: (venue, address, isAsk) => books.best(venue, address, isAsk),
        exposure: new Exposure({ store: ledger.store, eventOf: () => null, actorsOf: () => [] }),
        sidesOf: (venue, address) => books.sides(venue, address),
        fence: () => null,
        wallets: {
          perform: () => Promise.reject(new Error('no wallet')),
          read: () => {
            throw new Error('no wallet');
          },
        },
      });
      const caller = { podId: POD, actorId: ACTOR, keyId: 'key' };
      const operation = { name: 'cancel-after', caller, body: { timeoutMs: 60_000 } } as const;
      const answers: number[] = [];
      for (const error of [null, new StoreError('the disk has failed')]) {
        const asked = { operation, timedFromUs: null, checkedUs: null };
        const done = new Promise<OperationReply>((replied, failed) => {
          desk.perform(asked, { ...HOOKS, replied, failed });
        }).then(({ status }) => answers.push(status));
        await turnsUntil(() => disk.waiting > 0);
        await turns();
        expect(answers).toHaveLength(error === null ? 0 : 1);
        disk.letGo(error);
        await done;
      }
      expect(answers).toEqual([200, 503]);
    });

    it('a disk that fails has nothing sent', async () => {
      const underway = await begun();
      disk.letGo(new StoreError('the disk has failed'));
      await expect(underway.done).rejects.toThrow('the disk has failed');
      await turns();
      expect(rig.venue.calls).toEqual([]);
    });
  });

  it('process-safe: an order is sent without waiting for the disk', async () => {
    opened('process-safe');
    expect(await submit(rig.parts, submission())).toMatchObject({ type: 'made', status: 'OPEN' });
    expect(rig.venue.calls).toEqual(['submit SUBMITTED']);
  });
});
