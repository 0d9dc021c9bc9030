// Listings of venues: markets, events, and single markets of venues that are only read. Each gives a valid result or a reason. Times are valid times,
// lines and prices are those in the text, and orders can name the ids and tickers.

import fc from 'fast-check';
import { expect } from 'vitest';
import { isObject, type JsonObject, parseJson } from '../../src/core/domain/json.ts';
import { TICKS_PER_DOLLAR, TIME_MAX } from '../../src/core/domain/numbers.ts';
import type { VenueEvent, VenueMarket } from '../../src/venues/discovery.ts';
import { readBestPrices } from '../../src/venues/market-read-http.ts';
import { readVenueAEvent } from '../../src/venues/venue-a/discovery.ts';
import { readMarketDocument as readMarketOfA } from '../../src/venues/venue-a/market-document.ts';
import { readMilestone, readVenueBEvent } from '../../src/venues/venue-b/discovery.ts';
import { type MarketFacts, marketFactsIn, marketListIn } from '../../src/venues/venue-b/market-facts.ts';
import { readVenueCEvent, readVenueCMarket } from '../../src/venues/venue-c/discovery.ts';
import { readMarketDocument as readMarketOfD } from '../../src/venues/venue-d/market-read.ts';
import { readMarketDocument as readMarketOfE, unwrap } from '../../src/venues/venue-e/market-document.ts';
import { jsonCorpus } from './corpus.ts';
import { damagedBytes } from './damaged-bytes.ts';
import { damagedJson } from './damaged-json.ts';
import { fuzz } from './fuzz.ts';
import { naiveScaled } from './naive-decimal.ts';
import { textsIn } from './texts-in.ts';

const structure = damagedJson(jsonCorpus('venue-documents'), 4);
const bytes = damagedBytes(
  structure.map(text => Buffer.from(text)),
  ['"status":"active"', '"price":"0.5"'],
  2,
).map(it => it.toString());

fuzz({
  name: 'venue documents',
  inputs: fc.tuple(
    fc.constantFrom(200, 200, 200, 400, 404, 500),
    fc.oneof({ weight: 3, arbitrary: structure }, { weight: 1, arbitrary: bytes }),
  ),
  runs: 400,
  check([status, text]) {
    const body = parseJson(text);
    const facts = marketFactsIn(body);
    for (const it of [facts, ...(marketListIn(body) ?? [])]) if (it !== null) soundFacts(it, body);
    const unwrapped = unwrap({ type: 'json', status, body });
    if (unwrapped.type === 'result') soundSingle(readMarketOfE(unwrapped.result.data ?? unwrapped.result));
    else if (unwrapped.type === 'odd') expect(unwrapped.words.length).toBeLessThan(600);
    for (const read of [readMarketOfA, readMarketOfD, readMarketOfE]) soundSingle(read(body));
    const quote = readBestPrices(body, '11');
    for (const price of quote === null ? [] : [quote.bid, quote.ask]) expect(isPrice(price)).toBe(true);
    if (isObject(body)) listed(body);
  },
});

function listed(body: JsonObject): void {
  const ofA = readVenueAEvent(body);
  if (ofA !== 'malformed') soundEvent(ofA.event);
  const milestone = readMilestone(body);
  if (milestone !== null) expect(isTime(milestone.startsAt)).toBe(true);
  const ofB = readVenueBEvent(body, () => milestone);
  if (ofB !== 'malformed') soundEvent(ofB.event);
  const ofC = readVenueCEvent(body);
  if (ofC === null || ofC === 'malformed') return;
  soundEvent(ofC);
  const market = readVenueCMarket(body, ofC);
  if (market !== null && market !== 'malformed') soundMarket(market);
}

function soundEvent({ eventId, title, startsAt, markets }: VenueEvent): void {
  expect([eventId === '', title === '', isTime(startsAt)]).toEqual([false, false, true]);
  for (const market of markets) soundMarket(market);
}

function soundMarket({ title, outcomes, opensAt, closesAt, occursAt, line }: VenueMarket): void {
  expect([title === '', [opensAt, closesAt, occursAt].every(isTime)]).toEqual([false, true]);
  expect(line === null || /^-?\d+(\.\d+)?$/.test(line)).toBe(true);
  for (const { name, route } of outcomes) {
    expect(name).not.toBe('');
    if (route.venue === 'venue_a') expect(route.tokenId).toMatch(/^\d{1,78}$/);
    if (route.venue === 'venue_b') expect(route.ticker).toMatch(/^[A-Z0-9]+([.-][A-Z0-9]+)*$/);
  }
}

function soundFacts({ ticker, grid, step, closeTime, lastTrade }: MarketFacts, body: unknown): void {
  const texts = textsIn(body);
  expect(texts.has(ticker)).toBe(true);
  expect([isTime(closeTime === 0 ? null : closeTime), Number.isInteger(step) && step > 0]).toEqual([true, true]);
  const stated = new Set([...texts].map(text => naiveScaled(text, 4)));
  for (const band of grid) {
    for (const price of [band.start, band.end, band.step])
      expect([isPrice(price), stated.has(price)]).toEqual([true, true]);
  }
  expect(isPrice(lastTrade)).toBe(true);
}

type Single = ReturnType<typeof readMarketOfA> | ReturnType<typeof readMarketOfD> | ReturnType<typeof readMarketOfE>;

function soundSingle(document: Single): void {
  if (document.type !== 'market') return;
  const { title, expiresAt } = document.market;
  expect([typeof title, isTime(expiresAt)]).toEqual(['string', true]);
}

function isTime(time: number | null): boolean {
  return time === null || (Number.isInteger(time) && time > 0 && time <= TIME_MAX);
}

function isPrice(price: number | null): boolean {
  return price === null || (Number.isInteger(price) && price >= 0 && price <= TICKS_PER_DOLLAR);
}
