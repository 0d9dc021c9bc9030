// A book as text for a terminal: the stored side and the derived NO side by side, best levels first. Below them are the last trades, and
// whether the book may be trusted. Pure.

import { type Level, type MarketKey, marketAddress, TAKER_BUY, TAKER_SELL } from '../../core/domain/market.ts';
import { formatMicroShares, formatTicks } from '../../core/domain/numbers.ts';
import type { Trade } from '../../core/wire/messages.ts';
import type { Sides } from '../../market-data/book/derive-no.ts';

interface LadderView {
  readonly market: MarketKey;
  readonly state: string;
  readonly epoch: number;
  readonly seq: number;
  /** Null until enough frames have been counted. */
  readonly updatesPerSecond: number | null;
  readonly book: Sides;
  readonly no: Sides;
  /** Trades, newest first. */
  readonly trades: readonly Trade[];
}

const DEPTH = 10;
const TRADES_SHOWN = 5;
const SIZE_WIDTH = 14;
const PRICE_WIDTH = 7;

export function renderLadder(view: LadderView): string {
  const { market, state, epoch, seq, updatesPerSecond } = view;
  const rate = updatesPerSecond === null ? '' : `   ${Math.round(updatesPerSecond)} updates/s`;
  const [ours, others] = market.venue === 'venue_b' ? ['YES', 'NO (derived)'] : ['this token', 'other token (derived)'];
  return [
    `${market.venue}  ${marketAddress(market)}`,
    `${state}   epoch ${epoch}   seq ${seq}${rate}`,
    '',
    `${centred(ours)}    ${centred(others)}`.trimEnd(),
    `${heading()}    ${heading()}`,
    ...rowsOf(view.book, view.no),
    '',
    'last trades',
    ...view.trades.slice(0, TRADES_SHOWN).map(tradeLine),
    '',
  ].join('\n');
}

function rowsOf(book: Sides, no: Sides): readonly string[] {
  const depth = Math.min(DEPTH, Math.max(book.bids.length, book.asks.length, 1));
  return Array.from({ length: depth }, (_, index) => `${rowOf(book, index)}    ${rowOf(no, index)}`.trimEnd());
}

function rowOf({ bids, asks }: Sides, index: number): string {
  const bid = cells(bids[index]);
  const ask = cells(asks[index]);
  return `${bid.size}${bid.price} │${ask.price}${ask.size}`;
}

function cells(level: Level | undefined): { readonly price: string; readonly size: string } {
  return {
    price: (level === undefined ? '' : formatTicks(level.price)).padStart(PRICE_WIDTH),
    size: (level === undefined ? '' : formatMicroShares(level.size)).padStart(SIZE_WIDTH),
  };
}

function heading(): string {
  const [size, price] = ['size'.padStart(SIZE_WIDTH), (name: string) => name.padStart(PRICE_WIDTH)];
  return `${size}${price('bid')} │${price('ask')}${size}`;
}

function centred(text: string): string {
  const width = 2 * (SIZE_WIDTH + PRICE_WIDTH) + 2;
  const left = Math.floor((width - text.length) / 2);
  return text.padStart(left + text.length).padEnd(width);
}

function tradeLine(trade: Trade): string {
  const side = trade.takerSide === TAKER_BUY ? 'BUY' : trade.takerSide === TAKER_SELL ? 'SELL' : '-';
  const time = trade.venueTime === 0 ? '-' : new Date(trade.venueTime).toISOString().slice(11, 23);
  return `  ${time}  ${side.padEnd(4)}${formatTicks(trade.price).padStart(PRICE_WIDTH)}${formatMicroShares(trade.size).padStart(SIZE_WIDTH)}`;
}
