// Venue B's view of one market during a replay: its book and its public facts. Recorded frames keep the book, so that a late client gets
// a current snapshot. Simple on purpose: text keys, integer sizes. Replay thread.

import { isObject, type JsonObject, textOf } from '../../core/domain/json.ts';
import {
  complementTicks,
  type MicroShares,
  parseMicroShares,
  parseTicks,
  type Ticks,
} from '../../core/domain/numbers.ts';

const SIDES = ['yes', 'no'] as const;

/** `[price, size]` as on the wire. */
export type WireLevels = [price: string, size: string][];

const MICROS_PER_CENTI = 10_000;

export class VenueBBook {
  readonly ticker: string;
  #marketId = '';
  /** Sizes by price text: the venue writes every price of a market with the same number of decimals. */
  #sides = new Map<string, Map<string, MicroShares>>();

  constructor(ticker: string) {
    this.ticker = ticker;
  }

  /** Replaces the levels by those of an `orderbook_snapshot`'s `msg`. */
  applySnapshot(message: JsonObject): void {
    this.#marketId = textOf(message.market_id);
    this.#sides = new Map(SIDES.map(side => [side, new Map(readLevels(message[`${side}_dollars_fp`]))] as const));
  }

  /** Applies the signed change of an `orderbook_delta`'s `msg`. A level that would fall below zero is removed. */
  applyDelta(message: JsonObject): void {
    const side = textOf(message.side);
    const price = textOf(message.price_dollars);
    const levels = this.#sides.get(side) ?? new Map<string, MicroShares>();
    this.#sides.set(side, levels);
    const size = (levels.get(price) ?? 0) + parseSigned(textOf(message.delta_fp));
    if (size > 0) levels.set(price, size as MicroShares);
    else levels.delete(price);
  }

  /** The `msg` of a snapshot of the present. The key of an empty side is absent. */
  snapshot(): JsonObject {
    const message: Record<string, unknown> = { market_ticker: this.ticker };
    if (this.#marketId !== '') message.market_id = this.#marketId;
    for (const side of SIDES) {
      const rows = this.levels(side);
      if (rows.length > 0) message[`${side}_dollars_fp`] = rows;
    }
    return message;
  }

  /** Ascending prices: the best is last. */
  levels(side: string): WireLevels {
    return [...(this.#sides.get(side) ?? [])]
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([price, micros]) => [price, formatCount(micros)]);
  }
}

/** Converts a message about the NO side to prices at 1 − q, as `use_yes_price` asks for; its own inverse. */
export function repriceNo(message: JsonObject): JsonObject {
  if ('side' in message) {
    return message.side === 'no'
      ? { ...message, price_dollars: complementText(textOf(message.price_dollars)) }
      : message;
  }
  const levels = message.no_dollars_fp;
  return Array.isArray(levels) ? { ...message, no_dollars_fp: mirrored(levels as WireLevels) } : message;
}

function mirrored(rows: WireLevels): WireLevels {
  return rows.map(([price, size]): [string, string] => [complementText(price), size]).reverse();
}

/** 1 − price with the wire's four decimals; leaves text that is no price unchanged. */
export function complementText(price: string): string {
  const ticks = parseTicks(price);
  return ticks === null ? price : formatDollars(complementTicks(ticks));
}

/** Ticks as the wire's `"0.5600"`. */
export function formatDollars(ticks: Ticks): string {
  return `${Math.floor(ticks / 10_000)}.${String(ticks % 10_000).padStart(4, '0')}`;
}

/** Micro-shares as the wire's `"10.00"`. */
export function formatCount(micros: MicroShares): string {
  const centis = Math.round(micros / MICROS_PER_CENTI);
  return `${Math.floor(centis / 100)}.${String(centis % 100).padStart(2, '0')}`;
}

function readLevels(levels: unknown): [string, MicroShares][] {
  if (!Array.isArray(levels)) return [];
  return levels.filter(Array.isArray).map(([price, size]) => [textOf(price), parseSigned(textOf(size))]);
}

function parseSigned(text: string): MicroShares {
  const magnitude = parseMicroShares(text.replace(/^[-+]/, '')) ?? (0 as MicroShares);
  return text.startsWith('-') ? (-magnitude as MicroShares) : magnitude;
}

/** The market of a frame's `msg`; empty without one. */
export function tickerOf(frame: JsonObject): string {
  const message = frame.msg;
  return isObject(message) ? textOf(message.market_ticker) || textOf(message.ticker) : '';
}
