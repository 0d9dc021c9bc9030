// The spliced image of a book against JSON.stringify: on vectors, on recorded books, and over random changes.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ASK, BID, COMPLEMENT, PRIMARY, type Side } from '../../../src/core/domain/market.ts';
import { formatMicroShares, formatTicks, type MicroShares, type Ticks } from '../../../src/core/domain/numbers.ts';
import {
  type BookDocument,
  type HashTerms,
  mirrorLevels,
  readBookDocument,
} from '../../../src/venues/venue-a/book-document.ts';
import { BookImage } from '../../../src/venues/venue-a/book-image.ts';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';
import { TwinMarket } from './twin-market.ts';

function imageOf(document: BookDocument): BookImage {
  const image = new BookImage(document.market, document.tokenId);
  image.load(document.timestamp, document.bids, document.asks, document.terms as HashTerms);
  return image;
}

function readAll(value: unknown): BookDocument[] {
  const books = Array.isArray(value) ? (value as unknown[]) : [value];
  return books.map(book => {
    const document = readBookDocument(book);
    expect(document).not.toBeNull();
    return document!;
  });
}

/** Changes the image as a frame does: from bytes. */
function change(image: BookImage, side: Side, price: number, size: number): boolean {
  const priceText = formatTicks(price as Ticks);
  const sizeText = formatMicroShares(size as MicroShares);
  const bytes = Buffer.from(`"${priceText}","${sizeText}"`);
  return image.change(
    side,
    price as Ticks,
    size === 0,
    bytes,
    1,
    priceText.length,
    priceText.length + 4,
    sizeText.length,
  );
}

describe('book image', () => {
  it('is what JSON.stringify says after any changes', () => {
    const prices = fc.oneof(
      fc.integer({ min: 1, max: 99 }).map(cents => cents * 100),
      fc.integer({ min: 1, max: 9_999 }),
    );
    const sizes = fc.oneof(
      fc.constant(0),
      fc.integer({ min: 1, max: 99_999 }).map(shares => shares * 1_000_000),
      fc.integer({ min: 1, max: 9_000_000_000_000 }),
    );
    const changes = fc.array(fc.tuple(fc.constantFrom<Side>(BID, ASK), prices, sizes), { maxLength: 120 });
    const times = fc.constantFrom('1786845515598', '', '1', '999999999999999');
    fc.assert(
      fc.property(changes, changes, times, (before, after, time) => {
        const twin = new TwinMarket(0);
        for (const [side, price, size] of before) if (size > 0) twin.ladders[side].set(price, size);
        const image = imageOf(readBookDocument(twin.restBook())!);
        for (const [side, price, size] of after) {
          const ladder = twin.ladders[side];
          const isNew = (ladder.get(price) ?? 0) !== size;
          if (size === 0) ladder.delete(price);
          else ladder.set(price, size);
          expect(change(image, side, price, size)).toBe(isNew);
        }
        image.setTimestamp(Buffer.from(`x${time}`), 1, time.length);
        twin.lastTradePrice = '0.5555';
        image.setTerms({ minOrderSize: '5', tickSize: '0.01', negRisk: false, lastTradePrice: '0.5555' });
        const expected = JSON.stringify({ ...twin.preimage(PRIMARY), timestamp: time });
        expect(image.text()).toBe(expected);
        expect(image.digest()).toBe(createHash('sha1').update(expected).digest('hex'));
        expect(image.levels(ASK).map(({ priceText, sizeText }) => ({ price: priceText, size: sizeText }))).toEqual(
          twin.levels(PRIMARY, ASK),
        );
      }),
    );
  });

  it('mirrors into the complement token', () => {
    const twin = new TwinMarket(0).seed([
      [BID, 5_300, 30_000_000],
      [BID, 100, 1],
      [ASK, 5_401, 24_370_000],
    ]);
    const image = imageOf(readBookDocument(twin.restBook())!);
    expect(mirrorLevels(image.levels(ASK))).toEqual(readBookDocument(twin.restBook(COMPLEMENT))!.bids);
    expect(mirrorLevels(image.levels(BID))).toEqual(readBookDocument(twin.restBook(COMPLEMENT))!.asks);
  });

  it('tells equal levels from others, at any time', () => {
    const twin = new TwinMarket(0).seed([[BID, 5_300, 30_000_000]]);
    const image = imageOf(readBookDocument(twin.restBook())!);
    twin.time += 5;
    expect(image.hasSameLevels(imageOf(readBookDocument(twin.restBook())!))).toBe(true);
    twin.seed([[BID, 5_300, 30_000_001]]);
    expect(image.hasSameLevels(imageOf(readBookDocument(twin.restBook())!))).toBe(false);
  });
});

describe('book document', () => {
  const book = new TwinMarket(0).seed([[BID, 5_300, 1]]).restBook();

  it('is sorted worst first, from any order', () => {
    const bids = [5, 3, 4].map(cents => ({ price: `0.0${cents}`, size: '1' }));
    expect(readBookDocument({ ...book, bids })!.bids.map(level => level.price)).toEqual([300, 400, 500]);
    expect(readBookDocument({ ...book, asks: bids })!.asks.map(level => level.price)).toEqual([500, 400, 300]);
  });

  it('reads missing sides as empty', () => {
    const { bids: _, ...rest } = book as Record<string, unknown>;
    expect(readBookDocument(rest)!.bids).toEqual([]);
  });

  it.each([
    [
      'a level twice',
      {
        bids: [
          { price: '0.5', size: '1' },
          { price: '0.50', size: '2' },
        ],
      },
    ],
    ['a price of 1', { asks: [{ price: '1', size: '1' }] }],
    ['a price that is no multiple of $0.0001', { bids: [{ price: '0.12345', size: '1' }] }],
    ['a level without size', { bids: [{ price: '0.5', size: '0' }] }],
    ['a number for a price', { bids: [{ price: 0.5, size: '1' }] }],
    ['a hash that is none', { hash: '0xhash001' }],
    ['a token that is none', { asset_id: 'token' }],
    ['text that would need escaping', { last_trade_price: '0.5"' }],
    ['a time that is none', { timestamp: 'now' }],
  ])('refuses %s', (_what, fields) => {
    expect(readBookDocument({ ...book, ...fields })).toBeNull();
  });
});

describe.skipIf(!recordingsPresent)('book image on recordings (needs CROSSBOOK_DATA)', () => {
  const read = (path: string): unknown => JSON.parse(readFileSync(recordingPath(path), 'utf8'));

  it('hashes the signing vectors', () => {
    const vectors = (read('venue-a/signing_vectors.json') as { book_hash: { preimage: string; sha1: string }[] })
      .book_hash;
    expect(vectors.length).toBeGreaterThan(0);
    for (const { preimage, sha1 } of vectors) {
      const [document] = readAll({ ...(JSON.parse(preimage) as object), hash: sha1 });
      // The asks of the official client's test are in the opposite sequence, with the best ask first. The hash covers the levels in the
      // given sequence.
      const asks = [...document!.asks].reverse();
      const image = new BookImage(document!.market, document!.tokenId);
      image.load(document!.timestamp, document!.bids, asks, document!.terms as HashTerms);
      expect(image.text()).toBe(preimage);
      expect(image.digest()).toBe(sha1);
    }
  });

  const tinli = 'pairs/cross-tinli/services/api/tests/fixtures/polymarket';
  const tinliBooks = (recordingsPresent ? readdirSync(recordingPath(tinli)) : [])
    .filter(name => name.startsWith('book_'))
    .map(name => `${tinli}/${name}`)
    // One of the files is a placeholder of its author, with two empty sides and no hash.
    .filter(path => 'hash' in (read(path) as object));

  it.each([
    'venue-a/poly-polyarb/tests/fixtures/clob_book_binary.json',
    'venue-a/poly-polyarb/tests/fixtures/clob_book_negrisk_outcome.json',
    'venue-a/poly-polycopy/tests/fixtures/clob_orderbook_sample.json',
    'venue-a/poly-trebuchet/fixtures/polymarket/events/fed-decision-in-june-825/clob-books.json',
    ...tinliBooks,
  ])('verifies %s', path => {
    for (const document of readAll(read(path))) expect(imageOf(document).digest()).toBe(document.hash);
  });
});
