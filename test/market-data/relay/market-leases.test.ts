// Markets that a publisher keeps for its readers: from the first request until the lease after the last request ends.

import { beforeEach, describe, expect, it } from 'vitest';
import { type MarketKey, marketAddress } from '../../../src/core/domain/market.ts';
import { DESCRIBED_MS, LEASE_MS, RENEWAL_MS } from '../../../src/market-data/relay/protocol.ts';
import { type AcquireMarket, MarketLeases } from '../../../src/market-data/relay/relay-link.ts';
import type { FeedRefusal } from '../../../src/venues/feed.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

type Acquisition = Awaited<ReturnType<AcquireMarket>>;

const [ONE, OTHER] = ['ONE', 'OTHER'].map(ticker => ({ venue: 'venue_b', ticker }) as const) as [MarketKey, MarketKey];
const REFUSAL: FeedRefusal = { code: 'UNKNOWN_MARKET', message: 'no such market' };

let timers: VirtualTimers;
let acquired: string[];
let released: string[];
/** The feed's pending answers, which the test gives. */
let answers: Map<string, (acquisition: Acquisition) => void>;
let leases: MarketLeases;

beforeEach(() => {
  timers = new VirtualTimers();
  [acquired, released, answers] = [[], [], new Map()];
  leases = new MarketLeases(market => {
    const address = marketAddress(market);
    acquired.push(address);
    return new Promise(resolve => answers.set(address, resolve));
  }, timers);
});

const granted = (name: string): Acquisition => ({ release: () => released.push(name) });

describe('a lease', () => {
  it('is granted once its feed has the market, and is one for all readers', async () => {
    const [first, second] = [leases.lease([ONE]), leases.lease([ONE])];
    answers.get('ONE')!(granted('book'));
    for (const outcome of [first, second]) expect(await outcome).toEqual({ accepted: [ONE], rejected: [] });
    expect([acquired, leases.count]).toEqual([['ONE'], 1]);
  });

  it('ends a while after the last request', async () => {
    const first = leases.lease([ONE]);
    answers.get('ONE')!(granted('book'));
    await first;
    await timers.settle(LEASE_MS - RENEWAL_MS);
    await leases.lease([ONE]);
    await timers.settle(LEASE_MS - 1_000);
    expect(released).toEqual([]);
    await timers.settle(2_000);
    expect([released, leases.count]).toEqual([['book'], 0]);
  });

  it('is refused with the feed’s reason, and asked for again by the next request', async () => {
    const refused = leases.lease([ONE]);
    answers.get('ONE')!({ refusal: REFUSAL });
    expect(await refused).toEqual({ accepted: [], rejected: [{ market: ONE, ...REFUSAL }] });
    void leases.lease([ONE]);
    expect(acquired).toEqual(['ONE', 'ONE']);
  });

  it('of a market that is still being described is left out of the answer, and those of others are not', async () => {
    const outcome = leases.lease([ONE, OTHER]);
    answers.get('OTHER')!(granted('other'));
    await timers.settle(DESCRIBED_MS);
    expect(await outcome).toEqual({ accepted: [OTHER], rejected: [] });
    // The lease of the market lasts longer than its description takes.
    await timers.settle(2 * LEASE_MS);
    answers.get('ONE')!(granted('one'));
    await timers.settle();
    await timers.settle(1_000);
    expect(released).toEqual(['other', 'one']);
  });
});

it('nothing is released once the publisher ends: its feeds end, too', async () => {
  const lease = leases.lease([ONE]);
  answers.get('ONE')!(granted('book'));
  await lease;
  leases.close();
  await timers.settle(2 * LEASE_MS);
  expect(released).toEqual([]);
});
