// Milestones: the games of events. Shapes of the official client 3.30.0. Thread of the paper exchanges.

import { createHash } from 'node:crypto';
import { isoMillisOf } from '../../../domain/iso-time.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { UnixMillis } from '../../../domain/numbers.ts';
import { jsonReply, type Reply } from '../../../net/listen.ts';
import type { Game, VenueBEventListing } from '../../catalog/listings.ts';
import type { VenueBExchange } from '../exchange.ts';
import { seconds, timeText } from '../wire-text.ts';
import { errorReply, NOT_FOUND } from './errors.ts';
import { QueryReader } from './market-query.ts';
import { pageOf } from './parameters.ts';
import type { VenueBRoute } from './route.ts';

const MILESTONES_PER_PAGE = 100;
const MILESTONES_PER_PAGE_MAX = 500;
/** Sports whose games have this name. */
const MATCHES: ReadonlySet<string> = new Set(['hockey', 'soccer', 'tennis']);

export function milestoneRoutes({ events }: VenueBExchange): VenueBRoute[] {
  return [
    { method: 'get', path: '/milestones', access: 'public', handle: ({ query }) => milestonePage(events, query) },
    {
      method: 'get',
      path: '/milestones/:milestone',
      access: 'public',
      handle: ({ parameters: [id] }) => {
        const game = gamesOf(events).find(candidate => milestoneId(candidate) === id);
        return game === undefined ? errorReply(NOT_FOUND) : jsonReply(200, { milestone: milestoneOf(game, events) });
      },
    },
  ];
}

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

function milestonePage(events: readonly VenueBEventListing[], parameters: URLSearchParams): Reply {
  const query = new QueryReader('GetMilestones', parameters);
  const limit = query.limit(MILESTONES_PER_PAGE, MILESTONES_PER_PAGE_MAX);
  const [category, type] = [query.text('category'), query.text('type')];
  const [competition, related] = [query.text('competition'), query.text('related_event_ticker')];
  const startText = query.text('minimum_start_date');
  const startsFrom = startText === null ? 0 : (isoMillisOf(startText) ?? Number.NaN);
  if (Number.isNaN(startsFrom)) query.reject('minimum_start_date is not an RFC3339 time');
  const updatedAfter = query.time('min_updated_ts') ?? 0;
  if (query.refusal !== null) return query.refusal;
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
  const { items, cursor } = pageOf(games, { limit, cursor: query.text('cursor'), idOf: milestoneId, admits });
  return jsonReply(200, { cursor, milestones: items.map(game => milestoneOf(game, events)) });
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
