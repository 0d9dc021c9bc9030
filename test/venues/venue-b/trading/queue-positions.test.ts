// The places of orders in their queues, as venue B states them, against the paper exchange, which knows these places. A script gives the
// answers that the paper exchange never gives.

import { expect, it } from 'vitest';
import type { OutboundRequest } from '../../../../src/core/net/outbound.ts';
import { limits } from '../../../../src/limits.ts';
import { queuePositions, queueRowsIn } from '../../../../src/venues/venue-b/trading/queue-positions.ts';
import { cancel, price, send, size } from '../../trading-rig.ts';
import { scriptedRest } from './scripted-rest.ts';
import { OTHER_TICKER, TENNIS_TICKER, TICKER, VenueBTradingRig } from './trading-rig.ts';

const AT = { price: price('0.3') };

it('each order of the markets has what rests before it, also on another shard', async () => {
  const rig = await VenueBTradingRig.open();
  rig.fund(3, 40_000_000 as never);
  const asked = async (...tickers: string[]) =>
    (await rig.trading.queuePositions!(tickers)) as { value: ReadonlyMap<string, number> };
  rig.others('BUY', AT.price, size('25'), 'rest');
  const [first, second] = [await send(rig, rig.wish(AT)), await send(rig, rig.wish(AT))];
  const [other, tennis] = [
    await send(rig, rig.wish({ ...AT, ticker: OTHER_TICKER })),
    await send(rig, rig.wish({ ...AT, ticker: TENNIS_TICKER })),
  ];
  const idOf = ({ outcome }: typeof first): string => (outcome as { venueOrderId: string }).venueOrderId;
  expect((await asked(TICKER, TENNIS_TICKER)).value).toEqual(
    new Map([
      [idOf(first), 25_000_000],
      [idOf(second), 35_000_000],
      [idOf(tennis), 0],
    ]),
  );
  rig.others('SELL', AT.price, size('20'), 'take');
  await cancel(rig, first);
  const ahead = (await asked(TICKER, OTHER_TICKER)).value;
  expect([...ahead]).toEqual(
    expect.arrayContaining([
      [idOf(second), 5_000_000],
      [idOf(other), 0],
    ]),
  );
  expect(ahead.size).toBe(2);
});

it('many markets are asked for in several reads, none of which is too long', async () => {
  const asked: OutboundRequest[] = [];
  const rest = scriptedRest((_, request) => {
    asked.push(request);
    return { queue_positions: [{ order_id: `o-${asked.length}`, queue_position_fp: '1.00' }] };
  });
  const tickers = Array.from({ length: 300 }, (_, market) => `KXMANY-${market}`);
  const read = await queuePositions(rest, tickers);
  const lists = asked.map(({ target }) => new URL(target, 'http://v').searchParams.get('market_tickers')!);
  expect(lists.join(',').split(',')).toEqual(tickers);
  expect(Math.max(...lists.map(list => list.length))).toBeLessThanOrEqual(limits.venueBTickerListBytes);
  expect(read).toEqual({ ok: true, value: new Map(lists.map((_, list) => [`o-${list + 1}`, 1_000_000])) });
});

it.each([
  [
    { status: 503, error: { code: 'unavailable', message: 'come back later' } },
    /^venue B: HTTP 503: .*come back later/,
  ],
  [{ queue_positions: null }, /without a list of queue_positions/],
  [{}, /without a list of queue_positions/],
])('an answer that states no places is named: %j', async (answer, words) => {
  expect(
    await queuePositions(
      scriptedRest(() => answer),
      ['KXA'],
    ),
  ).toEqual({
    ok: false,
    error: expect.stringMatching(words),
  });
});

it('a row that cannot be read is left out', () => {
  const rows = [
    { order_id: 'o-1', queue_position_fp: '2.50' },
    ...['-1.00', 12, '1e3', '', null].map(queue_position_fp => ({ order_id: 'o-2', queue_position_fp })),
    { queue_position_fp: '1.00' },
    'x',
  ];
  expect(queueRowsIn({ queue_positions: rows })).toEqual([['o-1', 2_500_000]]);
});
