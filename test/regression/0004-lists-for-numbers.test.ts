// Found by the fuzz target "venue A messages": a list of one value was read as that value (`[["0.01"]]` as a tick of 0.01). A deep list of
// lists overflowed the stack, which ended the thread of a stream.

import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { fetchMarketFacts } from '../../src/venues/venue-a/market-facts.ts';
import { readMarketTerms } from '../../src/venues/venue-a/trading/market-terms.ts';
import { liveStream } from '../fuzz/private-streams.ts';

const DEEP_TEXT = `${'['.repeat(50_000)}1${']'.repeat(50_000)}`;
const DEEP = JSON.parse(DEEP_TEXT);
const MARKET = { t: [{ t: '7' }, { t: '8' }], mts: 0.01, mos: 5, ao: true, fd: { r: 0.05, e: 1 } };

describe('the terms of a market of venue A', () => {
  it('are those of numbers and texts', () => {
    expect(readMarketTerms(MARKET, '0xaa', 0 as UnixMillis)).not.toBeNull();
    expect(readMarketTerms({ ...MARKET, mts: '0.01', mos: '5' }, '0xaa', 0 as UnixMillis)).not.toBeNull();
  });

  it.each([
    ['tick', { mts: [['0.01']] }],
    ['tick, deep', { mts: DEEP }],
    ['smallest order', { mos: ['5'] }],
    ['smallest order, deep', { mos: DEEP }],
    ['rate', { fd: { r: [0.05] } }],
    ['rate, deep', { fd: { r: DEEP } }],
    ['exponent', { fd: { r: 0.05, e: [1] } }],
    ['exponent, deep', { fd: { r: 0.05, e: DEEP } }],
  ])('are not known with another %s', (_what, change) => {
    expect(readMarketTerms({ ...MARKET, ...change }, '0xaa', 0 as UnixMillis)).toBeNull();
  });
});

it.each([
  ['tick', `{"mts":[["0.01"]],"mos":5}`],
  ['tick, deep', `{"mts":${DEEP_TEXT},"mos":5}`],
  ['smallest order', `{"mts":0.01,"mos":["5"]}`],
  ['smallest order, deep', `{"mts":0.01,"mos":${DEEP_TEXT}}`],
  ['no smallest order', `{"mts":0.01}`],
])('a book of venue A is not opened with another %s', async (_what, terms) => {
  const market = `{"t":[{"t":"7"},{"t":"8"}],${terms.slice(1)}`;
  const get = async (url: string) => ({
    status: 200,
    body: url.includes('by-token') ? '{"condition_id":"0xaa"}' : market,
  });
  expect(await fetchMarketFacts(get, 'rest', '7')).toMatchObject({ ok: false, error: { code: 'VENUE_UNAVAILABLE' } });
});

it.each([
  ['6', '6'],
  ['[[6]]', '[[6]]'],
  ['lists of lists', DEEP_TEXT],
  ['an object', '{"toString":1}'],
])('an error of venue B’s private stream ends the connection, not the thread: %s', (_what, code) => {
  const { socket, events } = liveStream('venue_b');
  socket.say(`{"type":"error","msg":{"code":${code},"msg":"no"}}`);
  expect(events).toEqual([{ type: 'up' }]);
  expect(socket.isTerminated).toBe(true);
});
