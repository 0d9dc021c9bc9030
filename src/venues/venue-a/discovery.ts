// Reads Gamma, venue A's public catalog (venue-a.md §7): all open events with their markets by cursor, and in between the newest events.
// Catalog thread.

import { isObject, type JsonObject, objectsOf, textOf } from '../../core/domain/json.ts';
import { isTokenId } from '../../core/domain/market.ts';
import { fail, ok } from '../../core/domain/result.ts';
import { countUnknown } from '../../core/metrics/unknown-words.ts';
import type { HttpGet } from '../../core/net/http.ts';
import { limits } from '../../limits.ts';
import {
  type ListedEvent,
  type MarketPhase,
  NO_EVENTS,
  type PageAnswer,
  type UntradedMarket,
  type VenueDiscovery,
  type VenueEvent,
  type VenueMarket,
  type VenueOutcome,
  type VenueTeam,
} from '../discovery.ts';
import { decimalOf, eventsOf, listOf, nameOf, readEach, sourceOf, timeOf, wordOf } from '../discovery-fields.ts';
import { getListed } from '../venue-json.ts';
import { venueCursorOf } from '../wire-values.ts';
import { type Protocol, protocolOf } from './position-ids.ts';

interface VenueADiscoveryParts {
  readonly gammaUrl: string;
  readonly get: HttpGet;
}

export function venueADiscovery({ gammaUrl, get }: VenueADiscoveryParts): VenueDiscovery {
  /** The greatest event id that was read, and the greatest up to which all news were read. Event ids are numbers that grow. */
  let newestId = 0;
  let newsAfterId = 0;
  /** Whether the last reading of news has come to its end. */
  let areNewsWhole = true;
  const page = async (query: string, cursor: string | null, rows: number): Promise<PageAnswer> => {
    const after = cursor === null ? '' : `&after_cursor=${encodeURIComponent(cursor)}`;
    const answer = await getListed(get, `${gammaUrl}/events/keyset?closed=false${query}&limit=${rows}${after}`);
    if (!answer.ok) return answer;
    const { events, next_cursor } = isObject(answer.value) ? answer.value : {};
    if (!Array.isArray(events)) return fail('no events in the answer');
    const next = venueCursorOf(next_cursor);
    if (next === null) return fail('a cursor that cannot be read');
    const { read, malformed } = readEach(events, readVenueAEvent);
    for (const { event } of read) newestId = Math.max(newestId, Number(event.eventId));
    return ok({ ...eventsOf(read, malformed), next: next || null });
  };
  return {
    venue: 'venue_a',
    rowsMax: limits.catalogVenueARowsPerPageMax,
    pagePauseMs: limits.catalogPagePauseMs,
    listed: (cursor, rows) => page('', cursor, rows),
    /** Returns new events, newest first, until a known event appears. Gamma does not list changes. */
    async news(_since, cursor, rows) {
      if (cursor === null && areNewsWhole) newsAfterId = newestId;
      areNewsWhole = false;
      const answer = await page('&order=id&ascending=false', cursor, rows);
      if (!answer.ok) return answer;
      const isKnown = answer.value.events.some(({ eventId }) => Number(eventId) <= newsAfterId);
      areNewsWhole = isKnown || answer.value.next === null;
      return isKnown ? ok({ ...answer.value, next: null }) : answer;
    },
    /** Returns no events, because Gamma's list omits only events that are closed, and closed events are over. */
    unlisted: async () => ok(NO_EVENTS),
  };
}

const EVENT_ID = /^\d{1,15}$/;
const CONDITION_ID = /^0x[0-9a-fA-F]{62,64}$/;
/** Rules that say who advances. They do not name the stage, so the match for third place may have the same words. */
const ADVANCES = /\bis the team that officially advances from this match to the next round\b/i;

export function readVenueAEvent(value: JsonObject): ListedEvent | 'malformed' {
  const [eventId, title] = [wordOf(value.id), nameOf(value.title)];
  if (!EVENT_ID.test(eventId) || title === null) return 'malformed';
  const untraded: UntradedMarket[] = [];
  const { read: markets, malformed } = readEach(listOf(value.markets), market => {
    const reading = readVenueAMarket(market, value.resolutionSource);
    if (reading === 'malformed') untraded.push(...untradedOf(market));
    return reading;
  });
  const series = objectsOf(value.series)[0];
  const sport = isObject(value.sport) ? value.sport : {};
  const event: VenueEvent = {
    venue: 'venue_a',
    eventId,
    title,
    subTitle: wordOf(value.slug),
    seriesId: wordOf(series?.id),
    competition: wordOf(sport.sport) || wordOf(value.seriesSlug) || wordOf(series?.slug),
    scope: '',
    startsAt: timeOf(value.startTime),
    gameId: wordOf(value.gameId),
    teams: objectsOf(value.teams)
      .map(teamOf)
      .filter(team => team !== null),
    markets,
    ...(untraded.length === 0 ? {} : { untraded }),
  };
  return { event, malformed };
}

/** Reads a market. `GET /markets/{id}` answers with the same object. Returns null if our orders cannot trade the market, or not yet. */
export function readVenueAMarket(value: JsonObject, sourceOfEvent?: unknown): VenueMarket | null | 'malformed' {
  const [marketId, title] = [nameOf(value.conditionId), nameOf(value.question)];
  if (marketId === null || title === null || !CONDITION_ID.test(marketId)) return 'malformed';
  const [names, tokens] = [listOf(value.outcomes).map(nameOf), tokensOf(value)];
  if (tokens === null) return 'malformed';
  // Gamma lists a market some minutes before the exchange knows its tokens.
  if (tokens.length === 0 || value.enableOrderBook === false) return null;
  const outcomes = outcomesOf(names, tokens);
  if (outcomes === null) return 'malformed';
  const source = sourceOf(value.resolutionSource || sourceOfEvent);
  return {
    marketId,
    title,
    outcomes,
    phase: phaseOf(value),
    opensAt: null,
    // The end date is only the expected resolution: the venue trades until the actual resolution.
    closesAt: null,
    label: wordOf(value.groupItemTitle),
    kind: wordOf(value.sportsMarketType),
    line: decimalOf(value.line),
    occursAt: timeOf(value.gameStartTime) ?? timeOf(value.endDate),
    ...(source === null ? {} : { source }),
    ...(ADVANCES.test(textOf(value.description)) ? { confirmed: 'advances' } : {}),
  };
}

/**
 * Returns the tokens that trade. The market's `version` alone decides: a market of either protocol may have the ids of both (venue-a.md
 * §0.1). Returns null for an unknown version, or for ids of another protocol than the version's.
 */
function tokensOf({ version, clobTokenIds, positionIds }: JsonObject): readonly unknown[] | null {
  const protocol = PROTOCOLS.get(version);
  if (protocol === undefined) {
    countUnknown('venue_a', 'market_version', version);
    return null;
  }
  const ids = listOf(protocol === 'V1' ? clobTokenIds : positionIds);
  const isOfIt = (id: unknown) => typeof id === 'string' && isTokenId(id) && protocolOf(id) === protocol;
  return ids.every(isOfIt) ? ids : null;
}

/** The protocols by Gamma's `version`. */
const PROTOCOLS: ReadonlyMap<unknown, Protocol> = new Map([
  ['v1', 'V1'],
  ['v2', 'V2'],
]);

/** Returns the market as untraded if only its version or its ids keep it out of the catalog; otherwise returns an empty list. */
function untradedOf(market: JsonObject): readonly UntradedMarket[] {
  const [marketId, title] = [nameOf(market.conditionId), nameOf(market.question)];
  if (marketId === null || title === null || phaseOf(market) === 'OVER') return [];
  const version = wordOf(market.version);
  if (version === '') return [{ marketId, title, why: 'it states no version' }];
  if (!PROTOCOLS.has(version)) return [{ marketId, title, why: `its version ${version} is not known` }];
  return tokensOf(market) === null ? [{ marketId, title, why: `its ids are not of version ${version}` }] : [];
}

/** Returns the outcomes, or null unless there are two, each with its own name and token. */
function outcomesOf(names: readonly (string | null)[], tokens: readonly unknown[]): readonly VenueOutcome[] | null {
  const [first, second] = tokens;
  const [firstName, secondName] = names;
  if (tokens.length !== 2 || names.length !== 2 || !firstName || !secondName || first === second) return null;
  if (typeof first !== 'string' || typeof second !== 'string' || !isTokenId(first) || !isTokenId(second)) return null;
  return [
    { name: firstName, route: { venue: 'venue_a', tokenId: first } },
    { name: secondName, route: { venue: 'venue_a', tokenId: second } },
  ];
}

function phaseOf({ closed, archived, active, acceptingOrders }: JsonObject): MarketPhase {
  if (closed === true || archived === true) return 'OVER';
  return active === true && acceptingOrders === true ? 'OPEN' : 'PAUSED';
}

function teamOf(value: JsonObject): VenueTeam | null {
  const name = nameOf(value.name);
  if (name === null) return null;
  const role = value.ordering === 'home' ? 'HOME' : value.ordering === 'away' ? 'AWAY' : null;
  if (role === null) countUnknown('venue_a', 'team_ordering', value.ordering);
  return { name, abbreviation: wordOf(value.abbreviation), alias: wordOf(value.alias), role };
}
