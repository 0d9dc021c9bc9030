// Found by review: shares of a resolved market were settled at the price that the wallet's list had at the first look. That price was still
// on its way to 1, or an old one. They were never settled again at another.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import type { PrivateEvent } from '../../src/venues/venue.ts';
import { CONDITION, holdingsOf, tradingOn } from '../venues/venue-a/trading/scripted-line.ts';
import { FIRST, SECOND } from '../venues/venue-a/trading/trading-rig.ts';

const market = (change: object) => ({
  condition_id: CONDITION,
  question: 'Who wins?',
  closed: true,
  tokens: [
    { token_id: FIRST, outcome: 'Home', winner: false },
    { token_id: SECOND, outcome: 'Away', winner: false },
  ],
  ...change,
});
const won = (winner: string) =>
  market({ tokens: market({}).tokens.map(it => ({ ...it, winner: it.token_id === winner })) });

/** What the venue says of FIRST, look by look: the price in the wallet's list, and the market. */
async function reported(...looks: readonly (readonly [curPrice: number, market: object])[]) {
  let [curPrice, described] = looks[0]!;
  const { trading, timers } = tradingOn({
    '/v2/positions': request =>
      holdingsOf([{ token_id: FIRST, current_size: 1, redeemable: true, current_price: curPrice }])(request),
    [`/markets/${CONDITION}`]: () => ({ body: described }),
  });
  const heard: PrivateEvent[] = [];
  const stop = trading.listen(event => heard.push(event));
  await timers.settle(1);
  for (const look of looks.slice(1)) {
    [curPrice, described] = look;
    await timers.settle(limits.venueASettlementPollMs);
  }
  stop();
  expect(heard.filter(({ type }) => type === 'redeemable')).toHaveLength(looks.length);
  return heard.flatMap(event => (event.type === 'settled' ? [event.value] : []));
}

it('a settlement waits for the last price', async () => {
  const open = market({ closed: false });
  expect(await reported([0.998, open], [0.998, market({})], [1, won(FIRST)], [1, won(FIRST)])).toEqual([10_000]);
});

it('a settlement follows the market if that has its winner before', async () => {
  expect(await reported([0.998, won(FIRST)], [1, won(FIRST)])).toEqual([10_000]);
  expect(await reported([0.002, won(SECOND)], [0, won(SECOND)])).toEqual([0]);
});

it('a settlement is at a half if the market says that nobody won', async () => {
  const half = market({ is_50_50_outcome: true });
  expect(await reported([0.5, half], [0.5, half])).toEqual([5_000]);
});

it('a settlement is reported again when its price changes', async () => {
  expect(await reported([1, won(FIRST)], [0, won(SECOND)])).toEqual([10_000, 0]);
});
