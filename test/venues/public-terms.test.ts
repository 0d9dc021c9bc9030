// The terms and costs of orders to markets of both venues, read from a scripted venue on a real socket.

import { describe, expect, it } from 'vitest';
import { formatRate } from '../../src/core/domain/fees.ts';
import { unknownWords } from '../../src/core/metrics/unknown-words.ts';
import { wallTimers } from '../../src/core/runtime/timers.ts';
import type { TermsReading } from '../../src/venues/trading-terms.ts';
import { VenueATermsReader } from '../../src/venues/venue-a/public-terms.ts';
import { VenueBTermsReader } from '../../src/venues/venue-b/public-terms.ts';
import { type Said, ScriptedVenue } from './market-read-rig.ts';

let venue: ScriptedVenue;

type Answers = Readonly<Record<string, Said>>;

const TICKER = 'KXNBAGAME-26NOV21BOSLAL-BOS';
const EVENT = 'KXNBAGAME-26NOV21BOSLAL';

function venueB(change: { market?: object; event?: object; series?: object } = {}): Answers {
  const price_ranges = [{ start: '0.0000', end: '1.0000', step: '0.0100' }];
  const market = {
    ...{ ticker: TICKER, event_ticker: EVENT, title: 'Boston at Los Angeles', status: 'active', price_ranges },
    ...{ close_time: '2026-11-23T05:00:00Z', exchange_index: 3, settlement_bounds_type: 'default' },
    ...change.market,
  };
  const event = { event_ticker: EVENT, series_ticker: 'KXNBAGAME', ...change.event };
  const series = { ticker: 'KXNBAGAME', fee_type: 'quadratic_with_maker_fees', fee_multiplier: 0.5, ...change.series };
  return {
    [`/markets/${TICKER}`]: { body: { market } },
    [`/events/${EVENT}`]: { body: { event, markets: [] } },
    '/series/KXNBAGAME': { body: { series } },
  };
}

async function readB(answers: Answers, ticker = TICKER): Promise<TermsReading> {
  venue = await ScriptedVenue.saying(answers);
  return new VenueBTermsReader(venue.http('venue_b'), wallTimers).readTerms(ticker);
}

function ratesOf(reading: TermsReading): readonly string[] | string | null {
  if (reading.type !== 'terms') return reading.type;
  const { fees } = reading.terms;
  return fees === null ? null : [formatRate(fees.takerRate), formatRate(fees.makerRate)];
}

describe('venue B', () => {
  it('has the terms of the market and the fees of its series', async () => {
    const reading = await readB(venueB());
    expect(reading).toMatchObject({
      type: 'terms',
      terms: {
        title: 'Boston at Los Angeles',
        status: 'open',
        grid: [{ start: 0, end: 10_000, step: 100 }],
        sizeMin: 10_000,
        closesAt: Date.UTC(2026, 10, 23, 5),
        fees: { exponent: 1, step: 100, rounding: 'UP', waivedUntil: null },
        shard: 3,
        settlementFloor: 0,
        addresses: [TICKER],
      },
    });
    expect(ratesOf(reading)).toEqual(['0.035', '0.00875']);
  });

  it.each([
    ['flat', 0],
    ['cubic', 1],
  ])('has no fees of the type %s, and counts it if it is not in the sheet', async (fee_type, value) => {
    expect(ratesOf(await readB(venueB({ series: { fee_type } })))).toBeNull();
    const row = unknownWords.rows().find(({ values }) => values.join(' ') === `venue_b fee_type ${fee_type}`);
    expect(row?.value ?? 0).toBe(value);
  });

  it.each([
    ['a floor', { settlement_bounds_type: 'floor', settlement_floor_dollars: '0.3000' }, 3_000, 0],
    ['a floor that is missing', { settlement_bounds_type: 'floor' }, null, 0],
    ['no bounds', { settlement_bounds_type: undefined }, null, 0],
    ['bounds of tomorrow', { settlement_bounds_type: 'corridor' }, null, 1],
  ])('states %s, and counts an unknown word', async (_what, market, floor, count) => {
    unknownWords.forget();
    expect(await readB(venueB({ market }))).toMatchObject({ terms: { settlementFloor: floor } });
    expect(unknownWords.rows()).toHaveLength(count);
  });

  it('states no shard that is not a number', async () => {
    expect(await readB(venueB({ market: { exchange_index: 'three' } }))).toMatchObject({ terms: { shard: null } });
  });

  it('charges makers of combos half of what takers pay', async () => {
    const series = { fee_type: 'quadratic_with_combo_maker_fees', fee_multiplier: 1 };
    expect(ratesOf(await readB(venueB({ series })))).toEqual(['0.07', '0.035']);
  });

  it('lets the event override type and multiplier', async () => {
    const event = { fee_type_override: 'quadratic', fee_multiplier_override: 1 };
    expect(ratesOf(await readB(venueB({ event })))).toEqual(['0.07', '0']);
  });

  it('states a waiver', async () => {
    const market = { fee_waiver_expiration_time: '2026-11-22T00:00:00Z' };
    const reading = await readB(venueB({ market }));
    expect(reading).toMatchObject({ terms: { fees: { waivedUntil: Date.UTC(2026, 10, 22) } } });
  });

  it.each([{ fee_type: 'flat' }, { fee_multiplier: 'much' }])('knows no fees of a series with %j', async series => {
    expect(ratesOf(await readB(venueB({ series })))).toBeNull();
  });

  it('reads event and series once for the markets of an event', async () => {
    venue = await ScriptedVenue.saying(venueB());
    const reader = new VenueBTermsReader(venue.http('venue_b'), wallTimers);
    await reader.readTerms(TICKER);
    await reader.readTerms(TICKER);
    const once = [`/markets/${TICKER}`, `/events/${EVENT}`, '/series/KXNBAGAME'];
    expect(venue.requests).toEqual([...once, `/markets/${TICKER}`]);
  });

  it('says that there is no such market, and asks nothing that cannot be a ticker', async () => {
    expect(await readB(venueB(), 'KX-OTHER')).toMatchObject({ type: 'unknown' });
    expect(await readB(venueB(), '../x')).toMatchObject({ type: 'unknown' });
    expect(venue.requests).toEqual([]);
  });

  it.each<[what: string, answers: Answers]>([
    ['a market without a grid', venueB({ market: { price_ranges: [] } })],
    ['a market without an event', venueB({ market: { event_ticker: '' } })],
    ['an event of no series', venueB({ event: { series_ticker: '../x' } })],
    ['a series that is missing', { ...venueB(), '/series/KXNBAGAME': { status: 400, body: {} } }],
    ['a venue that fails', { ...venueB(), [`/events/${EVENT}`]: { status: 500, body: {} } }],
    ['no JSON', { ...venueB(), [`/events/${EVENT}`]: { body: 'no' } }],
  ])('is faulty: %s', async (_what, answers) => {
    expect(await readB(answers)).toMatchObject({ type: 'faulty' });
  });
});

const CONDITION = `0x${'ab'.repeat(32)}`;
const [YES, NO] = ['1111', '2222'];

function venueA(change: { short?: object; full?: object } = {}): Answers {
  const t = [
    { t: YES, o: 'Yes' },
    { t: NO, o: 'No' },
  ];
  const short = { c: CONDITION, t, mts: 0.01, mos: 5, ao: true, fd: { r: 0.05, e: 1, to: true }, ...change.short };
  const tokens = t.map(it => ({ token_id: it.t, outcome: it.o, winner: false }));
  const full = {
    ...{ condition_id: CONDITION, question: 'Will it rain?', end_date_iso: '2026-11-21T06:00:00Z', tokens },
    ...{ active: true, closed: false, accepting_orders: true },
    ...change.full,
  };
  return {
    [`/markets-by-token/${YES}`]: { body: { condition_id: CONDITION } },
    [`/clob-markets/${CONDITION}`]: { body: short },
    [`/markets/${CONDITION}`]: { body: full },
  };
}

async function readA(answers: Answers, tokenId = YES): Promise<TermsReading> {
  venue = await ScriptedVenue.saying(answers);
  return new VenueATermsReader(venue.http('venue_a'), wallTimers).readTerms(tokenId);
}

describe('venue A', () => {
  it('has the terms of both descriptions', async () => {
    const reading = await readA(venueA());
    expect(reading).toMatchObject({
      type: 'terms',
      terms: {
        title: 'Will it rain?',
        status: 'open',
        grid: [{ start: 100, end: 9_900, step: 100 }],
        sizeMin: 5_000_000,
        closesAt: Date.UTC(2026, 10, 21, 6),
        fees: { exponent: 1, step: 10, rounding: 'HALF_UP', waivedUntil: null },
        addresses: [YES, NO],
      },
    });
    expect(ratesOf(reading)).toEqual(['0.05', '0']);
  });

  it('charges makers where the venue does, and nobody where it does not', async () => {
    expect(ratesOf(await readA(venueA({ short: { fd: { r: 0.02, e: 1, to: false } } })))).toEqual(['0.02', '0.02']);
    expect(ratesOf(await readA(venueA({ short: { fd: null } })))).toEqual(['0', '0']);
  });

  it('says that there is no such market', async () => {
    expect(await readA(venueA(), NO)).toMatchObject({ type: 'unknown' });
    expect(await readA(venueA(), 'x')).toMatchObject({ type: 'unknown' });
    expect(venue.requests).toEqual([]);
  });

  it.each<[what: string, answers: Answers]>([
    ['a market without a tick', venueA({ short: { mts: null } })],
    ['a market without tokens', venueA({ full: { tokens: [] } })],
    ['no condition', { ...venueA(), [`/markets-by-token/${YES}`]: { body: {} } }],
    ['a venue that fails', { ...venueA(), [`/clob-markets/${CONDITION}`]: { status: 500, body: {} } }],
  ])('is faulty: %s', async (_what, answers) => {
    expect(await readA(answers)).toMatchObject({ type: 'faulty' });
  });
});
