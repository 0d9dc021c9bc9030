// The signed requests of an account at venue B, as the paper exchange checks them. Each order and each cancel has its own signature, which
// is fresh when the request leaves. If a signature comes too late, the request is signed and sent once more.

import { beforeEach, describe, expect, it } from 'vitest';
import type { OutboundHeaders, OutboundPool } from '../../../../src/core/net/outbound.ts';
import { limits } from '../../../../src/limits.ts';
import { outboundBy } from '../../../support/outbound-by.ts';
import type { VirtualTimers } from '../../../support/virtual-timers.ts';
import { ANSWER_MS, cancel, type Placed, place, price, size, type Wish } from '../../trading-rig.ts';
import { VenueBTradingRig } from './trading-rig.ts';

const RESTING: Wish = { side: 'BUY', price: price('0.3'), size: size('10') };
const ORDERS = '/trade-api/v2/portfolio/events/orders';
const PAUSE_MS = 3;
const SKEW_MS = 60_000;

interface Sent {
  readonly call: string;
  readonly signature: string;
  /** The time in milliseconds from the signature to the departure of the request. */
  readonly ageMs: number;
  readonly timeoutMs: number;
  readonly sendWithinMs: number;
}

let rig: VenueBTradingRig;
let sent: Sent[];
/** The function that runs after each answer. */
let onAnswer: () => void;

async function open(keyType: 'ed25519' | 'rsa' = 'ed25519'): Promise<void> {
  sent = [];
  onAnswer = () => {};
  rig = await VenueBTradingRig.open({ keyType, outbound: (pool, timers) => recorder(pool, timers) });
}

/** Returns an outbound that records each request and passes it on to the real pool. */
function recorder(pool: OutboundPool, timers: VirtualTimers): OutboundPool {
  const recording = outboundBy(async (request, timeoutMs) => {
    const { method, target, sendWithinMs = timeoutMs } = request;
    const headers = (): OutboundHeaders => {
      const made = typeof request.headers === 'function' ? request.headers() : request.headers;
      const signature = made['KALSHI-ACCESS-SIGNATURE']!;
      const ageMs = timers.now() - Number(made['KALSHI-ACCESS-TIMESTAMP']);
      sent.push({ call: `${method} ${target}`, signature, ageMs, timeoutMs, sendWithinMs });
      return made;
    };
    const outcome = await pool.request({ ...request, headers }, timeoutMs);
    onAnswer();
    return outcome;
  });
  return { ...recording, warmUp: connections => pool.warmUp(connections), close: () => pool.close() };
}

const SUBMISSION = `POST ${ORDERS}`;
const CANCEL = `DELETE ${ORDERS}/batched`;
const sentTo = (call: string): readonly Sent[] => sent.filter(it => it.call === call);
/**
 * Returns whether the signature was made at an earlier request. A signature made just now may be dated a millisecond back, because no two
 * signatures have the same time.
 */
const isAhead = ({ ageMs }: Sent): boolean => ageMs >= PAUSE_MS;

describe.each(['ed25519', 'rsa'] as const)('an account with an %s key', keyType => {
  it('has its orders and cancels signed ahead, each once, and none for longer than a second', async () => {
    await open(keyType);
    const placeAndCancel = async (): Promise<void> => {
      const placed = await place(rig, RESTING);
      expect(placed.outcome.type).toBe('accepted');
      await rig.advance(PAUSE_MS);
      expect(await cancel(rig, placed)).toEqual({ type: 'cancelled' });
      await rig.advance(PAUSE_MS);
    };
    await expect
      .poll(async () => {
        await placeAndCancel();
        return [sentTo(SUBMISSION), sentTo(CANCEL)].map(list => list.some(isAhead));
      })
      .toEqual([true, true]);
    for (let count = 0; count < 30; count += 1) {
      await placeAndCancel();
      await rig.advance(count * 100);
    }
    const signed = [...sentTo(SUBMISSION), ...sentTo(CANCEL)];
    expect(new Set(signed.map(it => it.signature)).size).toBe(signed.length);
    for (const { ageMs } of signed) {
      expect(ageMs).toBeGreaterThanOrEqual(0);
      expect(ageMs).toBeLessThanOrEqual(limits.venueBSignatureAgeMsMax);
    }
  });

  it('has a burst signed, with and without a stock', async () => {
    await open(keyType);
    const placed = await Promise.all(Array.from({ length: 40 }, () => place(rig, RESTING)));
    expect(new Set(placed.map(({ outcome }) => outcome.type))).toEqual(new Set(['accepted']));
    await rig.advance(PAUSE_MS);
    const cancelled = await Promise.all(placed.map(it => cancel(rig, it)));
    expect(new Set(cancelled.map(({ type }) => type))).toEqual(new Set(['cancelled']));
    expect(new Set(sent.map(it => it.signature)).size).toBe(sent.length);
  });
});

describe('a request that comes too late for its timestamp', () => {
  beforeEach(() => open());

  /** Sets the venue's clock wrong until the first answer. */
  const lateOnce = (): void => {
    sent = [];
    rig.faults.setSkewMs('venue_b', SKEW_MS);
    onAnswer = () => rig.faults.resetConditions();
  };

  it('is signed and sent once again: a submission', async () => {
    lateOnce();
    expect((await place(rig, RESTING)).outcome.type).toBe('accepted');
    expect(sentTo(SUBMISSION)).toHaveLength(2);
    expect(await rig.trading.openOrders()).toMatchObject({ value: { rows: [{}] } });
  });

  it('is signed and sent once again: a cancel', async () => {
    const placed = await place(rig, RESTING);
    await rig.advance(PAUSE_MS);
    lateOnce();
    expect(await cancel(rig, placed)).toEqual({ type: 'cancelled' });
    expect(sentTo(CANCEL).map(isAhead)).toEqual([true, false]);
  });

  it('is signed and sent once again: a read', async () => {
    lateOnce();
    expect(await rig.trading.positions()).toMatchObject({ ok: true });
    expect(sent).toHaveLength(2);
  });

  it('is not sent a third time', async () => {
    const placed: Placed = await place(rig, RESTING);
    sent = [];
    rig.faults.setSkewMs('venue_b', SKEW_MS);
    expect((await place(rig, RESTING)).outcome.type).toBe('not-sent');
    expect((await cancel(rig, placed)).type).toBe('not-sent');
    expect([sentTo(SUBMISSION).length, sentTo(CANCEL).length]).toEqual([2, 2]);
    expect(await rig.trading.positions()).toMatchObject({ ok: false });
    expect(sent).toHaveLength(6);
  });

  it('has what is left of its time', async () => {
    lateOnce();
    const answered = onAnswer;
    onAnswer = () => {
      answered();
      rig.timers.advance(1_000);
    };
    await place(rig, RESTING);
    const left = [ANSWER_MS, ANSWER_MS - 1_000];
    expect(sentTo(SUBMISSION).map(it => it.timeoutMs)).toEqual(left);
    expect(sentTo(SUBMISSION).map(it => it.sendWithinMs)).toEqual(left);
  });

  it('is not sent again after its time', async () => {
    lateOnce();
    const answered = onAnswer;
    onAnswer = () => {
      answered();
      rig.timers.advance(ANSWER_MS);
    };
    expect((await place(rig, RESTING)).outcome).toMatchObject({ type: 'not-sent', message: 'no time left' });
    expect(sentTo(SUBMISSION)).toHaveLength(1);
  });
});
