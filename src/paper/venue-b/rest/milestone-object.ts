// A milestone of venue B: the game of some events, as a list of events has it beside them (venue-b.md §4.5). Its teams and its start are what
// a catalog matches games by. Thread of the paper exchanges.

import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../core/domain/json.ts';
import type { UnixMillis } from '../../../core/domain/numbers.ts';
import type { Game, VenueBEventListing } from '../../catalog/listings.ts';
import { timeText } from '../wire-text.ts';

/** Sports whose games have this name. */
const MATCHES: ReadonlySet<string> = new Set(['hockey', 'soccer', 'tennis']);

export function milestoneObject(game: Game, allEvents: readonly VenueBEventListing[]): JsonObject {
  const events = allEvents.filter(event => event.game.id === game.id);
  const tickers = events.map(({ eventTicker }) => eventTicker);
  const createdAt = Math.min(...events.flatMap(({ markets }) => markets.map(market => market.createdAt)));
  const sport = (events[0]?.series.tags[0] ?? '').toLowerCase();
  return {
    category: events[0]?.series.category ?? '',
    details: {
      away_team: { abbreviation: game.away.code, name: game.away.place },
      home_team: { abbreviation: game.home.code, name: game.home.place },
      league: game.league,
    },
    end_date: timeText((game.startsAt + game.lengthMs) as UnixMillis),
    id: milestoneId(game),
    last_updated_ts: timeText(createdAt as UnixMillis),
    notification_message: '',
    primary_event_tickers: tickers.slice(0, 1),
    related_event_tickers: tickers,
    source_ids: {},
    start_date: timeText(game.startsAt),
    title: `${game.away.place} at ${game.home.place}`,
    type: `${sport}_${MATCHES.has(sport) ? 'match' : 'game'}`,
  };
}

/** The game's id as a UUID (RFC 9562, version 8: custom). */
function milestoneId({ id }: Game): string {
  const hex = createHash('sha256').update(id).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
}
