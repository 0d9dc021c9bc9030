// Found by a black-box reading of the contract. For half a minute after a market of venue A had resolved, its orders were refused as
// faulty. The words were "nobody offers to trade with it", or the venue's own. Each left a rejected order and used its key up. The market's
// description is kept that long, and nothing that contradicted it counted.

import { beforeEach, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { orderAt, SOON, tradingOn } from '../venues/venue-a/trading/scripted-line.ts';
import { FIRST, limit, marketBuy, SECOND } from '../venues/venue-a/trading/trading-rig.ts';

const EMPTY_BOOK = { market: '', asset_id: FIRST, timestamp: '1', hash: 'a'.repeat(40), bids: [], asks: [] };
const NOT_FOUND = { status: 404, body: { error: 'No orderbook exists for the requested token id' } };

let isOpen: boolean;
let isGone: boolean;
let words: string;
let rig: ReturnType<typeof tradingOn>;

beforeEach(() => {
  isOpen = true;
  isGone = false;
  rig = tradingOn({
    '/clob-markets/': () => ({ body: { t: [{ t: FIRST }, { t: SECOND }], mos: 5, mts: 0.01, ao: isOpen } }),
    '/markets/': () => ({ body: { closed: !isOpen } }),
    '/book': () => (isGone ? NOT_FOUND : { body: EMPTY_BOOK }),
    '/order': () => ({ status: 400, body: { error: words } }),
  });
});

const facts = () => rig.trading.facts(FIRST);
const prepared = (request = limit('BUY', 50, 10)) => rig.trading.prepare(orderAt(rig.timers, request), 'key');

async function resolve(): Promise<void> {
  await facts();
  isOpen = false;
  rig.timers.advance(limits.venueARefusingTermsAgeMs + 1);
  expect(await facts()).toMatchObject({ value: { phase: 'OPEN' } });
}

it.each([
  ['is empty', false],
  ['is no more', true],
])('an order at the market is not found there, though its book %s', async (_what, gone) => {
  await resolve();
  isGone = gone;
  expect(await prepared(marketBuy(10, 'FAK'))).toMatchObject({ ok: false, error: { kind: 'notFound' } });
});

it('where nobody offers anything in a market that is open it is not feasible, as before', async () => {
  expect(await prepared(marketBuy(10, 'FAK'))).toMatchObject({ error: { error: { code: 'NOT_FEASIBLE' } } });
  isGone = true;
  expect(await prepared(marketBuy(10, 'FAK'))).toMatchObject({ error: { kind: 'unavailable' } });
});

it.each([
  ['the market is not yet ready to process new orders', 'CLOSED'],
  [`the orderbook ${FIRST} does not exist`, 'CLOSED'],
  ['not enough balance / allowance', 'OPEN'],
])('once the venue has said “%s” the market is taken for %s', async (said, phase) => {
  await resolve();
  words = said;
  const order = orderAt(rig.timers);
  const intent = await rig.trading.prepare(order, 'key');
  if (!intent.ok) throw new Error(intent.error.message);
  const type = phase === 'CLOSED' && said.includes('ready') ? 'not-sent' : 'refused';
  expect(await rig.trading.submit(order, intent.value, SOON)).toMatchObject({ type });
  expect(await facts()).toMatchObject({ value: { phase } });
});
