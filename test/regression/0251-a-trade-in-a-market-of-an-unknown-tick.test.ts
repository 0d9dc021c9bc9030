// Found by review: a trade's cost was read with all rules that its market has for orders. One trade, made elsewhere, in a market with an
// unknown tick was unreadable, and with it the whole account. The stream reconnected at every trade there, no reading succeeded, and after
// a start venue A took no orders of the pod.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { type Script, tradingOn } from '../venues/venue-a/trading/scripted-line.ts';
import { FIRST, SECOND, shares } from '../venues/venue-a/trading/trading-rig.ts';

const ELSEWHERE = `0x${'d'.repeat(64)}`;

function trade(id: string, market: string): object {
  const maker = { order_id: `0x${'7'.repeat(64)}`, asset_id: FIRST, matched_amount: '10', price: '0.5' };
  const taker = {
    taker_order_id: `0x${'a'.repeat(64)}`,
    owner: 'key',
    asset_id: FIRST,
    side: 'BUY',
    size: '10',
    price: '0.5',
  };
  return { id, status: 'CONFIRMED', match_time: '1790000000', market, ...taker, maker_orders: [maker] };
}

function fillsOf(description: object, ...trades: readonly object[]) {
  const script: Script = {
    [`/clob-markets/${ELSEWHERE}`]: () => ({ body: { t: [{ t: FIRST }, { t: SECOND }], ao: true, ...description } }),
    '/data/trades': () => ({ body: { data: trades, next_cursor: 'LTE=' } }),
  };
  const { trading, line } = tradingOn(script);
  return { line, fills: () => trading.fillsSince(0 as UnixMillis) };
}

it('such a trade is reported with its cost, and so are the others', async () => {
  const unknownTick = { mts: 0.002, mos: 5, fd: { r: 0.05, e: 1, to: true } };
  const { fills, line } = fillsOf(unknownTick, trade('one', ELSEWHERE), trade('two', ELSEWHERE));
  const fill = { size: shares(10), fee: 125_000 };
  expect(await fills()).toMatchObject({ value: { rows: [fill, fill], unread: [] } });
  expect(line.requests.filter(({ target }) => target.startsWith('/clob-markets'))).toHaveLength(1);
});

it('fees that are stated otherwise are not taken for none', async () => {
  const { fills } = fillsOf({ mts: 0.01, mos: 5, fd: { r: 0.05, e: 'half', to: true } }, trade('one', ELSEWHERE));
  expect(await fills()).toMatchObject({ value: { rows: [], unread: [{ tradeId: 'one' }] } });
});
