// The reader of venue C's list against a scripted server on loopback, with the venue's present and older field names. A malformed object is
// lost alone. Without an address no request is made.

import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { discoveriesOf } from '../../src/catalog/venue-reader.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { createHttpClient, type HttpClient } from '../../src/core/net/http.ts';
import { wallTimers } from '../../src/core/runtime/timers.ts';
import type { VenueDiscovery } from '../../src/venues/discovery.ts';
import { venueCDiscovery } from '../../src/venues/venue-c/discovery.ts';

const KEY = 'raw-key';
const BODY_BYTES_MAX = 64 * 1024;
const STARTS_AT = '2026-11-21T03:00:00Z';
const EVENT = {
  event_id: 10_073_803,
  name: 'Houston Astros at San Diego Padres',
  sport_name: 'Baseball',
  tournament_name: 'MLB',
  scheduled: STARTS_AT,
  status: 'not_started',
};
/** A total, as the venue documents it. */
const TOTAL = {
  id: 258,
  name: 'Fixed total 7.5',
  display_name: 'Total Runs',
  type: 'total',
  strike: 7.5,
  selections: [
    { strike_id: '40a32ae7b39684d430cf494be26cbe6b', name: 'under 7.5', outcome_id: 13, price: 119, strike: 7.5 },
    { strike_id: '7d8bbf46022a2329f792a2e0dfb18408', name: 'over 7.5', outcome_id: 12, price: -122, strike: 7.5 },
  ],
};
const [UNDER, OVER] = TOTAL.selections as [object, object];
const OLDER_TOTAL = {
  id: 258,
  name: 'Fixed total 7.5',
  display_name: 'Total Runs',
  type: 'total',
  line: 7.5,
  selections: [
    { line_id: '40a32ae7b39684d430cf494be26cbe6b', name: 'under 7.5', outcome_id: 13, odds: 119, line: 7.5 },
    { line_id: '7d8bbf46022a2329f792a2e0dfb18408', name: 'over 7.5', outcome_id: 12, odds: -122, line: 7.5 },
  ],
};
const READ_TOTAL = {
  marketId: '10073803/258/40a32ae7b39684d430cf494be26cbe6b',
  title: 'Fixed total 7.5',
  outcomes: [
    { name: 'under 7.5', route: { venue: 'venue_c', strikeId: '40a32ae7b39684d430cf494be26cbe6b' } },
    { name: 'over 7.5', route: { venue: 'venue_c', strikeId: '7d8bbf46022a2329f792a2e0dfb18408' } },
  ],
  phase: 'OPEN',
  opensAt: null,
  closesAt: null,
  label: 'Total Runs',
  kind: 'total',
  line: '7.5',
  occursAt: Date.parse(STARTS_AT) as UnixMillis,
};

let server: Server;
let http: HttpClient;
let discovery: VenueDiscovery;
let asked: { readonly url: string; readonly authorization: string | undefined }[];
let status: number;
/** The `data` of the server's answers. */
let events: unknown;
let markets: unknown;

beforeEach(async () => {
  asked = [];
  status = 200;
  events = { sport_events: [EVENT] };
  markets = { [EVENT.event_id]: [TOTAL] };
  server = createServer((request, response) => {
    const { url = '', headers } = request;
    asked.push({ url, authorization: headers.authorization });
    response.statusCode = status;
    response.end(JSON.stringify({ data: url.includes('get_sport_events') ? events : markets }));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  http = createHttpClient(5_000, BODY_BYTES_MAX);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/partner`;
  discovery = venueCDiscovery({ url, apiKey: KEY, get: http.get });
});
afterEach(async () => {
  http.close();
  await new Promise(resolve => server.close(resolve));
});

/** Reads the page of the markets of every event that the first page has listed. */
async function readMarkets() {
  expect(await discovery.listed(null, 50)).toMatchObject({ ok: true, value: { events: [], next: '0' } });
  return discovery.listed('0', 50);
}

describe('the list of venue C', () => {
  it.each([
    ['as documented', TOTAL],
    ['in the older words', OLDER_TOTAL],
    ['nested, with several prices of a side', { ...TOTAL, selections: [[UNDER, { ...UNDER, price: 115 }], [OVER]] }],
    ['with sides that nobody offers', { ...TOTAL, selections: [[UNDER], [OVER], null, [null], [{ name: 'x' }]] }],
  ])('has a market %s, without its odds', async (_, market) => {
    markets = { [EVENT.event_id]: [market] };
    const page = await readMarkets();
    expect(page).toEqual({
      ok: true,
      value: {
        events: [
          {
            venue: 'venue_c',
            eventId: '10073803',
            title: EVENT.name,
            subTitle: '',
            seriesId: '',
            competition: 'MLB',
            scope: '',
            startsAt: Date.parse(STARTS_AT),
            gameId: '',
            teams: [],
            markets: [READ_TOTAL],
          },
        ],
        malformed: 0,
        next: null,
      },
    });
  });

  it('is requested with the bare key, some events at a time', async () => {
    events = { sport_events: [1, 2, 3].map(event_id => ({ ...EVENT, event_id })) };
    markets = {};
    const first = await discovery.listed(null, 2);
    expect(first).toMatchObject({ value: { next: '0' } });
    expect(await discovery.listed('0', 2)).toMatchObject({ value: { events: [{}, {}], next: '2' } });
    expect(await discovery.listed('2', 2)).toMatchObject({ value: { events: [{}], next: null } });
    expect(asked).toEqual([
      { url: '/partner/affiliate/get_sport_events', authorization: KEY },
      { url: '/partner/v4/affiliate/get_multiple_markets?event_ids=1&event_ids=2', authorization: KEY },
      { url: '/partner/v4/affiliate/get_multiple_markets?event_ids=3', authorization: KEY },
    ]);
  });

  it('is not asked for news, nor for markets of no event', async () => {
    events = { sport_events: [{ ...EVENT, status: 'finished' }] };
    expect(await discovery.listed(null, 50)).toEqual({ ok: true, value: { events: [], malformed: 0, next: null } });
    asked = [];
    expect(await discovery.news(0 as UnixMillis, null, 1)).toEqual({
      ok: true,
      value: { events: [], malformed: 0, next: null },
    });
    expect(asked).toEqual([]);
  });

  it('has markets in one list that names their events too', async () => {
    markets = [{ ...TOTAL, event_id: EVENT.event_id }];
    expect(await readMarkets()).toMatchObject({ value: { events: [{ markets: [READ_TOTAL] }] } });
  });

  it.each([
    ['no name', { ...TOTAL, name: '', display_name: null }],
    ['no number', { ...TOTAL, id: null }],
    ['selections that are no list', { ...TOTAL, selections: 'none' }],
    ['a strike that is no id', { ...TOTAL, selections: [{ ...UNDER, strike_id: '"}' }] }],
    ['a strike of two names', { ...TOTAL, selections: [UNDER, { ...UNDER, name: 'over 7.5' }] }],
    ['an outcome without a name', { ...TOTAL, selections: [{ ...UNDER, name: null }] }],
  ])('loses a market with %s alone', async (_, market) => {
    markets = { [EVENT.event_id]: [market, TOTAL] };
    expect(await readMarkets()).toMatchObject({ value: { malformed: 1, events: [{ markets: [READ_TOTAL] }] } });
  });

  it.each([
    ['suspended', { ...TOTAL, status: 'suspended' }],
    ['offered by nobody', { ...TOTAL, selections: null }],
    ['empty on all sides', { ...TOTAL, selections: [null, []] }],
  ])('has no market that is %s, and that is no fault', async (_, market) => {
    markets = { [EVENT.event_id]: [market] };
    expect(await readMarkets()).toMatchObject({ value: { malformed: 0, events: [{ markets: [] }] } });
  });

  it.each([
    ['no number', { ...EVENT, event_id: 'x&y=1' }],
    ['no name', { ...EVENT, name: null }],
    ['no start', { ...EVENT, scheduled: 'soon' }],
    ['no shape', null],
  ])('loses an event with %s alone', async (_, event) => {
    events = { sport_events: [event, EVENT] };
    expect(await discovery.listed(null, 50)).toMatchObject({ value: { malformed: 1, next: '0' } });
    expect(await discovery.listed('0', 50)).toMatchObject({ value: { events: [{ eventId: '10073803' }] } });
  });

  it.each<[string, unknown]>([
    ['a strike that is no object', { ...TOTAL, selections: [UNDER, 'over'] }],
    ['markets that are no list', null],
  ])('loses %s alone', async (_what, market) => {
    markets = { [EVENT.event_id]: market === null ? 'none' : [market] };
    expect(await readMarkets()).toMatchObject({ value: { malformed: 1, events: [{ markets: [] }] } });
  });

  it('has an event without a market', async () => {
    markets = {};
    expect(await readMarkets()).toMatchObject({ value: { malformed: 0, events: [{ markets: [] }] } });
  });

  it.each<[string, () => void]>([
    ['cannot be had', () => (status = 503)],
    ['are in no shape that is known', () => (markets = 'none')],
  ])('is unreadable, and not empty, where these %s', async (_what, happen) => {
    expect(await discovery.listed(null, 50)).toMatchObject({ ok: true });
    happen();
    expect(await discovery.listed('0', 50)).toMatchObject({ ok: false });
  });

  it.each(['<html>', '[]', '{"data":null}', '{"data":{"sport_events":{}}}'])(
    'is not empty by the answer %s',
    async body => {
      const url = 'http://venue.test';
      const said = venueCDiscovery({ url, apiKey: KEY, get: async () => ({ status: 200, body }) });
      expect(await said.listed(null, 50)).toMatchObject({ ok: false });
    },
  );

  it('fails in words, which the key is not among', async () => {
    status = 403;
    expect(await discovery.listed(null, 50)).toEqual({ ok: false, error: 'HTTP 403' });
    status = 200;
    events = {};
    expect(await discovery.listed(null, 50)).toEqual({ ok: false, error: 'no events in the answer' });
    events = 'x'.repeat(BODY_BYTES_MAX);
    const tooLong = await discovery.listed(null, 50);
    expect(tooLong).toMatchObject({ ok: false });
    expect(JSON.stringify(tooLong)).not.toContain(KEY);
  });
});

it('is read only where its address is set', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const targets = { gammaUrl: 'http://a', venueB: { restUrl: 'http://b', keyId: 'k', privateKeyPem } };
  const venuesOf = (venueC: { url: string; apiKey: string } | null) =>
    discoveriesOf({ ...targets, venueC }, http.get, wallTimers).map(({ venue }) => venue);
  expect(venuesOf(null)).toEqual(['venue_a', 'venue_b']);
  expect(venuesOf({ url: 'http://c', apiKey: KEY })).toEqual(['venue_a', 'venue_b', 'venue_c']);
});
