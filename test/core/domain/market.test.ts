// How markets are named, and that the lists which stand for codes in shared memory have no ambiguous entry.

import { describe, expect, it } from 'vitest';
import {
  BOOK_STATES,
  isPlainTokenId,
  isTokenId,
  marketAddress,
  marketKey,
  STATE_REASONS,
  TICKER_PATTERN,
  VENUES,
} from '../../../src/core/domain/market.ts';

describe('market keys', () => {
  it('name a token on venue A and a ticker on venue B, and nothing else', () => {
    expect(marketKey('venue_a', '7131')).toEqual({ venue: 'venue_a', tokenId: '7131' });
    expect(marketKey('venue_b', 'KXMLBGAME-1')).toEqual({ venue: 'venue_b', ticker: 'KXMLBGAME-1' });
  });

  it.each(VENUES)('come back from their address on %s', venue => {
    expect(marketAddress(marketKey(venue, 'address'))).toBe('address');
  });
});

describe('codes', () => {
  it.each([
    ['states', BOOK_STATES],
    ['reasons', STATE_REASONS],
  ])('of %s are unique', (_what, names) => {
    expect(new Set<string>(names).size).toBe(names.length);
  });

  it('start with what zeroed memory must mean: a book that is not live', () => {
    expect(BOOK_STATES[0]).toBe('RESYNCING');
    expect(STATE_REASONS[0]).toBe('OPENING');
  });
});

const LARGEST = (2n ** 256n - 1n).toString();

describe('a token id', () => {
  it.each(['1', '71', LARGEST])('may be %s', text => {
    expect([isTokenId(text), isPlainTokenId(text)]).toEqual([true, true]);
  });

  it.each(['0', '07'])('may be %s, which is no number as it writes itself', text => {
    expect([isTokenId(text), isPlainTokenId(text)]).toEqual([true, false]);
  });

  it.each(['', '0x12', '1.5', 'abc', '-1', '1\n', ' 1', '9'.repeat(79)])('is never %j', text => {
    expect([isTokenId(text), isPlainTokenId(text)]).toEqual([false, false]);
  });
});

describe('a ticker', () => {
  it.each(['KXA', 'KXMLBGAME-26SEP21NYYBOS-NYY', 'KXFED-26.5'])('may be %s', text => {
    expect(TICKER_PATTERN.test(text)).toBe(true);
  });

  it.each(['', 'kxa', 'KXA-', '-KXA', 'KX--A', 'KX_A', 'KXA\n', 'KXÄ'])('is never %j', text => {
    expect(TICKER_PATTERN.test(text)).toBe(false);
  });
});
