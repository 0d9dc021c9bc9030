// Which texts can be a token id, and which a ticker.

import { describe, expect, it } from 'vitest';
import { isPlainTokenId, isTokenId, TICKER_PATTERN } from '../../../src/core/domain/market.ts';

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
