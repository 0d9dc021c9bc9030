// Fills that a venue reports late, differently, in parts, or without our record of their order.

import { beforeEach, describe, expect, it } from 'vitest';
import { clientOrderIdOf } from '../../../src/core/domain/actor-tag.ts';
import type { MicroDollars, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { ok } from '../../../src/core/domain/result.ts';
import { limits } from '../../../src/limits.ts';
import { unattributedOf } from '../../../src/orders/life/bookings.ts';
import type { VenueFill } from '../../../src/venues/venue.ts';
import { ABSENT, ACTOR, found, listed, POD, RESTS, Rig, shares, TIMEOUT, ticks, YES_BUY } from './orders-rig.ts';

// The second report of a waiting fill had another size and no name of an order. The fill was booked as in its last report. A fill that does
// not wait is booked as in its first report.
describe('0027: a waiting fill reported otherwise', () => {
  const NOBODY = unattributedOf(POD);
  /** Ids that seem to name an order that was made here. */
  const named = { venueOrderId: 'v-9', clientOrderId: 'ours' } as const;
  const nameless = { venueOrderId: 'v-9', clientOrderId: null } as const;

  async function reportedTwice(first: Partial<VenueFill>, again: Partial<VenueFill>): Promise<Rig> {
    const rig = new Rig();
    rig.executions.start();
    await rig.pass(10, 5);
    await rig.submit(TIMEOUT);
    rig.hear({ type: 'fill', fill: rig.fill('f', 4, { settlement: 'MATCHED', ...first }) });
    rig.hear({ type: 'fill', fill: rig.fill('f', 3, { positionChange: shares(3), ...again }) });
    return rig;
  }

  it.each([
    ['without the name', named, nameless],
    ['with the name', nameless, named],
    ['alike', nameless, nameless],
  ])(
    'a waiting fill is booked as it was reported first, and has settled as it was reported last: %s',
    async (_, first, again) => {
      const rig = await reportedTwice(first, { ...again, settlement: 'CONFIRMED' });
      expect([rig.store.fill(rig.account, 'f'), rig.position(NOBODY)]).toEqual([null, 0]);
      rig.venue.lookUps = [ABSENT];
      for (let sweeps = 0; sweeps < 60; sweeps += 1) await rig.sweep();
      expect(rig.store.fill(rig.account, 'f')?.fill).toMatchObject({ size: shares(4), settlement: 'CONFIRMED' });
      expect(rig.position(NOBODY)).toBe(shares(4));
    },
  );

  it('a waiting fill is its order’s once that is named, and keeps its settlement', async () => {
    const rig = await reportedTwice({ ...nameless, settlement: 'CONFIRMED' }, { settlement: 'MATCHED' });
    rig.venue.lookUps = [found('rests', [])];
    await rig.sweep();
    expect(rig.store.fills(rig.id(), 0, 10)).toMatchObject([{ size: shares(4), settlement: 'CONFIRMED' }]);
    expect([rig.position(), rig.position(NOBODY)]).toEqual([shares(4), 0]);
  });
});

// If the venue reported the fill first, the order had ended here, and its resting part was ignored. The order went on trading until a
// reading listed it.
describe('0031: a late trace whose fill comes first', () => {
  async function givenUp(): Promise<Rig> {
    const rig = await Rig.submitted({ type: 'not-sent', message: 'no connection', retryAfterS: 1 });
    expect(rig.order().status).toBe('REJECTED');
    rig.venue.calls.length = 0;
    return rig;
  }

  it('the order is cancelled at once if its fill comes first', async () => {
    const rig = await givenUp();
    rig.venue.lookUps = [found('gone', [rig.fill('f', 4)])];
    rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
    rig.hear({ type: 'order', order: rig.venueOrder() });
    await rig.pass(10, 5);
    expect(rig.venue.calls).toEqual(['cancel', 'lookUp']);
    expect([rig.order().status, rig.position()]).toEqual(['CANCELLED', shares(4)]);
    expect(rig.divergences).toEqual(['fill-of-refused', 'late-trace']);
  });

  it('the order is left alone if nothing of it rests', async () => {
    const rig = await givenUp();
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    await rig.pass(10, 5);
    expect([rig.venue.calls, rig.order().status]).toEqual([[], 'FILLED']);
  });

  it('a fill of an order that still trades is no late trace', async () => {
    const rig = await Rig.submitted(RESTS);
    rig.venue.calls.length = 0;
    rig.venue.lookUps = [ABSENT];
    rig.hear({ type: 'fill', fill: rig.fill('f', 4) });
    await rig.pass(10, 5);
    expect([rig.venue.calls, rig.order().status]).toEqual([[], 'OPEN']);
  });
});

// The venue's list of fills has no id of ours. After a backup was restored, a fill was booked before its order was known. An order that had
// ended meanwhile was never requested. The fills stayed unattributed, though the orders show whose fills they are.
describe('0034: fills of an order whose record is lost', () => {
  const NOBODY = unattributedOf(POD);
  const stated = { size: shares(4), cost: BigInt(shares(4)) * 5_600n, fees: 1_000 as MicroDollars };

  /** A gateway whose store is empty reads an account with a fill, which names its order at the venue only. */
  async function started(change: (rig: Rig) => void): Promise<Rig> {
    const rig = new Rig();
    rig.venue.fills = [rig.fill('f', 4, { clientOrderId: null })];
    change(rig);
    rig.executions.start();
    await rig.pass(10, 5);
    return rig;
  }

  it('the fills are their owner’s if the order rests', async () => {
    const rig = await started(it => {
      it.venue.open = [it.venueOrder({ request: YES_BUY, stated })];
    });
    expect([rig.position(), rig.position(NOBODY), rig.order().status]).toEqual([shares(4), 0, 'OPEN']);
    expect(rig.divergences).toEqual(['adopted-order']);
  });

  it('the fills are their owner’s if the order has ended', async () => {
    const request = { ...YES_BUY, size: shares(4) };
    const rig = await started(it => {
      it.venue.made = [
        it.venueOrder({ request, stated, state: 'gone' }),
        it.venueOrder({ venueOrderId: 'v-2', state: 'gone' }),
      ];
    });
    expect([rig.position(), rig.position(NOBODY), rig.order().status]).toEqual([shares(4), 0, 'FILLED']);
    expect(rig.venue.calls).toEqual([]);
    expect(rig.divergences).toEqual(['adopted-order']);
  });

  it('the fills are unattributed if no actor of ours has made the order', async () => {
    const rig = await started(it => {
      it.venue.made = [it.venueOrder({ clientOrderId: null, request: YES_BUY, state: 'gone' })];
    });
    expect([rig.position(), rig.position(NOBODY)]).toEqual([0, shares(4)]);
    expect(rig.divergences).toEqual(['unattributed-fill']);
  });

  it('the fills are unattributed in the end if the venue cannot list so many orders, and the account is read', async () => {
    const rig = await started(it => {
      it.venue.ordersSince = () => Promise.resolve({ ok: false, error: 'more than 50 pages of orders' });
    });
    await rig.pass(60_000, 1_000);
    expect([rig.position(), rig.position(NOBODY)]).toEqual([0, shares(4)]);
    expect(rig.divergences).toEqual(['unattributed-fill']);
    expect(rig.news).toEqual([{ type: 'unread', message: 'more than 50 pages of orders' }, { type: 'read' }]);
  });

  it('wait for the venue to say whose they are', async () => {
    const rig = await started(it => {
      it.venue.ordersSince = () => Promise.resolve({ ok: false, error: 'HTTP 500' });
    });
    expect([rig.position(NOBODY), rig.news]).toEqual([0, [{ type: 'unread', message: 'HTTP 500' }]]);
  });
});

// Each reading requested the fills since the reading before, and so never a fill that was listed late. The order had ended, and nothing
// looked it up.
describe('0054: fills that a list shows late', () => {
  const STATED = { size: shares(10), cost: BigInt(ticks(5_600)) * BigInt(shares(10)), fees: 0 as MicroDollars };
  const LAG_MS = 120_000;

  let rig: Rig;
  let traded: ReturnType<Rig['fill']>[];
  beforeEach(async () => {
    rig = new Rig();
    traded = [];
    const seenUpTo = () => rig.timers.now() - LAG_MS;
    rig.venue.fillsSince = since => {
      return Promise.resolve(listed(traded.filter(({ executedAt: at }) => at >= since && at <= seenUpTo())));
    };
    rig.executions.start();
    await rig.pass(100, 10);
  });

  /** Makes an order that the venue's answer shows as filled at once. The message of its fill is lost. */
  async function filled(): Promise<void> {
    traded = [{ ...rig.fill('f', 10), clientOrderId: null }];
    await rig.submit({ ...RESTS, state: 'gone', stated: STATED });
    expect([rig.order().status, rig.order().filled.size]).toEqual(['FILLED', 0]);
  }

  async function readings(count: number): Promise<void> {
    for (let reading = 0; reading < count; reading += 1) await rig.sweep(limits.accountReadMs);
  }

  describe('where the venue says how far its reads have come', () => {
    it('the fills are read again from there', async () => {
      rig.venue.asOf = () => Promise.resolve(ok((rig.timers.now() - LAG_MS) as UnixMillis));
      rig.venue.lookUps = [{ type: 'unavailable', message: 'down' }];
      await readings(2);
      await filled();
      await readings(8);
      expect([rig.order().filled.size, rig.position()]).toEqual([shares(10), shares(10)]);
    });

    it('no fill counts as read while the venue cannot be asked', async () => {
      await readings(2);
      rig.venue.upTo = { ok: false, error: 'HTTP 503' };
      rig.venue.lookUps = [{ type: 'unavailable', message: 'down' }];
      await filled();
      await readings(8);
      expect(rig.position()).toBe(shares(10));
      expect(rig.news.filter(({ type }) => type === 'unread')).toEqual([]);
    });
  });

  describe('otherwise the order is looked up', () => {
    const withFills = () => {
      rig.venue.lookUps = [
        { type: 'found', venueOrderId: 'v-1', state: 'gone', stated: STATED, fills: [rig.fill('f', 10)] },
      ];
    };
    const looks = () => rig.venue.calls.filter(call => call.startsWith('lookUp')).length;

    it('until they are reported, and not again', async () => {
      await filled();
      rig.venue.lookUps = [{ type: 'found', venueOrderId: 'v-1', state: 'gone', stated: STATED, fills: [] }];
      await readings(4);
      expect([looks() > 0, rig.position()]).toEqual([true, 0]);
      withFills();
      await readings(10);
      expect([rig.order().status, rig.order().filled.size, rig.position()]).toEqual(['FILLED', shares(10), shares(10)]);
      const before = looks();
      await readings(100);
      expect([looks(), rig.divergences]).toEqual([before, []]);
    });

    it('unless they are reported meanwhile, as they are as a rule, however many there are', async () => {
      const stated = { ...STATED, size: shares(1), cost: STATED.cost / 10n };
      const names = Array.from({ length: 3 * limits.unreportedLooksPerReading }, (_, index) => `o${index}`);
      for (const name of names)
        await rig.submit({ ...RESTS, venueOrderId: name, state: 'gone', stated }, { idempotencyKey: name });
      await readings(1);
      for (const name of names) {
        const fill = rig.fill(name, 1, { venueOrderId: name, clientOrderId: clientOrderIdOf(rig.id(name), ACTOR) });
        rig.hear({ type: 'fill', fill });
      }
      await filled();
      withFills();
      await readings(3);
      expect([looks(), rig.position()]).toEqual([1, shares(names.length + 10)]);
    });

    it('by the next process, too', async () => {
      await filled();
      withFills();
      const next = new Rig('venue_b', rig.restarted());
      next.venue.lookUps = rig.venue.lookUps;
      await next.timers.settle(10_000);
      next.executions.start();
      await next.pass(100, 10);
      for (let reading = 0; reading < 3; reading += 1) await next.sweep(limits.accountReadMs);
      expect(next.position()).toBe(shares(10));
    });

    // Sums of venue B are exact to a hundredth of a contract. Less than a tenth counted as the rounding that only venue A has.
    it('6207: however small they are at venue B', async () => {
      const [size, cost] = [shares(0.05), STATED.cost / 200n];
      const stated = { ...STATED, size, cost };
      await rig.submit({ ...RESTS, state: 'gone', stated }, { request: { ...YES_BUY, size } });
      expect(rig.store.pending(ACTOR, 'venue_b', YES_BUY.ticker).growth(1)).toBe(size);
      rig.venue.lookUps = [{ type: 'found', venueOrderId: 'v-1', state: 'gone', stated, fills: [rig.fill('f', 0.05)] }];
      await readings(4);
      expect([rig.order().filled.size, rig.position()]).toEqual([size, size]);
    });

    it('until their time is over, which is logged', async () => {
      await filled();
      rig.venue.lookUps = [{ type: 'unavailable', message: 'down' }];
      await readings(1_200);
      expect([looks(), rig.divergences]).toEqual([limits.unreportedLooksMax, ['fills-untold']]);
    });
  });
});

// An account with more fills than the list shows was never read again: each reading failed, and left more for the next reading.
describe('0056: more fills than a list has', () => {
  const FILLS = 1_000;
  const ROWS_MAX = 100;
  const HOUR_MS = 3_600_000;

  /** Somebody has traded with the account once every few seconds for hours; the venue lists a hundred fills and no more. */
  function busy(rig = new Rig()): Rig {
    const now = rig.timers.now();
    const spanMs = 6 * HOUR_MS;
    const fills = Array.from({ length: FILLS }, (_, index) => {
      const executedAt = Math.floor(now - spanMs + (index * spanMs) / FILLS) as UnixMillis;
      return { ...rig.fill(`f${index}`, 1), executedAt, venueOrderId: `other-${index}`, clientOrderId: null };
    });
    rig.venue.fillsSince = (since, until = null) => {
      const end = until ?? Number.POSITIVE_INFINITY;
      const rows = fills.filter(({ executedAt: at }) => at >= since && at <= end);
      rig.venue.calls.push(`fills ${rows.length}`);
      return Promise.resolve(rows.length > ROWS_MAX ? { ok: false, error: 'more than one page' } : listed(rows));
    };
    return rig;
  }

  const booked = (rig: Rig) => rig.position(unattributedOf(POD));
  const isRead = (rig: Rig) => rig.news.at(-1)?.type === 'read';

  async function readings(rig: Rig, count: number): Promise<void> {
    for (let reading = 0; reading < count && !isRead(rig); reading += 1) await rig.sweep(limits.accountReadRetryMsMax);
  }

  it('the fills are read in parts, each once, and then as before', async () => {
    const rig = busy();
    rig.executions.start();
    await readings(rig, 200);
    expect([isRead(rig), booked(rig)]).toEqual([true, shares(FILLS)]);
    expect(rig.divergences).toHaveLength(FILLS);
    const asked = rig.venue.calls.length;
    await rig.sweep(limits.accountReadMs);
    expect(rig.venue.calls.slice(asked)).toEqual(['fills 0']);
  });

  it('the next process reads the fills on from where the last one had come', async () => {
    const rig = busy();
    rig.executions.start();
    while (booked(rig) < shares(FILLS / 2)) await rig.sweep(limits.accountReadRetryMsMax);
    expect(isRead(rig)).toBe(false);
    const next = new Rig('venue_b', rig.restarted());
    await next.timers.settle(rig.timers.now() - next.timers.now());
    next.venue.fillsSince = rig.venue.fillsSince;
    rig.venue.calls.length = 0;
    next.executions.start();
    await readings(next, 200);
    expect([isRead(next), booked(next)]).toEqual([true, shares(FILLS)]);
    // Fills that were read and booked are not requested again.
    expect(Math.max(...rig.venue.calls.map(call => Number(call.split(' ')[1])))).toBeLessThan((FILLS * 2) / 3);
  });

  it('differ from an outage: one missing answer changes nothing', async () => {
    const rig = new Rig();
    const asked: (UnixMillis | null)[] = [];
    rig.venue.fillsSince = (_since, until = null) => {
      asked.push(until);
      return Promise.resolve(asked.length === 1 ? { ok: false, error: 'HTTP 503' } : listed([]));
    };
    rig.executions.start();
    await readings(rig, 5);
    expect([isRead(rig), asked]).toEqual([true, [null, null]]);
  });
});
