// How markets are named, and that the lists which stand for codes in shared memory have no ambiguous entry.

import { describe, expect, it } from 'vitest';
import { BOOK_STATES, marketAddress, marketKey, STATE_REASONS, VENUES } from '../../../src/core/domain/market.ts';

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
