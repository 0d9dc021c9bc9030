// Invariants of the matching engine after each of very many random operations. They hold with ample money, with hardly any, and with sizes
// whose product with a price is far beyond 2^53. The same requests give the same event log, byte for byte.

import { describe, expect, it } from 'vitest';
import { ExchangeRun, roll, type StageName, stage } from '../../support/exchange-run.ts';
import { MILLION, OPERATIONS } from './operations.ts';

const RUNS = 20;
/**
 * The least number of times that each event must have happened in a million operations; in fewer operations, the number in proportion. A lower count
 * means that the random steps do not try what they should.
 */
const OFTEN: Record<string, number> = {
  'accepted: GTC': 100_000,
  'accepted: GTC post-only': 10_000,
  'accepted: GTD': 10_000,
  'accepted: IOC': 10_000,
  'accepted: IOC reduce-only': 2_000,
  'accepted: FOK': 3_000,
  'accepted: FOK reduce-only': 300,
  reduced: 300,
  'several fills': 10_000,
  'fill: mint': 20_000,
  'fill: merge': 10_000,
  'fill: YES handed on': 5_000,
  'fill: NO handed on': 5_000,
  'fill: of parts': 2_000,
  'fill: with itself': 5_000,
  'fill: odd size': 30_000,
  'fill: fee cut': 50,
  'cancelled: user': 50_000,
  'cancelled: ioc': 20_000,
  'cancelled: self-trade': 10_000,
  'cancelled: expiry': 10_000,
  'cancelled: close': 10_000,
  'cancelled: decrease': 1_000,
  decrease: 20_000,
  amend: 50_000,
  'amend: crossed': 5_000,
  cancelAll: 3_000,
  mintPair: 2_000,
  redeemPair: 1_000,
  giveShares: 500,
  'deposit in: true': 2_000,
  'deposit out: true': 1_000,
  'deposit out: false': 50,
  'market: PAUSED': 1_000,
  'market: CLOSED': 1_000,
  settled: 1_000,
};
/** The least number of times that each refusal must have happened, as in OFTEN. */
const REFUSED: Record<string, number> = {
  'place refused: unknown-market': 500,
  'place refused: unknown-account': 500,
  'cancel refused: unknown-order': 10,
  'cancel refused: not-owner': 1_000,
  'cancel refused: order-done': 1_000,
  'place refused: market-paused': 5_000,
  'place refused: market-closed': 5_000,
  'place refused: off-grid': 1_000,
  'place refused: invalid-size': 1_000,
  'place refused: insufficient-cash': 20_000,
  'place refused: insufficient-holding': 20_000,
  'place refused: post-only-cross': 5_000,
  'place refused: fok-insufficient': 20_000,
  'place refused: nothing-to-reduce': 5_000,
  'place refused: expired': 1_000,
  'decrease refused: invalid-size': 1_000,
  'amend refused: insufficient-cash': 1_000,
  'amend refused: insufficient-holding': 500,
  'amend refused: post-only-cross': 500,
  'mintPair refused: insufficient-cash': 300,
  'redeemPair refused: insufficient-holding': 1_000,
  'giveShares refused: insufficient-holding': 100,
  'settle refused: off-grid': 300,
};
const STAGES: readonly StageName[] = ['usual', 'poor', 'usual', 'huge'];

describe('the matching engine', () => {
  it(`keeps its accounts and books after each of ${OPERATIONS} operations`, { timeout: 300_000 }, () => {
    const counts = new Map<string, number>();
    for (let seed = 1; seed <= RUNS; seed++) {
      const run = new ExchangeRun(stage(STAGES[seed % STAGES.length]!));
      roll(seed, OPERATIONS / RUNS, step => void run.step(step));
      for (const [what, count] of run.world.counts) counts.set(what, (counts.get(what) ?? 0) + count);
    }
    const inMillion = Object.entries({ ...OFTEN, ...REFUSED });
    const wanted = inMillion.map(([what, least]) => [what, Math.ceil((least * OPERATIONS) / MILLION)] as const);
    const seldom = wanted.filter(([what, least]) => (counts.get(what) ?? 0) < least);
    expect(seldom.map(([what, least]) => `${what}: ${counts.get(what) ?? 0} of ${least}`)).toEqual([]);
  });

  it.each(STAGES.slice(1))('writes the same log whenever it is asked the same (%s)', name => {
    const log = logOf(name, 5);
    expect(log.split('\n').length).toBeGreaterThan(10_000);
    expect(logOf(name, 5) === log).toBe(true);
    expect(logOf(name, 6) === log).toBe(false);
  });
});

function logOf(name: StageName, seed: number): string {
  const run = new ExchangeRun(stage(name));
  const lines: string[] = [];
  roll(seed, 10_000, step => {
    for (const event of run.step(step).events) lines.push(JSON.stringify(event));
  });
  return lines.join('\n');
}
