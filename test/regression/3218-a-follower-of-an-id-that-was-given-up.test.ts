// Noticed in a review: the catalog gave up the id of a market, and those who followed it kept its last routes. The catalog had the market
// under another id, or not at all.

import { afterEach, expect, it } from 'vitest';
import { OutcomeRequests } from '../../src/client/outcome-requests.ts';
import type { OutcomeMessage } from '../../src/wire/messages.ts';
import { atVenueA, atVenueB, type Listed } from '../catalog/matching/listings.ts';
import { OutcomeRig } from '../gateway/outcomes/outcome-rig.ts';

const GAME: Listed = { league: 'MLB', date: '2026-08-09', startsAt: '2026-08-09T23:10:00Z' };
const [OLDER, YOUNGER] = ['mlb-hou-sd-2026-08-09', 'mlb-hou-sd-2026-08-09-2'];
const a = (startsAt: string) =>
  atVenueA({ ...GAME, startsAt }, 'hou-sd', 'Houston Astros vs. San Diego Padres', { gameId: '77' });
const b = atVenueB(GAME, '1910HOUSD', 'Houston vs San Diego', { HOU: 'Houston', SD: 'San Diego' });
const APART = '2026-08-11T17:10:00Z';
const FOLLOWED = `${YOUNGER}:moneyline`;

const outcomes = new OutcomeRig(b, a(APART));
const { stream: rig, hub } = outcomes;
afterEach(() => outcomes.close());

it('a follower hears that the catalog has its market under another id, or no more, and nothing after that', async () => {
  const [client, other] = [rig.connect(undefined, hub), rig.connect(undefined, hub)];
  const subscribe = { op: 'subscribe', channel: 'outcome' } as const;
  await client.say({ ...subscribe, id: 'o', catalogMarkets: [FOLLOWED] });
  await other.say({ ...subscribe, id: 'o', catalogMarkets: [`${OLDER}:moneyline`] });
  await outcomes.pass(2_000);
  expect(client.take().map(({ type }) => type)).toEqual(['subscribed', 'outcome']);
  outcomes.list(b, a(GAME.startsAt));
  await outcomes.pass(12_000);
  const message = `the catalog has no such market any more: it is ${OLDER}:moneyline now`;
  const rejection = { catalogMarket: FOLLOWED, code: 'UNKNOWN_MARKET', message };
  const ended = { type: 'error', id: null, code: 'UNKNOWN_MARKET', message, rejected: [] };
  expect(client.take()).toEqual([{ ...ended, rejectedCatalogMarkets: [rejection] }]);
  await client.say({ ...subscribe, id: 'p', catalogMarkets: [FOLLOWED] });
  const [refused] = client.take();
  expect(refused).toMatchObject({ id: 'p', message: `the catalog has no such market: it is ${OLDER}:moneyline now` });
  await client.say({ op: 'unsubscribe', channel: 'outcome', id: 'u', catalogMarkets: [FOLLOWED] });
  expect(client.take()).toMatchObject([{ id: 'u', code: 'NOT_SUBSCRIBED' }]);
  // The other market goes on, with what it has gained.
  const routes = other.take().filter((it): it is OutcomeMessage => it.type === 'outcome');
  expect(routes.at(-1)!.omitted.map(({ route }) => route.market.venue)).toContain('venue_a');
  outcomes.list();
  await outcomes.pass(12_000);
  expect(other.take()).toMatchObject([{ type: 'error', id: null, message: 'the catalog has no such market any more' }]);
  expect(rig.stream.tops.isUnused).toBe(true);
});

it('our client asks no more for a market that has ended so, and says it', () => {
  const sent: unknown[] = [];
  const refusals: unknown[] = [];
  const requests = new OutcomeRequests({
    send: message => sent.push(message),
    nextId: () => String(sent.length),
    timers: { after: () => () => {} },
    onRefused: refusal => refusals.push(refusal),
  });
  requests.subscribe([FOLLOWED], 0);
  requests.answered({ type: 'subscribed', id: '0', rejected: [] });
  const rejection = { catalogMarket: FOLLOWED, code: 'UNKNOWN_MARKET', message: 'gone' } as const;
  const error = { type: 'error', id: null, code: 'UNKNOWN_MARKET', message: 'gone', rejected: [] } as const;
  requests.refused({ ...error, rejectedCatalogMarkets: [rejection] });
  expect(refusals).toEqual([
    { code: 'UNKNOWN_MARKET', message: `${FOLLOWED}: gone`, market: null, asksAgainInMs: null },
  ]);
  const before = sent.length;
  requests.subscribeAll();
  expect(sent.length).toBe(before);
});
