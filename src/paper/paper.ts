// The paper exchanges: both venues on loopback sockets, and a market flow or a recording that trades on them. Also two read-only venues,
// faults, and the control API. This file composes the parts of this folder. It runs on the thread that starts it.

import { wordsOf } from '../core/domain/error-words.ts';
import type { MarketKey, Venue } from '../core/domain/market.ts';
import type { UnixMillis } from '../core/domain/numbers.ts';
import { assert } from '../core/domain/result.ts';
import { type PaperTerms, USUAL_TERMS } from '../core/runtime/paper-terms.ts';
import { playedTimers } from '../core/runtime/played-clock.ts';
import type { Playback } from '../core/runtime/start-options.ts';
import { EndableTimers, wallTimers } from '../core/runtime/timers.ts';
import type { BookListing } from '../market-data/book/live-books.ts';
import { openRecording } from '../market-data/recording/open-recording.ts';
import type { RecordedSource } from '../market-data/recording/timeline.ts';
import { recordedListings } from '../venues/recorded-listings.ts';
import { catalogOfDay, createCatalog } from './catalog/catalog.ts';
import type { Catalog } from './catalog/listings.ts';
import { startControlServer } from './control/control-server.ts';
import { type DemoAccounts, openDemoAccounts } from './control/demo-accounts.ts';
import { FaultPlan } from './faults/fault-plan.ts';
import type { FaultVenue } from './faults/faults.ts';
import { latencyAt, RequestLatency } from './faults/latency.ts';
import { catalogOf, recordedCatalog } from './flow/recorded-catalog.ts';
import { recordingCatalog } from './flow/recording-catalog.ts';
import type { Before } from './http-server.ts';
import { KeptError, KeptRows, NOT_KEPT } from './kept-rows.ts';
import type { LiveSource } from './live/live-markets.ts';
import { type PaperVenueA, type PaperVenueB, startPaperVenueA, startPaperVenueB } from './paper-venues.ts';
import { PlayedFrames } from './replay/played-frames.ts';
import { keptSeason, withKeptGames } from './season.ts';
import { startVenueDServer } from './side-markets/venue-d.ts';
import { startVenueEServer } from './side-markets/venue-e.ts';
import {
  liveTrading,
  readFrames,
  recordedHouse,
  recordedTrading,
  type Stage,
  seasonTrading,
  type Trading,
} from './trading.ts';

/** The counterparty of callers. */
export type Liquidity =
  /** A seeded model of games. An `intensity` of 1 is the recorded pace. 0 means that the house only quotes. */
  | { readonly kind: 'flow'; readonly intensity: number }
  /** A recording of the venues' frames. `played` is the memory of PlayedFrames. */
  | { readonly kind: 'recording'; readonly recording: Playback; readonly played?: SharedArrayBuffer }
  /** A recording that the gateway has made, which its feeds play, too. */
  | ({ readonly kind: 'recorded' } & RecordedSource)
  /** The books of the real venues, which the gateway's feeds write. */
  | ({ readonly kind: 'live' } & LiveSource);

/** The ports. 0 picks a free port. */
export interface PaperPorts {
  readonly venueA: number;
  readonly gamma: number;
  readonly data: number;
  readonly venueB: number;
  readonly control: number;
  readonly venueD: number;
  readonly venueE: number;
}

export interface PaperOptions {
  readonly host: string;
  readonly ports: PaperPorts;
  readonly seed: number;
  readonly liquidity: Liquidity;
  /** `instant` means that new orders are not checked, and answered as filled. It serves load tests of gateways. */
  readonly mode: 'exact' | 'instant';
  /**
   * True if no further games are listed after the start: to list a week of games takes a second of processor time. For a market flow only.
   */
  readonly isOpeningOnly?: boolean;
  /** The seconds for which venue A holds marketable orders. The default is the venue's own. */
  readonly takerDelayS?: number;
  readonly accounts: DemoAccounts;
  /** How orders fill. The default has no latencies. */
  readonly terms?: PaperTerms;
  /** The file that keeps rows for the next start. By default nothing is kept. */
  readonly keptIn?: string;
  /** Called with live books when an order waits for the book of a market. */
  readonly onWanted?: (market: MarketKey) => void;
  /** Called for each error of the exchanges themselves. The caller of the venue gets a 500. */
  readonly onFailure: (error: unknown) => void;
}

export interface PaperUrls {
  readonly venueA: PaperVenueA['urls'];
  readonly venueB: PaperVenueB['urls'];
  readonly venueD: { readonly rest: string };
  readonly venueE: { readonly rest: string };
  readonly control: string;
}

export interface Paper {
  readonly urls: PaperUrls;
  /** The markets of each venue, games nearest to now first: first tokens of venue A, tickers of venue B. */
  readonly markets: readonly MarketKey[];
  /** The notes on the files of a recording, as text. */
  readonly recordings: readonly string[];
  /** Tells the exchanges, with live books, which market has which book. */
  handle(message: BookListing): void;
  close(): void;
}

/**
 * Starts the exchanges. Rejects if a port cannot be bound. Rejects with a `RecordingError` for an unplayable recording, and with a
 * `KeptError` if the kept rows cannot be taken up.
 */
export async function startPaper(options: PaperOptions): Promise<Paper> {
  const { host, ports, seed, accounts, mode, keptIn, onFailure } = options;
  let trading: Trading | null = null;
  const timers = new EndableTimers(wallTimers, () => trading?.catchUp?.());
  const kept = keptIn === undefined ? null : new KeptRows(keptIn, onFailure);
  const { catalog, tradeOn, recordings } = await programmeOf(options, timers.now(), kept);
  const { latency } = options.terms ?? USUAL_TERMS;
  const speed = speedOf(options.liquidity);
  const faults = new FaultPlan({ seed, timers, latency: new RequestLatency(latencyAt(speed, latency), seed + 5) });
  const common = { timers, faults, host, mode, keeping: kept ?? NOT_KEPT };
  const { chainId, secret } = accounts.venueA;
  const hears = ['live', 'recorded'].includes(options.liquidity.kind);
  const before = (venue: Venue): Before | null =>
    hears ? (...asked) => trading?.before?.(venue, ...asked) ?? null : null;
  const portsA = { clob: ports.venueA, gamma: ports.gamma, data: ports.data };
  const closing = [() => timers.end()];
  const close = (): void => {
    for (const end of closing.splice(0).reverse()) end();
  };
  try {
    const venueA = await startPaperVenueA({
      ...common,
      catalog: catalog.venueA,
      ports: portsA,
      seed: seed + 1,
      chainId,
      keySeed: secret,
      before: before('venue_a'),
      scoreOf: game => trading?.scoreOf(game) ?? null,
    });
    closing.push(() => venueA.close());
    const venueB = await startPaperVenueB({
      ...common,
      catalog: catalog.venueB,
      port: ports.venueB,
      seed: seed + 2,
      before: before('venue_b'),
      onFailure,
    });
    closing.push(() => venueB.close());
    const controls = { venueA: venueA.control, venueB: venueB.control };
    const opened = openDemoAccounts(accounts, controls);
    assert(opened.ok, 'a new exchange opens its demo accounts');
    if (kept !== null) takeUp(kept, [venueA, venueB]);
    closing.push(() => kept?.close());
    const sides = await startSideMarkets({ timers, faults, host, ports, seed });
    closing.push(() => sides.close());
    const urls: Omit<PaperUrls, 'control'> = { venueA: venueA.urls, venueB: venueB.urls, ...sides.urls };
    const parts = { ...controls, plan: faults, timers, seed, urls: flatUrls(urls) };
    const control = await startControlServer({ parts, host, port: ports.control });
    closing.push(() => control.close());
    trading = tradeOn({ timers, venueA: venueA.exchange, venueB: venueB.exchange, catalog });
    trading.start();
    closing.push(() => trading?.stop());
    return {
      urls: { ...urls, control: control.url },
      markets: marketsOf(catalog, timers.now()),
      recordings,
      handle: message => trading?.live?.hear(message),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

type SideParts = Pick<PaperOptions, 'host' | 'ports' | 'seed'> & Omit<Parameters<typeof startVenueDServer>[0], 'port'>;

/** Starts the venues that are only read. Rejects if a port cannot be bound. */
async function startSideMarkets({ ports, seed, ...side }: SideParts) {
  const venueD = await startVenueDServer({ ...side, port: ports.venueD, seed: seed + 3 });
  const venueE = await startVenueEServer({ ...side, port: ports.venueE, seed: seed + 4 }).catch(error => {
    venueD.close();
    throw error;
  });
  const close = (): void => {
    for (const server of [venueE, venueD]) server.close();
  };
  return { urls: { venueD: { rest: venueD.url }, venueE: { rest: venueE.url } }, close };
}

/** Lets the exchanges take up the kept rows. Throws a KeptError. */
function takeUp(kept: KeptRows, [venueA, venueB]: readonly [PaperVenueA, PaperVenueB]): void {
  try {
    venueA.control.restore(kept);
    venueB.control.restore(kept);
  } catch (error) {
    throw new KeptError(`${kept.path}: cannot be taken up: ${wordsOf(error)}; start with --fresh to begin anew`);
  }
  kept.begin();
  venueA.exchange.catchUp();
  venueB.exchange.catchUp();
}

interface Programme {
  /** The listings at the start. */
  readonly catalog: Catalog;
  readonly tradeOn: (stage: Stage) => Trading;
  readonly recordings: readonly string[];
}

async function programmeOf(options: PaperOptions, now: UnixMillis, kept: KeptRows | null): Promise<Programme> {
  const { liquidity, seed, takerDelayS, isOpeningOnly = false, terms = USUAL_TERMS, onWanted = () => {} } = options;
  if (liquidity.kind === 'recording') {
    const recorded = await readFrames(liquidity.recording.files);
    const played = liquidity.played && new PlayedFrames(liquidity.played);
    const { tokensByCondition } = recorded;
    const catalog = recordedCatalog(recorded.frames, { now, tokensByCondition });
    return {
      catalog: listedWith(catalog, kept),
      tradeOn: stage =>
        recordedTrading({ ...stage, catalog }, recorded, { ...liquidity.recording, played, queue: terms.queue }),
      recordings: recorded.notes,
    };
  }
  if (liquidity.kind === 'recorded') {
    const recording = openRecording(liquidity.folder);
    const listings = recordedListings(liquidity.folder, liquidity.span?.from ?? null);
    return {
      catalog: listedWith(recordingCatalog(recording, listings, now), kept),
      tradeOn: stage => recordedHouse(stage, recording, { ...liquidity, queue: terms.queue }),
      recordings: recording.faults.map(({ words }) => words),
    };
  }
  if (liquidity.kind === 'live') {
    return {
      catalog: listedWith(catalogOf([], [], new Set(), now), kept),
      tradeOn: stage => liveTrading(stage, { ...liquidity, queue: terms.queue, kept, onWanted }),
      recordings: [],
    };
  }
  const listing = { seed, ...(takerDelayS === undefined ? {} : { takerDelayS }) };
  const { intensity } = liquidity;
  const catalogFor = isOpeningOnly ? null : (day: number) => catalogOfDay(day, listing);
  const { catalog, openedAt } =
    kept === null ? { catalog: createCatalog({ ...listing, now }), openedAt: now } : keptSeason(listing, now, kept);
  return {
    catalog: listedWith(catalog, kept),
    tradeOn: stage => seasonTrading({ ...stage, catalog }, { seed, intensity, catalogOf: catalogFor, openedAt, kept }),
    recordings: [],
  };
}

/** Returns how many times faster than its timers the exchange runs. */
function speedOf(liquidity: Liquidity): number {
  if (playedTimers !== null) return 1;
  if (liquidity.kind === 'recorded') return liquidity.speed;
  return liquidity.kind === 'recording' ? liquidity.recording.speed : 1;
}

function listedWith(catalog: Catalog, kept: KeptRows | null): Catalog {
  if (kept === null) return catalog;
  const all = withKeptGames(catalog, kept);
  kept.list(all);
  return all;
}

function flatUrls({ venueA, venueB, venueD, venueE }: Omit<PaperUrls, 'control'>): Readonly<Record<string, string>> {
  const named = (venue: FaultVenue, urls: Readonly<Record<string, string>>) =>
    Object.entries(urls).map(([what, url]): [string, string] => [`${venue} ${what}`, url]);
  return Object.fromEntries([
    ...named('venue_a', venueA),
    ...named('venue_b', venueB),
    ...named('venue_d', venueD),
    ...named('venue_e', venueE),
  ]);
}

function marketsOf({ venueA, venueB }: Catalog, now: UnixMillis): MarketKey[] {
  const distanceMs = ({ game }: { readonly game: { readonly startsAt: number } }): number =>
    Math.abs(game.startsAt - now);
  const soonest = (a: Parameters<typeof distanceMs>[0], b: typeof a): number => distanceMs(a) - distanceMs(b);
  return [
    ...venueB.events
      .toSorted(soonest)
      .flatMap(({ markets }) => markets.map(({ ticker }): MarketKey => ({ venue: 'venue_b', ticker }))),
    ...venueA.events
      .toSorted(soonest)
      .flatMap(({ markets }) => markets.map(({ tokens }): MarketKey => ({ venue: 'venue_a', tokenId: tokens[0] }))),
  ];
}
