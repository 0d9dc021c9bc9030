// The readers of the gateway against the lists of the demo accounts of the paper exchanges, as they are and with a change in between.

import { OrderType, Side } from '@polymarket/clob-client-v2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PodVenues } from '../../src/core/domain/pod-accounts.ts';
import { unknownWords } from '../../src/core/metrics/unknown-words.ts';
import { createDemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import { demoPod } from '../../src/paper/demo-pod.ts';
import type { Paper } from '../../src/paper/paper.ts';
import { readAccountDrift } from '../../src/venues/account-drift.ts';
import { POLYGON } from '../../src/venues/venue-a/exchanges.ts';
import { someTicker, someToken, VenueBTrader, venueAClient } from '../support/paper-traders.ts';
import { startQuietPaper } from '../support/quiet-paper.ts';
import { changed } from './changed-server.ts';

let paper: Paper;
let pod: PodVenues;

beforeAll(async () => {
  const accounts = await createDemoAccounts(POLYGON);
  paper = await startQuietPaper(accounts, { takerDelayS: 0 });
  const { venueA, venueB } = paper.urls;
  pod = demoPod(accounts, paper.urls);
  // Places at each venue an order that trades and an order that rests.
  const trader = new VenueBTrader(venueB.rest, accounts);
  const ticker = await someTicker(venueB.rest);
  for (const price of ['0.9900', '0.0100']) await trader.order(ticker, 'bid', '2.00', price);
  const client = venueAClient(venueA.rest, accounts);
  const tokenID = await someToken(venueA.gamma);
  await client.createAndPostMarketOrder({ tokenID, side: Side.BUY, amount: 5 }, undefined, OrderType.FAK);
  await client.createAndPostOrder({ tokenID, side: Side.BUY, price: 0.01, size: 200 });
});
afterAll(() => paper.close());

it('reads all lists of an account, without a word that nobody knows', async () => {
  unknownWords.forget();
  const drift = await readAccountDrift(pod);
  expect(drift.map(({ venue, route }) => `${venue} ${route}`)).toEqual([
    'venue_a /data/orders',
    'venue_a /data/trades',
    'venue_a /balance-allowance',
    'venue_a /v2/positions',
    'venue_a /v2/approvals',
    'venue_b /portfolio/orders',
    'venue_b /portfolio/fills',
    'venue_b /portfolio/positions',
    'venue_b /portfolio/balance',
    'venue_b /api_keys',
  ]);
  for (const { route, rows, refused, failure } of drift)
    expect([route, rows > 0, refused, failure]).toEqual([route, true, 0, '']);
  expect(unknownWords.rows()).toEqual([]);
});

it('names a new field, a new word, a required field that is gone, and a list that is none', async () => {
  unknownWords.forget();
  const restUrl = await changed(pod.venueB!.restUrl, ({ count_fp, market_positions: _, ...value }) => ({
    ...value,
    ...('status' in value ? { status: 'dreaming', novelty: 1 } : {}),
  }));
  const drift = await readAccountDrift({ ...pod, venueA: null, venueB: { ...pod.venueB!, restUrl } });
  const of = (route: string) => drift.find(it => it.route === route);
  expect(of('/portfolio/orders')).toMatchObject({ refused: 2, unread: expect.arrayContaining(['novelty']) });
  expect(of('/portfolio/fills')).toMatchObject({ lacking: expect.arrayContaining(['count_fp']) });
  expect(of('/portfolio/positions')).toMatchObject({ rows: 0, failure: 'no market_positions in the answer' });
  expect(unknownWords.rows()).toEqual([{ values: ['venue_b', 'order_status', 'dreaming'], value: 2 }]);
});

it('says why an account could not be read', async () => {
  const drift = await readAccountDrift({ ...pod, venueB: { ...pod.venueB!, keyId: 'nobody' }, venueA: null });
  expect(drift.map(({ failure }) => failure)).toEqual(drift.map(() => expect.stringMatching(/./)));
});
