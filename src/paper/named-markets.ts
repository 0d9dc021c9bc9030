// The markets that a request to an exchange names. Thread of the paper exchanges.

import { isObject, objectsOf, textOf } from '../core/domain/json.ts';
import type { Venue } from '../core/domain/market.ts';
import { parseJsonBytes } from '../venues/venue-json.ts';

export interface NamedMarkets {
  readonly addresses: readonly string[];
  readonly isOrder: boolean;
}

/** Returns the markets that a request names. Null means that the request names no market that would have to be listed. */
export function namedMarkets(
  venue: Venue,
  route: string,
  body: Uint8Array,
  parameters: readonly string[],
): NamedMarkets | null {
  return venue === 'venue_a' ? namedAtVenueA(route, body, parameters) : namedAtVenueB(route, body, parameters);
}

function namedAtVenueA(route: string, body: Uint8Array, [first = '']: readonly string[]): NamedMarkets | null {
  if (route === 'get /markets-by-token/:token') return { addresses: [first], isOrder: false };
  if (route !== 'post /order' && route !== 'post /orders') return null;
  const value = parseJsonBytes(body);
  const orders = Array.isArray(value) ? objectsOf(value) : isObject(value) ? [value] : [];
  const tokens = orders.map(({ order }) => (isObject(order) ? textOf(order.tokenId) : ''));
  return { addresses: [...new Set(tokens)], isOrder: true };
}

function namedAtVenueB(route: string, body: Uint8Array, [first = '']: readonly string[]): NamedMarkets | null {
  if (route === 'get /markets/:ticker') return { addresses: [first], isOrder: false };
  if (!/^post \/portfolio\/events\/orders(\/batched)?$/.test(route)) return null;
  const value = parseJsonBytes(body);
  const orders = isObject(value) ? [value, ...objectsOf(value.orders)] : [];
  const tickers = orders.map(({ ticker }) => textOf(ticker)).filter(ticker => ticker !== '');
  return { addresses: [...new Set(tickers)], isOrder: true };
}
