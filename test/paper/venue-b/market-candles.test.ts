// What is remembered of a market for its candles: a day, whether it is busy or quiet, and nothing once it is forgotten.

import { describe, expect, it } from 'vitest';
import type { Ticks } from '../../../src/domain/numbers.ts';
import { limits } from '../../../src/limits.ts';
import { MarketCandles } from '../../../src/paper/venue-b/rest/market-candles.ts';
import { Rig } from './core/rig.ts';

const MINUTE_MS = 60_000;
const MINUTES_MAX = limits.paperCandlesPerMarketMax;

/** A market that lasts, in which something happens every so many minutes. */
function watched(minutes: number, times: number) {
  const rig = new Rig();
  const candles = new MarketCandles();
  rig.exchange.observe(candles.hear);
  const market = rig.market('M');
  rig.exchange.life.setCloseAt(market, (rig.timers.now() + 1e12) as never);
  for (let time = 0; time < times; time += 1) {
    rig.timers.advance(minutes * MINUTE_MS);
    rig.quote(`bid 1 @ ${10 + (time % 30)}`);
  }
  return { rig, candles, market, now: Math.ceil(rig.timers.now() / MINUTE_MS) };
}

describe('candles', () => {
  it.each([
    ['every minute', 1, 4_000],
    ['every ten minutes', 10, 600],
  ])('of a market that moves %s reach back a day, and little more', (_how, minutes, times) => {
    const { candles, market, now } = watched(minutes, times);
    const kept = candles.of(market);
    expect(kept[0]!.endMinute).toBeLessThanOrEqual(now - MINUTES_MAX);
    expect(kept.length).toBeLessThanOrEqual(MINUTES_MAX / minutes + MINUTES_MAX / 16 + 2);
    expect(kept.at(-1)!.endMinute).toBe(now);
  });

  it('go with their market', () => {
    const { rig, candles, market } = watched(1, 3);
    for (const each of rig.exchange.markets.values()) rig.exchange.life.determine(each, 0 as Ticks);
    rig.timers.advance(10 * MINUTE_MS);
    expect(candles.of(market)).not.toEqual([]);
    rig.exchange.forgetSettled(rig.timers.now());
    expect(candles.of(market)).toEqual([]);
  });
});
