// The scanner against JSON.parse, with any key order and white space, on both of the scanner's paths, and on frames that are cut or
// garbled.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseMicroShares, parseTicks } from '../../../src/core/domain/numbers.ts';
import {
  BOOK,
  type Found,
  FRAME_END,
  FrameScanner,
  IGNORED,
  LAST_TRADE_PRICE,
  LEGACY_EVENT,
  MARKET_RESOLVED,
  NOTICE,
  PRICE_CHANGE,
  TICK_SIZE_CHANGE,
  UNKNOWN_EVENT,
  UNREADABLE,
} from '../../../src/venues/venue-a/frame-scanner.ts';
import { TokenTable } from '../../../src/venues/venue-a/token-table.ts';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';
import { TwinMarket } from './twin-market.ts';

const TOKENS = [...new TwinMarket(0).tokens, ...new TwinMarket(1).tokens, ...new TwinMarket(2).tokens, '7', '12345678'];

let scanner: FrameScanner;
beforeEach(() => {
  const tokens = new TokenTable();
  for (const [slot, token] of TOKENS.entries()) tokens.insert(token, slot);
  scanner = new FrameScanner(tokens);
});

function scanBytes(bytes: Uint8Array): Found[] {
  const found: Found[] = [];
  scanner.load(bytes);
  for (let event = scanner.next(); event !== FRAME_END; event = scanner.next()) {
    found.push(event);
    if (event === UNREADABLE) break;
  }
  return found;
}

const scan = (text: string) => scanBytes(new TextEncoder().encode(text));

interface Entry {
  readonly asset_id: string;
  readonly price: string;
  readonly size: string;
  readonly side: string;
  readonly hash: string;
}

function readEntries(): unknown[] {
  const { changes, bytes } = scanner;
  const text = (at: number, length: number) => Buffer.from(bytes.subarray(at, at + length)).toString();
  return Array.from({ length: changes.count }, (_, entry) => ({
    slot: changes.slot(entry),
    side: changes.side(entry),
    price: changes.price(entry),
    priceText: text(changes.priceAt(entry), changes.priceLength(entry)),
    size: changes.size(entry),
    sizeText: text(changes.sizeAt(entry), changes.sizeLength(entry)),
    hash: text(changes.hashAt(entry), 40),
    timestamp: changes.timestamp,
    timestampText: text(changes.timestampAt, changes.timestampLength),
  }));
}

function expectedEntries(event: { timestamp: string; price_changes: readonly Entry[] }): unknown[] {
  return event.price_changes.map(entry => ({
    slot: TOKENS.indexOf(entry.asset_id),
    side: entry.side === 'BUY' ? 0 : 1,
    price: parseTicks(entry.price),
    priceText: entry.price,
    size: parseMicroShares(entry.size),
    sizeText: entry.size,
    hash: entry.hash,
    timestamp: Number(event.timestamp),
    timestampText: event.timestamp,
  }));
}

const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
const decimalPrice = fc.oneof(
  fc.integer({ min: 1, max: 99 }).map(cents => String(cents / 100)),
  fc.integer({ min: 1, max: 9_999 }).map(ticks => (ticks / 10_000).toFixed(4)),
  fc.constantFrom('0.530000', '0.5300000000000000', '0.0001'),
);
const decimalSize = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000_000 }).map(String),
  fc.tuple(fc.integer({ min: 0, max: 99_999_999 }), fc.integer({ min: 0, max: 6 })).map(([n, d]) => (n / 7).toFixed(d)),
  fc.constantFrom('0', '19500402.66', '9007199254.740991', '1.50000000000000'),
);
const entry = fc.record({
  asset_id: fc.oneof(fc.constantFrom(...TOKENS), fc.stringMatching(/^\d{1,78}$/)),
  price: decimalPrice,
  size: decimalSize,
  side: fc.constantFrom('BUY', 'SELL'),
  hash: hex(40),
  best_bid: fc.constantFrom('0.5', '0', ''),
  best_ask: fc.constantFrom('0.6', '1', ''),
});
const event = fc.record({
  market: fc.oneof(
    hex(64).map(digits => `0x${digits}`),
    fc.constantFrom('0xaabbcc', '', 'a "quoted" \\ market, with ] and }'),
  ),
  price_changes: fc.array(entry, { minLength: 1, maxLength: 4 }),
  timestamp: fc.integer({ min: 1, max: 1_900_000_000_000 }).map(String),
  event_type: fc.constant('price_change'),
});
const unknownFields = fc.dictionary(fc.stringMatching(/^[a-z_"\\é]{1,14}$/), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
});

/** Writes JSON with its keys in a random order and with white space of the given kind. The same `seed` writes the same layout. */
function write(value: unknown, seed: number, space: string): string {
  if (Array.isArray(value)) return `[${space}${value.map(item => write(item, seed, space)).join(`,${space}`)}${space}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([one], [other]) => rank(one, seed) - rank(other, seed));
  const members = entries.map(([key, item]) => `${JSON.stringify(key)}${space}:${space}${write(item, seed, space)}`);
  return `{${space}${members.join(`,${space}`)}${space}}`;
}

function rank(key: string, seed: number): number {
  let hash = seed;
  for (const character of key) hash = Math.imul(hash ^ character.charCodeAt(0), 0x9e3779b1);
  return hash >>> 0;
}

describe('frame scanner', () => {
  it('reads price_change as JSON.parse does, in any layout', () => {
    const layout = fc.record({ seed: fc.integer(), space: fc.constantFrom('', ' ', '\n\t ') });
    fc.assert(
      fc.property(layout, fc.array(fc.tuple(event, unknownFields), { minLength: 1, maxLength: 5 }), (how, events) => {
        const known = new Set(['event_type', 'price_changes', 'timestamp', 'market']);
        for (const [plain, unknown] of events) {
          const extra = Object.fromEntries(Object.entries(unknown).filter(([key]) => !known.has(key)));
          for (const fields of [plain, plain, { ...extra, ...plain }]) {
            expect(scan(write(fields, how.seed, how.space))).toEqual([PRICE_CHANGE]);
            expect(readEntries()).toEqual(expectedEntries(plain));
          }
        }
      }),
    );
  });

  it('reads arrays of events', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 4 }), fc.integer(), (events, seed) => {
        scanner.load(new TextEncoder().encode(write(events, seed, ' ')));
        for (const expected of events) {
          expect(scanner.next()).toBe(PRICE_CHANGE);
          expect(scanner.isArray).toBe(true);
          expect(readEntries()).toEqual(expectedEntries(expected));
        }
        expect(scanner.next()).toBe(FRAME_END);
      }),
    );
  });

  it('never takes part of a frame for a whole one, after any frame', () => {
    const market = new TwinMarket(0);
    const frames = [market.change(0, 4_000, 5_000_000), market.change(1, 5_000, 0), market.change(0, 4_100, 7_000_000)];
    for (const frame of frames) {
      const bytes = new TextEncoder().encode(JSON.stringify(frame));
      for (let length = 1; length < bytes.length; length += 1) {
        expect(scanBytes(bytes)).toEqual([PRICE_CHANGE]);
        expect(scanBytes(bytes.subarray(0, length))).toEqual([UNREADABLE]);
      }
    }
  });

  it('reads on after a frame larger than any before', () => {
    const market = new TwinMarket(0);
    const big = { event_type: 'new_market', text: 'x'.repeat(200_000) };
    const frame = JSON.stringify(market.change(0, 4_000, 5_000_000));
    expect([scan(frame), scan(JSON.stringify(big)), scan(frame)]).toEqual([[PRICE_CHANGE], [IGNORED], [PRICE_CHANGE]]);
  });

  it.each<[string, Found]>([
    ['{"event_type":"book","bids":[],"asks":[]}', BOOK],
    ['{"event_type":"book"}', BOOK],
    ['{"event_type":"last_trade_price","price":"0.5"}', LAST_TRADE_PRICE],
    ['{"timestamp":1,"event_type":"tick_size_change"}', TICK_SIZE_CHANGE],
    ['{"event_type":"market_resolved","tags":["}]"]}', MARKET_RESOLVED],
    ['{"event_type":"best_bid_ask"}', IGNORED],
    ['{"event_type":"new_market"}', IGNORED],
    ['{"event_type":"price_change_2"}', UNKNOWN_EVENT],
    ['{"event_type":"toString"}', UNKNOWN_EVENT],
    ['{"price":"0.5"}', UNKNOWN_EVENT],
    ['{}', UNKNOWN_EVENT],
    ['{"event_type":"price_change","price":"0.5","size":"1","side":"BUY","asset_id":"7"}', LEGACY_EVENT],
    ['{"event_type":"price_change","asset_id":"7","changes":[{"price":"0.5","side":"BUY","size":"1"}]}', LEGACY_EVENT],
    ['{"event_type":"book","asset_id":"7","buys":[],"sells":[]}', LEGACY_EVENT],
    ['PONG', NOTICE],
    ['NO NEW ASSETS', NOTICE],
  ])('recognises %s', (text, found) => {
    expect(scan(text)).toEqual([found]);
    expect(scan(` [${text}, ${text}] `)).toEqual(found === NOTICE ? [UNREADABLE] : [found, found]);
  });

  it('finds nothing in an empty array', () => {
    expect(scan(' [ ] ')).toEqual([]);
  });

  const changed = (from: RegExp, to: string) =>
    JSON.stringify(Object.assign(new TwinMarket(0).change(0, 4_000, 5_000_000))).replace(from, to);
  it.each([
    ['nothing', ''],
    ['white space', '  '],
    ['a long text', 'A'.repeat(65)],
    ['a number', '42'],
    ['an open array', '[{"event_type":"book"}'],
    ['two objects', '{"event_type":"book"}{"event_type":"book"}'],
    ['a price of 1', changed(/"price":"0.4"/, '"price":"1"')],
    ['a price of 0', changed(/"price":"0.4"/, '"price":"0"')],
    ['a price of 2', changed(/"price":"0.4"/, '"price":"2"')],
    ['a price with an exponent', changed(/"price":"0.4"/, '"price":"4e-1"')],
    ['a price off the scale', changed(/"price":"0.4"/, '"price":"0.40001"')],
    ['a negative size', changed(/"size":"5"/, '"size":"-5"')],
    ['a size off the scale', changed(/"size":"5"/, '"size":"5.0000001"')],
    ['a size beyond 2^53', changed(/"size":"5"/, '"size":"9007199254740992"')],
    ['a number for a size', changed(/"size":"5"/, '"size":5')],
    ['another side', changed(/"BUY"/, '"HOLD"')],
    ['a short hash', changed(/"hash":"[0-9a-f]{40}"/, '"hash":"abc"')],
    ['no price', changed(/"price":"0.4",/, '')],
    ['no timestamp', changed(/,"timestamp":"\d+"/, '')],
    ['no event in an array', '[1]'],
  ])('does not read %s', (_what, text) => {
    // The test covers both ways of reading, because the scanner may have learned the layout from a good frame.
    expect(scan(text).at(-1)).toBe(UNREADABLE);
    scan(JSON.stringify(new TwinMarket(0).change(0, 4_000, 5_000_000)));
    expect(scan(text).at(-1)).toBe(UNREADABLE);
  });
});

describe.skipIf(!recordingsPresent)('frame scanner on recordings (needs CROSSBOOK_DATA)', () => {
  const lines = (path: string) => readFileSync(recordingPath(path), 'utf8').trim().split('\n');

  it.each([
    [
      'the Bitcoin recording',
      () => lines('venue-a/recorded-btc-2026-08/btc_updown_5m_20260816T0158Z_ws_market.raw.jsonl'),
      75,
    ],
    [
      'the excerpt with the wire’s own white space',
      () =>
        lines('venue-a/poly-glmbotpoly-excerpt/excerpt.jsonl').map(line => (JSON.parse(line) as { text: string }).text),
      3,
    ],
  ])('reads %s as JSON.parse does', (_what, frames, count) => {
    const changes = frames().filter(text => text.includes('"price_changes"'));
    for (const text of changes) {
      expect(scan(text)).toEqual([PRICE_CHANGE]);
      expect(readEntries()).toEqual(expectedEntries(JSON.parse(text) as Parameters<typeof expectedEntries>[0]));
    }
    expect(changes).toHaveLength(count);
  });
});
