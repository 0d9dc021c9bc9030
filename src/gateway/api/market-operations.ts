// Operations by which callers discover markets (contract §6). The sports and competitions of this version are in the code. The check pool
// answers lists of the catalog from shared memory, so that the lists block neither this thread nor the catalog thread. Main thread.

import type { CatalogLink } from '../../catalog/catalog-link.ts';
import { COMPETITIONS, SPORTS } from '../../catalog/leagues/competitions.ts';
import type { KeyEntry } from '../../core/auth/keyring.ts';
import type { SigningKey } from '../../core/domain/identity.ts';
import { isTokenId, marketKey, TICKER_PATTERN, VENUES, type Venue } from '../../core/domain/market.ts';
import type { CatalogQuery, OrderOperation } from '../../core/domain/operation.ts';
import { fail, ok } from '../../core/domain/result.ts';
import { jsonReply } from '../../core/net/listen.ts';
import { limits } from '../../limits.ts';
import type { BestOfEvent } from '../outcomes/outcome-hub.ts';
import type { ReadVenueMarket } from '../venue-markets.ts';
import { refusal, signedRefusal } from './api-refusals.ts';
import type { Call, Handler, OrderHandler } from './operation.ts';
import { venueMarketView } from './venue-market-view.ts';

interface MarketHandlerParts {
  readonly catalog: Pick<CatalogLink, 'known'>;
  /** Whether orders can be placed at the venue now. */
  readonly isTradable: (podId: string, venue: Venue) => boolean;
}

export function marketHandlers({ catalog, isTradable }: MarketHandlerParts): Readonly<Record<string, OrderHandler>> {
  const handler =
    (operationOf: (call: Call<KeyEntry>, query: CatalogQuery) => OrderOperation): OrderHandler =>
    call => {
      const { key } = call;
      const known = catalog.known;
      if (!known.ok) return fail(refusal('unavailable', known.error));
      const tradable = VENUES.filter(venue => isTradable(key.podId, venue));
      return ok(operationOf(call, { caller: key.caller, catalog: known.value, tradable }));
    };
  const page = ({ query, request }: Call<KeyEntry>) => ({ path: request.path, query });
  return {
    listMarkets: handler((call, query) => ({ name: 'markets', ...query, ...page(call) })),
    listEvents: handler((call, query) => ({ name: 'events', ...query, ...page(call) })),
    listEventMarkets: handler((call, query) => ({
      name: 'event-markets',
      ...query,
      eventId: call.parameters[0] ?? '',
    })),
  };
}

/** GET /v1/venue-x/markets/{address}: the market's trading terms and the best levels of its book. */
export function venueMarket(venue: Venue, read: ReadVenueMarket): Handler<SigningKey> {
  return async ({ parameters: [address = ''] }) => {
    const problem = venue === 'venue_a' ? tokenIdProblem(address) : tickerProblem(address);
    if (problem !== null) return signedRefusal(refusal('invalid', problem));
    const market = marketKey(venue, address);
    const answer = await read(market);
    if (!answer.ok) return signedRefusal(answer.error);
    return jsonReply(200, venueMarketView(market, answer.value.terms, answer.value.book));
  };
}

export function eventBest(bestOf: BestOfEvent): Handler<SigningKey> {
  return async ({ parameters: [eventId = ''] }) => {
    const answer = await bestOf(eventId);
    return answer.ok ? jsonReply(200, { markets: answer.value }) : signedRefusal(answer.error);
  };
}

function tokenIdProblem(text: string): string | null {
  return isTokenId(text) ? null : 'tokenId: must be a uint256 in decimal';
}

function tickerProblem(text: string): string | null {
  const lengthMax = limits.marketAddressCharactersMax;
  if (text.length > lengthMax) return `ticker: must be at most ${lengthMax} characters (marketAddressCharactersMax)`;
  return TICKER_PATTERN.test(text)
    ? null
    : 'ticker: must be upper-case letters and digits in segments joined by - or .';
}

export const listSports: Handler<SigningKey> = () => jsonReply(200, { sports: SPORTS });

export const listCompetitions: Handler<SigningKey> = ({ query }) => {
  const sport = query.get('sport');
  if (sport !== undefined && !SPORTS.some(({ id }) => id === sport)) {
    return signedRefusal(refusal('invalid', 'sport: no such sport'));
  }
  const wanted = COMPETITIONS.filter(it => sport === undefined || it.sport.id === sport);
  return jsonReply(200, { competitions: wanted.map(it => ({ id: it.id, name: it.name, sport: it.sport.id })) });
};
