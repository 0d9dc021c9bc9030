// The paper exchanges: both venues on loopback sockets, the market flow or a recording that trades on them, faults, and the
// control API over it all. The composition of this folder; runs on whatever thread starts it.

import type { Playback } from '../config.ts';
import { type MarketKey, VENUES } from '../domain/market.ts';
import { TICKS_PER_DOLLAR, type Ticks, type UnixMillis } from '../domain/numbers.ts';
import { assert } from '../domain/result.ts';
import { Random } from '../runtime/random.ts';
import { EndableTimers, type Timers, wallTimers } from '../runtime/timers.ts';
import { createCatalog } from './catalog/catalog.ts';
import type { Catalog, PricedBy } from './catalog/listings.ts';
import { startControlServer } from './control/control-server.ts';
import { type DemoAccounts, openDemoAccounts } from './control/demo-accounts.ts';
import { FaultPlan } from './faults/fault-plan.ts';
import { calibration } from './flow/calibration.ts';
import { MarketFlow } from './flow/market-flow.ts';
import { recordedCatalog } from './flow/recorded-catalog.ts';
import { RecordedLiquidity } from './flow/recorded-liquidity.ts';
import { type PaperVenueA, startPaperVenueA } from './paper-venue-a.ts';
import { type PaperVenueB, startPaperVenueB } from './paper-venue-b.ts';
import { type RecordedFrames, readFrames } from './recordings.ts';

/** Who trades beside the callers. */
export type Liquidity =
  /** A seeded model of games; `intensity` 1 is the recorded pace, 0 quotes only. */
  { readonly kind: 'flow'; readonly intensity: number } | { readonly kind: 'recording'; readonly recording: Playback };

/** 0 picks a free one. */
export interface PaperPorts {
  readonly venueA: number;
  readonly gamma: number;
  readonly data: number;
  readonly venueB: number;
  readonly control: number;
}

export interface PaperOptions {
  readonly host: string;
  readonly ports: PaperPorts;
  readonly seed: number;
  readonly liquidity: Liquidity;
  /** `instant`: new orders are not checked, and answered as filled; for load tests of their callers. */
  readonly mode: 'exact' | 'instant';
  /** How long venue A holds marketable orders; the venue's own time if absent. */
  readonly takerDelayS?: number;
  readonly accounts: DemoAccounts;
}

export interface PaperUrls {
  readonly venueA: PaperVenueA['urls'];
  readonly venueB: PaperVenueB['urls'];
  readonly control: string;
}

export interface Paper {
  readonly urls: PaperUrls;
  /** Of each venue the markets that trade soonest or already, best first: venue A's first tokens, venue B's tickers. */
  readonly markets: readonly MarketKey[];
  close(): void;
}

/** Rejects if a port cannot be bound, or with a `RecordingError` for a recording that cannot be played. */
export async function startPaper(options: PaperOptions): Promise<Paper> {
  const { host, ports, seed, accounts, mode, liquidity: asked } = options;
  const timers = new EndableTimers(wallTimers);
  const recorded = asked.kind === 'recording' ? await readFrames(asked.recording.files) : null;
  const catalog = catalogOf(options, recorded, timers.now());
  const faults = new FaultPlan({ seed, timers });
  const common = { timers, faults, host, mode };
  const { chainId, secret } = accounts.venueA;
  const portsA = { clob: ports.venueA, gamma: ports.gamma, data: ports.data };
  const closing = [() => timers.end()];
  const close = (): void => {
    for (const end of closing.splice(0).reverse()) end();
  };
  try {
    const optionsA = { ...common, catalog: catalog.venueA, ports: portsA, seed: seed + 1, chainId, keySeed: secret };
    const venueA = await startPaperVenueA(optionsA);
    closing.push(() => venueA.close());
    const venueB = await startPaperVenueB({ ...common, catalog: catalog.venueB, port: ports.venueB, seed: seed + 2 });
    closing.push(() => venueB.close());
    const controls = { venueA: venueA.control, venueB: venueB.control };
    const opened = openDemoAccounts(accounts, controls);
    assert(opened.ok, 'a new exchange opens its demo accounts');
    const parts = { ...controls, plan: faults, timers, seed, urls: flatUrls(venueA.urls, venueB.urls) };
    const control = await startControlServer({ parts, host, port: ports.control });
    closing.push(() => control.close());
    const liquidity = liquidityOf(options, { catalog, recorded, timers, venueA, venueB });
    liquidity.start();
    closing.push(() => liquidity.stop());
    return {
      urls: { venueA: venueA.urls, venueB: venueB.urls, control: control.url },
      markets: marketsOf(catalog),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function catalogOf({ seed, takerDelayS }: PaperOptions, recorded: RecordedFrames | null, now: UnixMillis): Catalog {
  return recorded === null
    ? createCatalog({ seed, now, ...(takerDelayS === undefined ? {} : { takerDelayS }) })
    : recordedCatalog(recorded.frames, { now, tokensByCondition: recorded.tokensByCondition });
}

interface Stage {
  readonly catalog: Catalog;
  readonly recorded: RecordedFrames | null;
  readonly timers: Timers;
  readonly venueA: PaperVenueA;
  readonly venueB: PaperVenueB;
}

function liquidityOf({ liquidity, seed }: PaperOptions, stage: Stage): { start(): void; stop(): void } {
  const { catalog, recorded, timers, venueA, venueB } = stage;
  const common = { catalog, timers, desks: { venueA: venueA.exchange.desk, venueB: venueB.exchange.desk } };
  if (liquidity.kind === 'recording') {
    return new RecordedLiquidity({ ...common, frames: recorded?.frames ?? [], speed: liquidity.recording.speed });
  }
  return new MarketFlow({
    ...common,
    calibration,
    random: new Random(seed),
    intensity: liquidity.intensity,
    onResult: (question, isTrue) => announce(question, isTrue, stage),
  });
}

/** The result of a question decides its markets on both venues. */
function announce(question: string, isTrue: boolean, { venueA, venueB }: Stage): void {
  const isYes = ({ pricedBy }: { readonly pricedBy: PricedBy }): boolean => isTrue !== pricedBy.isComplement;
  const isAbout = ({ pricedBy }: { readonly pricedBy: PricedBy }): boolean => pricedBy.question === question;
  for (const market of venueA.exchange.markets.values()) {
    if (isAbout(market.listing) && market.resolution === null) {
      venueA.exchange.resolve(market, isYes(market.listing) ? 0 : 1);
    }
  }
  for (const market of venueB.exchange.markets.values()) {
    if (isAbout(market.listing) && market.outcome === null) {
      venueB.exchange.determine(market, (isYes(market.listing) ? TICKS_PER_DOLLAR : 0) as Ticks);
    }
  }
}

function flatUrls(venueA: PaperVenueA['urls'], venueB: PaperVenueB['urls']): Readonly<Record<string, string>> {
  const named = (venue: string, urls: Readonly<Record<string, string>>) =>
    Object.entries(urls).map(([what, url]): [string, string] => [`${venue} ${what}`, url]);
  return Object.fromEntries([...named(VENUES[0], venueA), ...named(VENUES[1], venueB)]);
}

function marketsOf({ venueA, venueB }: Catalog): MarketKey[] {
  const soonest = (a: { readonly game: { readonly startsAt: number } }, b: typeof a): number =>
    a.game.startsAt - b.game.startsAt;
  return [
    ...venueB.events
      .toSorted(soonest)
      .flatMap(({ markets }) => markets.map(({ ticker }): MarketKey => ({ venue: 'venue_b', ticker }))),
    ...venueA.events
      .toSorted(soonest)
      .flatMap(({ markets }) => markets.map(({ tokens }): MarketKey => ({ venue: 'venue_a', tokenId: tokens[0] }))),
  ];
}
