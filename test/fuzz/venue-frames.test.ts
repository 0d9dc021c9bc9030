// Frames of the venues' market streams. The byte scanners read the same as JSON.parse, digit by digit, or leave the frame to the slow readers, or
// ignore it. The slow readers return the content of the text, or report that they cannot read it.

import fc from 'fast-check';
import { expect } from 'vitest';
import { isObject, type JsonObject } from '../../src/core/domain/json.ts';
import type { BookId } from '../../src/core/domain/market.ts';
import { readBookDocument } from '../../src/venues/venue-a/book-document.ts';
import { parseEvent, readTickSize, readTrade } from '../../src/venues/venue-a/cold-frames.ts';
import {
  BOOK,
  FRAME_END,
  FrameScanner as FrameScannerA,
  LAST_TRADE_PRICE,
  PRICE_CHANGE,
  TICK_SIZE_CHANGE,
  UNREADABLE,
} from '../../src/venues/venue-a/frame-scanner.ts';
import { TokenTable } from '../../src/venues/venue-a/token-table.ts';
import { BookFrame, type LevelList } from '../../src/venues/venue-b/book-updates.ts';
import { type ColdMessage, readColdFrame } from '../../src/venues/venue-b/cold-frames.ts';
import { DELTA, FrameScanner as FrameScannerB, SNAPSHOT } from '../../src/venues/venue-b/frame-scanner.ts';
import { TickerTable } from '../../src/venues/venue-b/ticker-table.ts';
import { naiveJson } from '../support/naive-json.ts';
import { corpus, jsonCorpus } from './corpus.ts';
import { damagedBytes } from './damaged-bytes.ts';
import { damagedJson } from './damaged-json.ts';
import { fuzz } from './fuzz.ts';
import { naiveScaled, naiveSigned } from './naive-decimal.ts';

function frames(name: string, words: readonly string[]): fc.Arbitrary<Buffer> {
  const structure = damagedJson(jsonCorpus(name)).map(text => Buffer.from(text));
  const seeds = fc.oneof(
    fc.constantFrom(...corpus(name)).map(text => Buffer.from(text)),
    structure,
  );
  return fc.oneof({ weight: 2, arbitrary: structure }, { weight: 3, arbitrary: damagedBytes(seeds, words) });
}

const TICKERS = ['KXNBAGAME-26NOV21BOSLAL-BOS', 'KXA-1'];
const tickers = new TickerTable();
for (const [book, ticker] of TICKERS.entries()) tickers.insert(ticker, book as BookId);
const frameB = new BookFrame();
const scannerB = new FrameScannerB(tickers, frameB);

fuzz({
  name: 'venue B frames',
  inputs: frames('venue-b-frames', ['"seq":8', '"side":"no"', '"delta_fp":"1.5"', 'orderbook_', '["0.5","1"],']),
  runs: 400,
  check(bytes) {
    const cold = readColdFrame(bytes);
    const kind = scannerB.scan(bytes);
    if (kind !== DELTA && kind !== SNAPSHOT) {
      if (cold !== null) statedB(JSON.parse(bytes.toString()) as JsonObject, cold.message);
      return;
    }
    const { sid, seq, book, isYes, price, change, time, yes, no } = frameB;
    const ticker = TICKERS[book];
    const message =
      kind === DELTA
        ? { kind: 'DELTA', ticker, isYes, price, change, time }
        : { kind: 'SNAPSHOT', ticker, yes: levelsOf(yes), no: levelsOf(no) };
    expect({ sid, seq, message }).toEqual({ sid: cold?.sid, seq: cold?.seq, message: cold?.message });
    statedB(JSON.parse(bytes.toString()) as JsonObject, cold!.message);
  },
});

/** Expects that every number is in the text. */
function statedB({ msg: payload }: JsonObject, message: ColdMessage): void {
  const msg = isObject(payload) ? payload : {};
  switch (message.kind) {
    case 'DELTA':
      expect([message.price, message.change]).toEqual([
        naiveScaled(msg.price_dollars, 4),
        naiveSigned(msg.delta_fp, 6),
      ]);
      break;
    case 'SNAPSHOT':
      for (const side of ['yes', 'no'] as const) {
        const levels = (msg[`${side}_dollars_fp`] ?? []) as [string, string][];
        const stated = levels.map(([price, size]) => ({ price: naiveScaled(price, 4), size: naiveScaled(size, 6) }));
        expect(message[side]).toEqual(stated);
      }
      break;
    case 'TRADE':
      expect([message.price, message.size, message.tradeId]).toEqual([
        naiveScaled(msg.yes_price_dollars, 4),
        naiveScaled(msg.count_fp, 6),
        msg.trade_id,
      ]);
      expect(Number.isSafeInteger(message.time)).toBe(true);
      break;
    case 'LIFECYCLE':
      if (message.change.event === 'CLOSE_TIME') expect(Number.isSafeInteger(message.change.closeTime)).toBe(true);
      break;
    default:
      break;
  }
}

function levelsOf(list: LevelList): object[] {
  return Array.from({ length: list.count }, (_, index) => ({ price: list.prices[index], size: list.sizes[index] }));
}

const TOKENS = ['1234567890123456789012345678901234567890123456789012345678901234567890123456', '7'];

fuzz({
  name: 'venue A frames',
  // Several frames follow each other, since the scanner learns a layout from one frame and reads the next by it.
  inputs: fc.array(frames('venue-a-frames', ['"price":"0.4"', '"side":"SELL"', '{"event_type":"book"},', '[', ']']), {
    minLength: 1,
    maxLength: 4,
  }),
  runs: 150,
  check(all) {
    const tokens = new TokenTable();
    for (const [slot, token] of TOKENS.entries()) tokens.insert(token, slot);
    const scanner = new FrameScannerA(tokens);
    for (const bytes of all) checkFrameA(scanner, bytes);
  },
});

function checkFrameA(scanner: FrameScannerA, bytes: Buffer): void {
  const json = naiveJson(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  const events = (Array.isArray(json?.value) ? json.value : [json?.value]) as readonly unknown[];
  scanner.load(bytes);
  for (let index = 0; ; index++) {
    expect(index).toBeLessThanOrEqual(bytes.length);
    const found = scanner.next();
    if (found === FRAME_END || found === UNREADABLE) return;
    // In unread parts the scanner checks only nesting and strings. If a key is there twice, neither value is the right one.
    if (json === null || json.isAmbiguous) continue;
    const event = events[index];
    if (!isObject(event)) continue;
    if (found === PRICE_CHANGE) expect(entriesOf(scanner)).toEqual(statedEntries(event));
    else if (found === BOOK || found === LAST_TRADE_PRICE || found === TICK_SIZE_CHANGE) coldA(scanner, event);
  }
}

function coldA({ bytes, objectAt, objectEnd }: FrameScannerA, event: JsonObject): void {
  const fields = parseEvent(bytes, objectAt, objectEnd);
  expect(fields).toEqual(event);
  const trade = readTrade(event);
  if (trade !== null) {
    expect(trade.size).toBe(naiveScaled(event.size, 6));
    // An average price is reported at the nearest tick between 0 and 1.
    expect(trade.price).toBeGreaterThan(0);
    expect(trade.price).toBeLessThan(10_000);
    expect(Math.abs(trade.price - Number(event.price) * 10_000)).toBeLessThan(1);
    const exact = naiveScaled(event.price, 4);
    if (exact !== null) expect(trade.price).toBe(exact);
  }
  readTickSize(event);
  const book = readBookDocument(event);
  if (book !== null) expect(JSON.stringify(event)).toContain(JSON.stringify(book.hash));
}

function entriesOf({ changes }: FrameScannerA): unknown[] {
  return Array.from({ length: changes.count }, (_, entry) => ({
    slot: changes.slot(entry),
    side: changes.side(entry),
    price: changes.price(entry),
    size: changes.size(entry),
    timestamp: changes.timestamp,
  }));
}

function statedEntries({ price_changes, timestamp }: JsonObject): unknown[] {
  return (price_changes as readonly JsonObject[]).map(({ asset_id, side, price, size }) => ({
    slot: TOKENS.indexOf(String(asset_id)),
    side: side === 'BUY' ? 0 : 1,
    price: naiveScaled(price, 4),
    size: naiveScaled(size, 6),
    timestamp: Number(timestamp),
  }));
}
