// Milestones (the games of events), structured targets (the teams that custom strikes name by UUID), and the choices on venue B's own
// pages. The choices are sports with their competitions and scopes, and categories with their tags. Shapes of the official client 3.30.0.
// Thread of the paper exchanges.

import { createHash } from 'node:crypto';
import { isoMillisOf } from '../../../domain/iso-time.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { UnixMillis } from '../../../domain/numbers.ts';
import { jsonReply, type Reply } from '../../../net/listen.ts';
import type { Game, VenueBEventListing } from '../../catalog/listings.ts';
import type { VenueBExchange } from '../exchange.ts';
import { seconds, timeText } from '../wire-text.ts';
import { errorReply, NOT_FOUND } from './errors.ts';
import { type Call, publicGet, type VenueBParts, type VenueBRoute } from './route.ts';

const ITEMS_PER_PAGE = 100;
const MILESTONES_PER_PAGE_MAX = 500;
const TARGETS_PER_PAGE_MAX = 2_000;
/** Sports whose games have this name. */
const MATCHES: ReadonlySet<string> = new Set(['hockey', 'soccer', 'tennis']);

export const searchRoutes: readonly VenueBRoute[] = [
  publicGet('/milestones', milestonePage, 'GetMilestones'),
  publicGet('/milestones/:milestone', ({ parameters: [id] }, { exchange: { events } }) => {
    const game = gamesOf(events).find(candidate => milestoneId(candidate) === id);
    return game === undefined ? errorReply(NOT_FOUND) : jsonReply(200, { milestone: milestoneOf(game, events) });
  }),
  publicGet('/structured_targets', targetPage, 'GetStructuredTargets'),
  publicGet('/structured_targets/:target', ({ parameters: [id = ''] }, { exchange }) => {
    const target = targetsOf(exchange).get(id);
    return target === undefined ? errorReply(NOT_FOUND) : jsonReply(200, { structured_target: target.shown });
  }),
  publicGet('/search/filters_by_sport', (_call, { exchange }) => jsonReply(200, filtersBySport(exchange))),
  publicGet('/search/tags_by_categories', (_call, { exchange }) =>
    jsonReply(200, { tags_by_categories: tagsByCategories(exchange) }),
  ),
];

export function milestoneOf(game: Game, allEvents: readonly VenueBEventListing[]): JsonObject {
  const events = allEvents.filter(event => event.game.id === game.id);
  const tickers = events.map(({ eventTicker }) => eventTicker);
  return {
    category: categoryOf(events),
    details: {
      away_team: { abbreviation: game.away.code, name: game.away.place },
      home_team: { abbreviation: game.home.code, name: game.home.place },
      league: game.league,
    },
    end_date: timeText((game.startsAt + game.lengthMs) as UnixMillis),
    id: milestoneId(game),
    last_updated_ts: timeText(createdAtOf(events)),
    notification_message: '',
    primary_event_tickers: tickers.slice(0, 1),
    related_event_tickers: tickers,
    source_ids: {},
    start_date: timeText(game.startsAt),
    title: `${game.away.place} at ${game.home.place}`,
    type: typeOf(events),
  };
}

function milestonePage({ query }: Call, { exchange: { events } }: VenueBParts): Reply {
  const limit = query.limit(ITEMS_PER_PAGE, MILESTONES_PER_PAGE_MAX);
  const [category, type] = [query.text('category'), query.text('type')];
  const [competition, related] = [query.text('competition'), query.text('related_event_ticker')];
  const startText = query.text('minimum_start_date');
  const startsFrom = startText === null ? 0 : (isoMillisOf(startText) ?? Number.NaN);
  if (Number.isNaN(startsFrom)) query.reject('minimum_start_date is not an RFC3339 time');
  const updatedAfter = query.time('min_updated_ts') ?? 0;
  // There are no external sources here.
  const games = query.text('source_id') === null ? gamesOf(events) : [];
  const admits = (game: Game): boolean => {
    const own = events.filter(event => event.game.id === game.id);
    return (
      game.startsAt >= startsFrom &&
      seconds(createdAtOf(own)) > updatedAfter &&
      (category === null || categoryOf(own) === category) &&
      (type === null || typeOf(own) === type) &&
      (competition === null || own.some(event => event.competition === competition)) &&
      (related === null || own.some(event => event.eventTicker === related))
    );
  };
  const list = { limit, idOf: milestoneId, admits };
  return query.reply('milestones', games, list, game => milestoneOf(game, events));
}

function gamesOf(events: readonly VenueBEventListing[]): readonly Game[] {
  return [...new Map(events.map(({ game }) => [game.id, game])).values()];
}

/** The game's id as a UUID (RFC 9562, version 8: custom). */
function milestoneId({ id }: Game): string {
  const hex = createHash('sha256').update(id).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

function categoryOf(events: readonly VenueBEventListing[]): string {
  return events[0]?.series.category ?? '';
}

/** `basketball_game`. */
function typeOf(events: readonly VenueBEventListing[]): string {
  const sport = (events[0]?.series.tags[0] ?? '').toLowerCase();
  return `${sport}_${MATCHES.has(sport) ? 'match' : 'game'}`;
}

function createdAtOf(events: readonly VenueBEventListing[]): UnixMillis {
  return Math.min(...events.flatMap(({ markets }) => markets.map(({ createdAt }) => createdAt))) as UnixMillis;
}

interface Target {
  readonly id: string;
  readonly type: string;
  readonly competition: string;
  readonly shown: JsonObject;
}

function targetPage({ query }: Call, { exchange }: VenueBParts): Reply {
  const limit = query.limit(ITEMS_PER_PAGE, TARGETS_PER_PAGE_MAX, 'page_size');
  const [type, competition, ids] = [query.text('type'), query.text('competition'), query.all('ids')];
  const admits = (target: Target): boolean =>
    (ids.size === 0 || ids.has(target.id)) &&
    (type === null || target.type === type) &&
    (competition === null || target.competition === competition);
  const list = { limit, idOf: ({ id }: Target) => id, admits };
  return query.reply('structured_targets', targetsOf(exchange).values(), list, ({ shown }) => shown);
}

function targetsOf({ markets }: VenueBExchange): ReadonlyMap<string, Target> {
  const targets = new Map<string, Target>();
  for (const { listing, event } of markets.values()) {
    for (const [type, id] of Object.entries(listing.strike.custom ?? {})) {
      const shown = {
        details: { league: event.competition },
        id,
        last_updated_ts: timeText(listing.createdAt),
        name: listing.yesSubTitle,
        source_ids: {},
        type,
      };
      if (!targets.has(id)) targets.set(id, { id, type, competition: event.competition, shown });
    }
  }
  return targets;
}

/** A sport is the first tag of a series. */
function filtersBySport({ events }: VenueBExchange): JsonObject {
  const sports = new Map<string, Map<string, Set<string>>>();
  for (const { series, competition, scope } of events) {
    const competitions = within(sports, series.tags[0] ?? series.category, () => new Map<string, Set<string>>());
    within(competitions, competition, () => new Set<string>()).add(scope);
  }
  const filters = [...sports].map(([sport, competitions]) => [
    sport,
    {
      competitions: Object.fromEntries([...competitions].map(([name, scopes]) => [name, { scopes: [...scopes] }])),
      scopes: [...new Set([...competitions.values()].flatMap(scopes => [...scopes]))],
    },
  ]);
  return { filters_by_sports: Object.fromEntries(filters), sport_ordering: [...sports.keys()] };
}

function tagsByCategories({ series }: VenueBExchange): JsonObject {
  const categories = new Map<string, Set<string>>();
  for (const { category, tags } of series) {
    const known = within(categories, category, () => new Set<string>());
    for (const tag of tags) known.add(tag);
  }
  return Object.fromEntries([...categories].map(([category, tags]) => [category, [...tags]]));
}

function within<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
