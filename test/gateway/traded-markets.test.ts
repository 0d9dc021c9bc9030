// Markets that are kept because of orders and positions, from the real engine. Markets of all open orders and positions are added as they
// appear, and released when a round finds that they are over.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fraction } from '../../src/core/domain/fraction.ts';
import { type MarketKey, marketAddress, type Venue } from '../../src/core/domain/market.ts';
import type { MicroShares } from '../../src/core/domain/numbers.ts';
import type { Order } from '../../src/core/domain/order.ts';
import { noPosition } from '../../src/core/domain/position.ts';
import type { WalletAction } from '../../src/core/domain/wallet-action.ts';
import { silentLog } from '../../src/core/runtime/log.ts';
import { wallTimers } from '../../src/core/runtime/timers.ts';
import { nodeFiles } from '../../src/core/store/files.ts';
import type { Account } from '../../src/core/store/order-records.ts';
import { StoreError } from '../../src/core/store/store-error.ts';
import { TradedMarkets } from '../../src/gateway/traded-markets.ts';
import { limits } from '../../src/limits.ts';
import { newsOf } from '../../src/orders/engine/engine-messages.ts';
import { Journal } from '../../src/orders/journal/journal.ts';
import { NO_ARCHIVE } from '../../src/orders/ledger/archive.ts';
import { EngineStore } from '../../src/orders/ledger/engine-store.ts';
import { unattributedOf } from '../../src/orders/life/bookings.ts';
import { marketsInUse } from '../../src/orders/life/markets-in-use.ts';
import { at, storedOrder } from '../core/store/orders/order-rig.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

const ALICE = 'pod/alice';
const BOB = 'pod/bob';
const VENUE_A: Account = { podId: 'pod', venue: 'venue_a' };
const VENUE_B: Account = { podId: 'pod', venue: 'venue_b' };

let folder: string;
let journal: Journal;
let engine: EngineStore;
let isBroken: boolean;
let timers: VirtualTimers;
let kept: RoundBook;
let traded: TradedMarkets;

/** The book as each round leaves it. */
class RoundBook {
  readonly markets = new Set<string>();
  rounds = 0;
  #fresh = new Set<string>();

  beginRound(): void {
    this.#fresh = new Set();
  }

  keep(market: MarketKey): void {
    const name = `${market.venue} ${marketAddress(market)}`;
    this.#fresh.add(name);
    this.markets.add(name);
  }

  endRound(): void {
    for (const name of this.markets) if (!this.#fresh.has(name)) this.markets.delete(name);
    this.rounds += 1;
  }
}

beforeEach(() => {
  folder = temporaryFolder();
  const options = { folder, files: nodeFiles, timers: wallTimers, segmentBytes: 1_000_000, syncDelayMs: 5 };
  journal = Journal.open(options, 1, () => {});
  engine = new EngineStore(NO_ARCHIVE, 'process-safe').appendTo(journal);
  isBroken = false;
  timers = new VirtualTimers();
  kept = new RoundBook();
});
afterEach(async () => {
  traded.close();
  await journal.close();
  removeFolder(folder);
});

async function start(account = VENUE_B): Promise<void> {
  const actorsOf = (podId: string) => (podId === 'pod' ? [ALICE, BOB] : []);
  const heldMarkets = async () => {
    if (isBroken) throw new StoreError('broken');
    return (await marketsInUse(engine, [account], actorsOf)).markets;
  };
  traded = new TradedMarkets({ kept, heldMarkets, timers, log: silentLog });
  traded.start();
  await round(1);
}

const round = (count: number) => expect.poll(() => kept.rounds).toBe(count);

async function nextRound(): Promise<void> {
  const next = kept.rounds + 1;
  timers.advance(limits.keptMarketsRoundMs);
  await round(next);
}

function hold(owner: string, address: string, shares: number, isRedeemable = false, venue: Venue = 'venue_b'): void {
  const size = (shares * 1_000_000) as MicroShares;
  const position = { ...noPosition(venue, address, at(1)), size, average: fraction(5_000n), isRedeemable };
  engine.change(transaction => transaction.putPosition(owner, position));
}

function order(number: number, address: string, changes: Partial<Order> = {}): Order {
  const stored = storedOrder({ number, address, actorId: ALICE }, changes);
  engine.change(transaction => transaction.putOrder(stored));
  return stored.order;
}

const tell = (it: Order) =>
  traded.handleNews([
    newsOf({ cursor: 1, actorId: it.actorId, event: 'STATUS', order: it, fill: null, at: at(1) }, false),
  ]);

describe('at the start', () => {
  it('markets of all open orders and positions of all actors are kept', async () => {
    order(1, 'PENDING');
    order(2, 'OPEN', { status: 'OPEN' });
    order(3, 'CANCELLED', { status: 'CANCELLED', closedAt: at(3) });
    hold(ALICE, 'LONG', 2);
    hold(BOB, 'SHORT', -2);
    hold(ALICE, 'CLOSED', 0);
    hold(unattributedOf('pod'), 'NOBODYS', 1);
    hold('other/alice', 'ELSEWHERE', 1);
    hold(ALICE, '123', 1, false, 'venue_a');
    await start();
    expect([...kept.markets].sort()).toEqual(
      ['LONG', 'NOBODYS', 'OPEN', 'PENDING', 'SHORT'].map(it => `venue_b ${it}`),
    );
  });

  it('markets of positions that only wait to be redeemed are not kept', async () => {
    hold(ALICE, '123', 1, false, 'venue_a');
    hold(ALICE, '456', 1, true, 'venue_a');
    await start(VENUE_A);
    expect([...kept.markets]).toEqual(['venue_a 123']);
  });
});

describe('later', () => {
  it('an order’s market is kept from its first event, and released a round after its end', async () => {
    await start();
    const pending = order(1, 'NEW');
    tell(pending);
    expect([...kept.markets]).toEqual(['venue_b NEW']);
    await nextRound();
    expect([...kept.markets]).toEqual(['venue_b NEW']);
    tell(order(1, 'NEW', { status: 'CANCELLED', closedAt: at(2) }));
    await nextRound();
    expect([...kept.markets]).toEqual([]);
  });

  it('an order that ended with nothing filled is nothing new; one that was filled is a position', async () => {
    await start();
    tell(order(1, 'NOTHING', { status: 'CANCELLED', closedAt: at(2) }));
    const filled = { size: 1_000_000 as MicroShares, cost: 5_000_000_000n, fees: 0 as never };
    tell(order(2, 'SOMETHING', { status: 'FILLED', closedAt: at(2), filled }));
    expect([...kept.markets]).toEqual(['venue_b SOMETHING']);
  });

  it('both markets of a wallet’s action are kept from its first event: a split makes positions there', async () => {
    await start(VENUE_A);
    const action = { tokenId: '123', complementId: '456' } as WalletAction;
    traded.handleNews([newsOf({ cursor: 1, actorId: ALICE, event: 'ACTION', action, at: at(1) }, false)]);
    expect([...kept.markets]).toEqual(['venue_a 123', 'venue_a 456']);
  });

  it('a position that nobody reported is found, and so is its end', async () => {
    await start();
    hold(unattributedOf('pod'), 'NOBODYS', 3);
    await nextRound();
    expect([...kept.markets]).toEqual(['venue_b NOBODYS']);
    hold(unattributedOf('pod'), 'NOBODYS', 0);
    await nextRound();
    expect([...kept.markets]).toEqual([]);
  });

  it('an order that is heard of while the engine answers is kept', async () => {
    await start();
    const next = kept.rounds + 1;
    timers.advance(limits.keptMarketsRoundMs);
    tell(order(1, 'NEW'));
    await round(next);
    expect([...kept.markets]).toEqual(['venue_b NEW']);
  });

  it('markets that cannot be read let nothing go, and are read again', async () => {
    hold(ALICE, 'LONG', 2);
    await start();
    isBroken = true;
    hold(ALICE, 'LONG', 0);
    timers.advance(limits.keptMarketsRoundMs);
    await expect.poll(() => timers.pending).toBe(1);
    expect([kept.rounds, [...kept.markets]]).toEqual([1, ['venue_b LONG']]);
    isBroken = false;
    await nextRound();
    expect([...kept.markets]).toEqual([]);
  });
});

it('a long round lets others have their turn, and ends on command', async () => {
  for (let number = 0; number < 20; number += 1) {
    engine.change(transaction => {
      for (let of = 0; of < 50; of += 1) {
        const position = { ...noPosition('venue_b', `KX-${number}-${of}`, at(1)), size: 1 as MicroShares };
        transaction.putPosition(ALICE, position);
      }
    });
  }
  let turns = 0;
  const count = (): void => {
    turns += 1;
    if (kept.rounds === 0) setImmediate(count);
  };
  setImmediate(count);
  await start();
  expect([kept.markets.size, turns >= 1_000 / limits.keptRowsPerTurnMax]).toEqual([1_000, true]);
  timers.advance(limits.keptMarketsRoundMs);
  traded.close();
  await new Promise(resolve => setImmediate(resolve));
  await new Promise(resolve => setImmediate(resolve));
  expect([kept.rounds, timers.pending]).toEqual([1, 0]);
});
