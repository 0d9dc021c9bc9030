// Venue B's public list (venue-b.md §4.5): events with their markets, and their games. Every request is signed, as all reads are, so that
// it counts against the account's own budget. Catalog thread.

import { isObject, type JsonObject, objectsOf, stringsOf, textOf } from '../../core/domain/json.ts';
import { TICKER_PATTERN } from '../../core/domain/market.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { fail, ok } from '../../core/domain/result.ts';
import { countUnknown } from '../../core/metrics/unknown-words.ts';
import type { HttpGet } from '../../core/net/http.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type {
  ListedEvent,
  MarketPhase,
  PageAnswer,
  VenueDiscovery,
  VenueEvent,
  VenueMarket,
  VenueOutcome,
  VenueTeam,
} from '../discovery.ts';
import { decimalOf, eventsOf, listOf, nameOf, readEach, sourceOf, timeOf, wordOf } from '../discovery-fields.ts';
import { getListed } from '../venue-json.ts';
import { venueCursorOf } from '../wire-values.ts';
import type { VenueBSign } from './auth.ts';

interface VenueBDiscoveryParts {
  readonly restUrl: string;
  readonly sign: VenueBSign;
  readonly get: HttpGet;
  readonly timers: Timers;
}

export function venueBDiscovery({ restUrl, sign, get, timers }: VenueBDiscoveryParts): VenueDiscovery {
  const page = async (filter: string, cursor: string | null, rows: number): Promise<PageAnswer> => {
    const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const url = `${restUrl}/events?with_nested_markets=true&with_milestones=true&limit=${rows}${filter}${after}`;
    const answer = await getListed(get, url, sign('GET', url, timers.now()));
    if (!answer.ok) return answer;
    if (!isObject(answer.value)) return fail('an answer that is not a JSON object');
    const { events, milestones } = answer.value;
    // Empty, null or missing on the last page.
    const next = venueCursorOf(answer.value.cursor);
    if (!Array.isArray(events)) return fail('no events in the answer');
    if (next === null) return fail('a cursor that cannot be read');
    const milestoneOf = milestonesByEvent(milestones);
    const { read, malformed } = readEach(events, event => readVenueBEvent(event, milestoneOf));
    return ok({ ...eventsOf(read, malformed), next: next || null });
  };
  return {
    venue: 'venue_b',
    rowsMax: limits.catalogVenueBRowsPerPageMax,
    pagePauseMs: limits.catalogPagePauseMs,
    listed: (cursor, rows) => page('&status=open', cursor, rows),
    /** The request has no `status`: a filter would hide ended markets. */
    news: (since, cursor, rows) => page(`&min_updated_ts=${Math.floor(since / 1_000)}`, cursor, rows),
    /** Reads events by their tickers, because `status=open` omits events that are paused as a whole or not open yet (venue-b.md §4.2). */
    async unlisted(eventIds, cursor, rows) {
      const first = Number(cursor ?? 0);
      const asked = eventIds.slice(first, first + Math.min(rows, TICKERS_MAX));
      const answer = await page(`&tickers=${asked.join(',')}`, null, asked.length);
      if (!answer.ok) return answer;
      const next = first + asked.length;
      return ok({ ...answer.value, next: next < eventIds.length ? String(next) : null });
    },
  };
}

/** The number of tickers that always fit into one request, even if all are as long as possible. */
const TICKERS_MAX = Math.floor(limits.venueBTickerListBytes / (limits.venueBTickerBytesMax + 1));

/** Returns the game of each event. An event may be related to several games; a game that names the event as its primary one comes first. */
function milestonesByEvent(milestones: unknown): MilestoneOf {
  const byEvent = new Map<string, Milestone>();
  for (const value of objectsOf(milestones)) {
    const milestone = readMilestone(value);
    if (milestone === null) continue;
    for (const ticker of stringsOf(value.related_event_tickers))
      if (!byEvent.has(ticker)) byEvent.set(ticker, milestone);
    for (const ticker of stringsOf(value.primary_event_tickers)) byEvent.set(ticker, milestone);
  }
  return ticker => byEvent.get(ticker) ?? null;
}

/** The game of an event. */
interface Milestone {
  readonly id: string;
  readonly startsAt: UnixMillis | null;
  readonly teams: readonly VenueTeam[];
}

/** Returns the game by the event's ticker, or null if the event is not about a game. */
type MilestoneOf = (eventTicker: string) => Milestone | null;

export function readVenueBEvent(value: JsonObject, milestoneOf: MilestoneOf): ListedEvent | 'malformed' {
  const [eventId, title] = [tickerOf(value.event_ticker), nameOf(value.title)];
  if (eventId === null || title === null) return 'malformed';
  const [source = null, ...others] = objectsOf(value.settlement_sources).map(({ url }) => sourceOf(url));
  const { read: markets, malformed } = readEach(listOf(value.markets), market =>
    readVenueBMarket(market, title, others.length > 0 ? null : source),
  );
  const about = isObject(value.product_metadata) ? value.product_metadata : {};
  const milestone = milestoneOf(eventId);
  const event: VenueEvent = {
    venue: 'venue_b',
    eventId,
    title,
    subTitle: wordOf(value.sub_title),
    seriesId: wordOf(value.series_ticker),
    competition: wordOf(about.competition),
    scope: wordOf(about.competition_scope),
    startsAt: milestone?.startsAt ?? null,
    gameId: milestone?.id ?? '',
    teams: milestone?.teams ?? [],
    markets,
  };
  return { event, malformed };
}

/** Rules that say who advances. Only these stages count, because the winner of the match for third place does not advance. */
const ADVANCES =
  /^If [^.]{1,80} advances? past [^.]{1,200} in the (?:round of \d+|quarter-?finals?|semi-?finals?|final) of the [^.]+, then/i;

/** Reads a market. `GET /markets/{ticker}` answers with the same object. */
export function readVenueBMarket(
  value: JsonObject,
  eventTitle: string,
  source: string | null = null,
): VenueMarket | 'malformed' {
  const label = wordOf(value.yes_sub_title);
  const [ticker, title] = [tickerOf(value.ticker), titleOf(value.title, label, eventTitle)];
  const phase = phaseOf(value.status);
  if (ticker === null || title === null || phase === null) return 'malformed';
  const opensAt = timeOf(value.open_time);
  return {
    marketId: ticker,
    title,
    outcomes: outcomesOf(ticker, label, wordOf(value.no_sub_title)),
    // Without an opening time, such a market counts as PAUSED. Otherwise the clock opens it, because no message reports the opening.
    phase: value.status === 'initialized' && opensAt === null ? 'PAUSED' : phase,
    opensAt,
    closesAt: timeOf(value.close_time),
    label,
    kind: wordOf(value.strike_type),
    line: decimalOf(value.floor_strike),
    occursAt: timeOf(value.occurrence_datetime) ?? timeOf(value.expected_expiration_time),
    ...(source === null ? {} : { source }),
    ...(ADVANCES.test(textOf(value.rules_primary)) ? { confirmed: 'advances' } : {}),
  };
}

/** Reads a milestone. Returns null if it has no id. Its details have no fixed schema, so only known fields are read. */
export function readMilestone(value: JsonObject): Milestone | null {
  const id = nameOf(value.id);
  if (id === null) return null;
  const details = isObject(value.details) ? value.details : {};
  const teams = [teamOf(details.home_team, 'HOME'), teamOf(details.away_team, 'AWAY')].filter(team => team !== null);
  return { id, startsAt: timeOf(value.start_date), teams };
}

function teamOf(value: unknown, role: 'HOME' | 'AWAY'): VenueTeam | null {
  const team = isObject(value) ? value : { name: value };
  const name = nameOf(team.name);
  return name === null ? null : { name, abbreviation: wordOf(team.abbreviation), alias: '', role };
}

/**
 * Returns the title of a market. The venue plans to drop this field (the official client, 3.30.0). The event's title and the label still
 * distinguish the market from the others of its event.
 */
function titleOf(title: unknown, label: string, eventTitle: string): string | null {
  const isSaid = textOf(title).trim() !== '';
  return nameOf(isSaid ? title : label === '' ? eventTitle : `${eventTitle}: ${label}`);
}

function tickerOf(value: unknown): string | null {
  const isTicker =
    typeof value === 'string' && value.length <= limits.venueBTickerBytesMax && TICKER_PATTERN.test(value);
  return isTicker ? value : null;
}

/** Returns both outcomes. The venue gives both sides the same name in most markets, so NO then gets a name made from that of YES. */
function outcomesOf(ticker: string, yes: string, no: string): readonly VenueOutcome[] {
  const yesName = yes === '' ? 'YES' : yes;
  const noName = no !== '' && no !== yes ? no : yes === '' ? 'NO' : `Not ${yes}`;
  return [
    { name: yesName, route: { venue: 'venue_b', ticker, side: 'YES' } },
    { name: noName, route: { venue: 'venue_b', ticker, side: 'NO' } },
  ];
}

/** Returns the phase. An unknown status counts as PAUSED, because a market that is called executable must be so. */
function phaseOf(status: unknown): MarketPhase | null {
  switch (status) {
    case 'initialized':
    case 'active':
      return 'OPEN';
    case 'closed':
    case 'determined':
    case 'disputed':
    case 'amended':
    case 'finalized':
    case 'settled':
      return 'OVER';
    case 'inactive':
      return 'PAUSED';
    default:
      countUnknown('venue_b', 'market_status', status);
      return typeof status === 'string' ? 'PAUSED' : null;
  }
}
