// Settlements of venue B that its lists show late, in parts, or never.

import { describe, expect, it, onTestFinished } from 'vitest';
import { fraction } from '../../../../src/core/domain/fraction.ts';
import type { MicroDollars } from '../../../../src/core/domain/numbers.ts';
import { fail, ok } from '../../../../src/core/domain/result.ts';
import { silentLog } from '../../../../src/core/runtime/log.ts';
import { limits } from '../../../../src/limits.ts';
import { bookFill, unattributedOf } from '../../../../src/orders/life/bookings.ts';
import { payoutOf } from '../../../../src/venues/venue-b/trading/settlements.ts';
import { ACTOR, POD, RESTS, Rig, shares, TOKEN_SELL, ticks, YES_BUY } from '../../../orders/life/orders-rig.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { scriptedRest, scriptedSettlements } from './scripted-rest.ts';

// While a settlement was not listed, each reading, every five minutes, read the list from the reading before that settlement. So each
// reading read more. If the settlement was never listed, this went on for ever, without a word. The mark also stayed if each settlement
// came late, but not all at once, and if a settlement came before an unreadable row.
describe('0146: a settlement that is never listed', () => {
  const SECOND_MS = 1_000;
  const HOUR_MS = 3_600_000;

  /** Returns the settlements of an account that holds each market until the market is reported as paid. */
  function account() {
    const timers = new VirtualTimers();
    let rows: object[] = [];
    /** The time in milliseconds that the last reading went back. */
    let backMs = 0;
    const rest = scriptedRest(target => {
      backMs = timers.now() - Number(new URL(target, 'http://venue').searchParams.get('min_ts')) * SECOND_MS;
      return { settlements: rows, cursor: '' };
    }, timers);
    const isHeld = (address: string) => !reported.some(it => it.type === 'settled' && it.address === address);
    const { settlements, reported } = scriptedSettlements(rest, timers, silentLog, isHeld);
    settlements.readSoon();
    onTestFinished(() => settlements.stop());
    return {
      timers,
      reported,
      backMs: () => backMs,
      hear: (ticker: string) => settlements.handle({ event_type: 'settled', market_ticker: ticker }),
      list: (change: object) => {
        rows = [{ market_result: 'yes', value: 100, settled_time: new Date(timers.now()).toISOString(), ...change }];
      },
      pass: async (ms: number) => {
        const stepMs = limits.venueBSettlementsReadMs;
        for (let passed = 0; passed < ms; passed += stepMs) await timers.settle(stepMs);
      },
    };
  }

  const USUAL_MS = limits.venueBSettlementsOverlapMs + 2 * limits.venueBSettlementsReadMs;

  it('the settlement is given up, which is logged once, and the list goes on', async () => {
    const { hear, pass, reported, backMs } = account();
    await pass(HOUR_MS);
    hear('KXA');
    await pass(limits.venueBSettlementsAwaitedMs - HOUR_MS);
    expect(reported).toEqual([]);
    await pass(2 * HOUR_MS);
    expect(reported).toEqual([{ type: 'unlisted', address: 'KXA' }]);
    await pass(limits.venueBSettlementsAwaitedMs);
    expect([reported.length, backMs() <= USUAL_MS]).toEqual([1, true]);
  });

  it('the settlement is given up by the time that has passed, at any state of the clock', async () => {
    const { hear, pass, reported, timers } = account();
    hear('KXA');
    await pass(HOUR_MS);
    timers.setClock(2 * limits.venueBSettlementsAwaitedMs);
    await pass(HOUR_MS);
    expect(reported).toEqual([]);
  });

  it('the settlement does not keep the others, each of which comes late: the list goes on with them', async () => {
    const { hear, pass, list, reported, backMs } = account();
    hear('KX0');
    for (let hour = 1; hour <= 24; hour += 1) {
      hear(`KX${hour}`);
      await pass(HOUR_MS);
      list({ ticker: `KX${hour - 1}` });
      await pass(HOUR_MS);
    }
    expect(new Set(reported.map(it => 'address' in it && it.address)).size).toBe(24);
    expect(backMs() <= USUAL_MS + 2 * HOUR_MS).toBe(true);
  });

  it('an unreadable row keeps the list only a day further back than at the start', async () => {
    const { pass, list, backMs } = account();
    list({ ticker: 'KXA', market_result: 'maybe' });
    await pass(HOUR_MS);
    expect(backMs() >= limits.venueBSettlementsLookBackMs).toBe(true);
    await pass(2 * limits.venueBSettlementsAwaitedMs);
    const farthestMs = limits.venueBSettlementsLookBackMs + limits.venueBSettlementsAwaitedMs;
    expect(backMs() <= farthestMs + SECOND_MS).toBe(true);
  });

  it('the settlement is counted', () => {
    const rig = new Rig();
    rig.hear({ type: 'unlisted', address: 'KXA' });
    expect(rig.divergences).toEqual(['settlement-unlisted']);
  });
});

// The venue listed neither such holdings nor their payout, and both holdings stayed shown as held. Their profit and loss was never booked.
describe('0193: a payout to holdings that cancel out', () => {
  const NOBODY = unattributedOf(POD);
  const OTHERS = { venueOrderId: 'foreign', clientOrderId: null, positionChange: shares(-10) } as const;

  async function offset(venue: 'venue_a' | 'venue_b'): Promise<Rig> {
    const rig = new Rig(venue);
    rig.venue.held = ok([]);
    await rig.submit(RESTS);
    rig.executions.start();
    await rig.pass(100, 10);
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    rig.hear({ type: 'fill', fill: rig.fill('g', 10, { ...OTHERS, addressPrice: ticks(6_000) }) });
    await rig.sweep();
    return rig;
  }

  /** Books YES of the market for the actor, and the same number of NO without an actor. */
  function hold(rig: Rig, address: string): void {
    const [addressPrice, fee] = [ticks(5_000), 0 as MicroDollars];
    const part = { address, addressPrice, fee };
    rig.ledger.change(({ transaction, at }) => {
      const [own, others] = [ACTOR, null].map(actorId => ({ account: rig.account, actorId, at }));
      bookFill(transaction, own!, { ...part, positionChange: shares(10) }, null);
      bookFill(transaction, others!, { ...part, positionChange: shares(-10) }, null);
    });
  }

  async function looks(rig: Rig, times: number): Promise<void> {
    for (let look = 0; look < times; look += 1) await rig.sweep(limits.holdingsAuditMs);
  }

  it.each([10_000, 0, 5_000])('both are paid at venue B, %i ticks', async value => {
    const rig = await offset('venue_b');
    await looks(rig, 2);
    expect([rig.position(), rig.position(NOBODY)]).toEqual([shares(10), shares(-10)]);
    rig.venue.paid = ok(ticks(value));
    await looks(rig, 1);
    const size = BigInt(shares(10));
    const { ticker } = YES_BUY;
    const realized = [fraction(BigInt(value - 5_600) * size), fraction(BigInt(6_000 - value) * size)];
    const both = [ACTOR, NOBODY].map(owner => rig.store.position(owner, 'venue_b', ticker));
    expect(both).toMatchObject(realized.map(it => ({ size: 0, realized: it })));
  });

  it('both holdings are paid at venue A, too, where one owes the other', async () => {
    const rig = await offset('venue_a');
    rig.venue.paid = ok(ticks(0));
    await looks(rig, 1);
    const sizes = [ACTOR, NOBODY].map(owner => rig.store.position(owner, 'venue_a', TOKEN_SELL.tokenId)?.size);
    expect(sizes).toEqual([0, 0]);
  });

  it('many markets all have their turn, and one that has paid is not asked again', async () => {
    const rig = await offset('venue_b');
    const others = Array.from({ length: limits.payoutsAskedPerLook + 5 }, (_, index) => `KX${index}`);
    for (const address of others) hold(rig, address);
    const asked = () => rig.venue.calls.filter(it => it.startsWith('payoutOf'));
    await looks(rig, 2);
    expect(new Set(asked())).toEqual(new Set([YES_BUY.ticker, ...others].map(it => `payoutOf ${it}`)));
    const before = asked().length;
    rig.venue.paid = ok(ticks(10_000));
    await looks(rig, 5);
    expect(asked().length - before).toBe(others.length + 1);
  });

  it.each<[object, number | null]>([
    [{ status: 'finalized', result: 'yes', settlement_value_dollars: '1.0000' }, 10_000],
    [{ status: 'finalized', result: 'no' }, 0],
    [{ status: 'settled', result: 'scalar', settlement_value_dollars: '0.3705' }, 3_705],
    [{ status: 'finalized', result: 'scalar' }, null],
    [{ status: 'determined', result: 'yes', settlement_value_dollars: '1.0000' }, null],
    [{ status: 'active', result: '' }, null],
  ])('a market of venue B that says %j pays %s', async (said, value) => {
    const rest = scriptedRest(() => ({ market: { ticker: 'KXA', ...said } }));
    expect(await payoutOf(rest, 'KXA')).toEqual(ok(value));
  });

  it('a market that the venue has forgotten has no payout, and one that cannot be asked is asked again', async () => {
    const gone = scriptedRest(() => ({ status: 404, error: { code: 'not_found', message: 'not found' } }));
    expect(await payoutOf(gone, 'KXA')).toEqual(ok(null));
    const away = scriptedRest(() => ({ status: 503 }));
    expect(await payoutOf(away, 'KXA')).toEqual(fail('venue B: HTTP 503'));
  });
});
