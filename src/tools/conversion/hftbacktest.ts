// Recordings in the form of hftbacktest: for each market one `.npz` file of events, in the order of both clocks. Kinds and flags are those
// of its documentation (hftbacktest.readthedocs.io, Data, and its module `types`). Its format has floats for prices and sizes. The command
// line's process.

import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ASK, BID, type Side, TAKER_BUY, TAKER_UNKNOWN } from '../../core/domain/market.ts';
import {
  MICROS_PER_SHARE,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { RecordedEvent, RecordedMarket } from '../../market-data/recording/format.ts';
import type { EventWriter } from './event-writer.ts';
import { NpyEvents, packNpz } from './npz-file.ts';
import { makeFolder, mustBeNew, partialOf } from './partial-file.ts';

const DEPTH_EVENT = 1;
const TRADE_EVENT = 2;
const DEPTH_CLEAR_EVENT = 3;
const DEPTH_SNAPSHOT_EVENT = 4;
const SELL_EVENT = 2 ** 28;
const BUY_EVENT = 2 ** 29;
/** Flags for the exchange's side of the backtest, and for ours. */
const EXCH_AND_LOCAL = 2 ** 31 + 2 ** 30;

interface MarketEvents {
  readonly name: string;
  readonly events: NpyEvents;
  /** Whether the book follows from the events so far. */
  isKnown: boolean;
  /** Times of its last event, in milliseconds. */
  venueMs: number;
  receivedMs: number;
}

export class HftbacktestWriter implements EventWriter {
  readonly #folder: string;
  readonly #markets = new Map<RecordedMarket, MarketEvents>();

  /** Makes the folder. Throws where it cannot be made. */
  constructor(folder: string) {
    makeFolder(folder);
    this.#folder = folder;
  }

  write(event: RecordedEvent): void {
    const market = this.#marketOf(event.market);
    switch (event.kind) {
      case 'book':
        // Each file of a recording begins with books that are known already.
        if (market.isKnown) return;
        clear(market, event);
        for (const { price, size } of event.bids) addDepth(market, event, DEPTH_SNAPSHOT_EVENT, BID, price, size);
        for (const { price, size } of event.asks) addDepth(market, event, DEPTH_SNAPSHOT_EVENT, ASK, price, size);
        market.isKnown = true;
        return;
      case 'changes':
        for (const { side, price, size } of event.changes) addDepth(market, event, DEPTH_EVENT, side, price, size);
        return;
      case 'trade': {
        const { takerSide, price, size } = event;
        const taker = takerSide === TAKER_BUY ? BUY_EVENT : SELL_EVENT;
        add(market, event, TRADE_EVENT + (takerSide === TAKER_UNKNOWN ? 0 : taker), price, size);
        return;
      }
      case 'state':
        if (event.state === 'RESYNCING') clear(market, recordedAt(event.at));
        return;
      case 'gap':
        market.isKnown = false;
        return;
      case 'end':
        clear(market, recordedAt(event.at));
        market.isKnown = false;
        return;
      case 'tradesMissed':
        return;
      default:
        unreachable(event);
    }
  }

  async close(): Promise<readonly string[]> {
    const paths: string[] = [];
    for (const { name, events } of this.#markets.values()) {
      const path = join(this.#folder, `${name}.npz`);
      events.finish();
      await packNpz(events.path, partialOf(path));
      rmSync(events.path);
      renameSync(partialOf(path), path);
      paths.push(path);
    }
    return paths;
  }

  abandon(): void {
    for (const { name, events } of this.#markets.values()) {
      rmSync(events.path, { force: true });
      rmSync(partialOf(join(this.#folder, `${name}.npz`)), { force: true });
    }
  }

  #marketOf(market: RecordedMarket): MarketEvents {
    const known = this.#markets.get(market);
    if (known !== undefined) return known;
    // Token ids and tickers are letters, digits, points and dashes.
    const name = `${market.venue}-${market.address}`;
    const path = join(this.#folder, `${name}.npz`);
    mustBeNew(path);
    const events = new NpyEvents(partialOf(join(this.#folder, `${name}.npy`)));
    const made = { name, events, isKnown: false, venueMs: 0, receivedMs: 0 };
    this.#markets.set(market, made);
    return made;
  }
}

interface Times {
  /** 0: the venue states none. */
  readonly venueTime: UnixMillis;
  readonly receivedAt: UnixMillis;
}

function recordedAt(at: UnixMillis): Times {
  return { venueTime: 0 as UnixMillis, receivedAt: at };
}

/** The book is empty or unknown from now on. Without a side both sides are. */
function clear(market: MarketEvents, times: Times): void {
  add(market, times, DEPTH_CLEAR_EVENT, 0 as Ticks, 0 as MicroShares);
}

function addDepth(market: MarketEvents, times: Times, kind: number, side: Side, price: Ticks, size: MicroShares): void {
  add(market, times, kind + (side === BID ? BUY_EVENT : SELL_EVENT), price, size);
}

/**
 * Adds an event. In hftbacktest neither clock may step back, and no event may arrive before it happened. If a venue's clock does otherwise,
 * or states nothing, the nearest time that fits takes its place.
 */
function add(market: MarketEvents, times: Times, ev: number, price: Ticks, size: MicroShares): void {
  const receivedMs = Math.max(market.receivedMs, times.receivedAt);
  const stated = times.venueTime === 0 ? receivedMs : times.venueTime;
  market.venueMs = Math.min(Math.max(market.venueMs, stated), receivedMs);
  market.receivedMs = receivedMs;
  const { events, venueMs } = market;
  events.add(EXCH_AND_LOCAL + ev, venueMs, receivedMs, price / TICKS_PER_DOLLAR, size / MICROS_PER_SHARE);
}
