// Requests about whole markets: open interest and the volume of an event (the venue's Data API, `/oi` and
// `/live-volume`). Thread of the paper exchanges.

import type { MicroShares } from '../../../domain/numbers.ts';
import { jsonReply, type Reply } from '../../../net/listen.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { Query } from '../gamma/query.ts';
import type { VenueAMarket } from '../market.ts';
import { exactNumber } from './json-number.ts';

/** The venue's name for all markets together. */
const ALL_MARKETS = 'GLOBAL';

/** A row for each requested market that is listed; without a request one row for all of them. */
export function openInterestReply(exchange: VenueAExchange, query: Query): Reply {
  const asked = query.list('market');
  if (asked === null) {
    const all = sumOf(exchange.markets.values(), ({ openInterest }) => openInterest);
    return jsonReply(200, [{ market: ALL_MARKETS, value: exactNumber(all) }]);
  }
  const markets = [...asked].flatMap(id => exchange.markets.get(id.toLowerCase()) ?? []);
  return jsonReply(
    200,
    markets.map(({ conditionId, openInterest }) => ({ market: conditionId, value: exactNumber(openInterest) })),
  );
}

/** `eventId`: digits. An unlisted event has no volume. */
export function liveVolumeReply(exchange: VenueAExchange, eventId: string): Reply {
  const markets = [...exchange.markets.values()].filter(({ event }) => event.id === eventId);
  const total = sumOf(markets, ({ volume }) => volume);
  const rows = markets.map(({ conditionId, volume }) => ({ market: conditionId, value: exactNumber(volume) }));
  return jsonReply(200, [{ total: exactNumber(total), markets: rows }]);
}

function sumOf(markets: Iterable<VenueAMarket>, amount: (market: VenueAMarket) => MicroShares): MicroShares {
  let sum = 0;
  for (const market of markets) sum += amount(market);
  return sum as MicroShares;
}
