// The exchanges of a rehearsal: paper exchanges with a few events each, and without other traders. They run on a thread of their own.

import { parentPort, workerData } from 'node:worker_threads';
import type { MarketKey } from '../../core/domain/market.ts';
import { assert } from '../../core/domain/result.ts';
import { EndableTimers, wallTimers } from '../../core/runtime/timers.ts';
import { serveVenues } from '../../core/runtime/venue-thread.ts';
import { createCatalog } from '../../paper/catalog/catalog.ts';
import type { Game } from '../../paper/catalog/listings.ts';
import { type DemoAccounts, openDemoAccounts } from '../../paper/control/demo-accounts.ts';
import { FaultPlan } from '../../paper/faults/fault-plan.ts';
import { type PaperVenueA, type PaperVenueB, startPaperVenueA, startPaperVenueB } from '../../paper/paper-venues.ts';

/** The `workerData` of this thread. */
export interface RehearsalVenuesData {
  readonly host: string;
  readonly accounts: DemoAccounts;
}

/** The addresses of the venues, and their markets. */
export interface RehearsalVenues {
  readonly urls: { readonly venueA: PaperVenueA['urls']; readonly venueB: PaperVenueB['urls'] };
  readonly markets: readonly MarketKey[];
}

const SEED = 1;
/** The number of events. The first order in each market reads the market's instrument spec, so several markets are needed. */
const EVENTS = 32;

assert(parentPort !== null, 'venues-worker.ts runs as a worker');
const { host, accounts } = workerData as RehearsalVenuesData;
const timers = new EndableTimers(wallTimers);
const faults = new FaultPlan({ seed: SEED, timers });
const common = { timers, faults, host, seed: SEED, mode: 'exact' } as const;
const { venueA: listedA, venueB: listedB } = createCatalog({ seed: SEED, now: timers.now(), takerDelayS: 0 });
const [eventsA, eventsB] = [latest(listedA.events), latest(listedB.events)];
void serveVenues<RehearsalVenues>(parentPort, async () => {
  const venueA = await startPaperVenueA({
    ...common,
    catalog: { ...listedA, events: eventsA },
    ports: { clob: 0, gamma: 0, data: 0 },
    chainId: accounts.venueA.chainId,
    keySeed: accounts.venueA.secret,
    scoreOf: () => null,
  });
  const venueB = await startPaperVenueB({
    ...common,
    catalog: { ...listedB, events: eventsB },
    port: 0,
    onFailure: error => {
      throw error;
    },
  });
  const opened = openDemoAccounts(accounts, { venueA: venueA.control, venueB: venueB.control });
  assert(opened.ok, 'a new exchange opens its accounts');
  const marketsA = eventsA.map(({ markets }): MarketKey => ({ venue: 'venue_a', tokenId: markets[0]!.tokens[0] }));
  const marketsB = eventsB.map(({ markets }): MarketKey => ({ venue: 'venue_b', ticker: markets[0]!.ticker }));
  const markets = [...marketsA, ...marketsB];
  return {
    listening: { urls: { venueA: venueA.urls, venueB: venueB.urls }, markets },
    close: () => {
      venueA.close();
      venueB.close();
      timers.end();
    },
  };
});

/** The games that start last, because their markets stay open for long. */
function latest<Event extends { readonly game: Game }>(events: readonly Event[]): Event[] {
  return events.toSorted((one, other) => other.game.startsAt - one.game.startsAt).slice(0, EVENTS);
}
