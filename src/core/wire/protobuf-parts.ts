// Parts that several messages of the binary form share: markets, levels, times, states. Main thread, and clients.

import { BOOK_STATES, type BookState, type Level, type MarketKey, marketKey, VENUES } from '../domain/market.ts';
import { type MicroShares, TICKS_PER_DOLLAR, type Ticks, type UnixMillis } from '../domain/numbers.ts';
import { FieldError, readOneOf, readUint64 } from './fields.ts';
import type { Delta } from './messages.ts';
import type { WireDelta, WireLevel, WireMarket, Written } from './protobuf-types.generated.ts';

export function renderTimes({
  venueTime,
  receivedAt,
}: Pick<Delta, 'venueTime' | 'receivedAt'>): Written<Pick<WireDelta, 'venueTimeMs' | 'receivedAtMs'>> {
  return { venueTimeMs: venueTime, receivedAtMs: receivedAt };
}

export function renderLevel({ price, size }: Level): Written<WireLevel> {
  return { priceTicks: price, sizeMicros: size };
}

export function renderMarket(market: MarketKey): Written<WireMarket> {
  return { ...market, venue: VENUES.indexOf(market.venue) + 1 };
}

export function readTimes(wire: Pick<WireDelta, 'venueTimeMs' | 'receivedAtMs'>): {
  readonly venueTime: UnixMillis;
  readonly receivedAt: UnixMillis;
} {
  const venueTime = readUint64(wire.venueTimeMs) as UnixMillis;
  return { venueTime, receivedAt: readUint64(wire.receivedAtMs) as UnixMillis };
}

export function readLevel(wire: WireLevel): Level {
  if (wire.priceTicks > TICKS_PER_DOLLAR) throw new FieldError('price_ticks', `must be at most ${TICKS_PER_DOLLAR}`);
  return { price: wire.priceTicks as Ticks, size: readUint64(wire.sizeMicros) as MicroShares };
}

export function readState(code: number): BookState {
  return readOneOf(BOOK_STATES[code - 1], 'state', BOOK_STATES);
}

export function readMarket(wire: WireMarket | null): MarketKey {
  const venue = readOneOf(wire === null ? undefined : VENUES[wire.venue - 1], 'market.venue', VENUES);
  const address = venue === 'venue_a' ? wire?.tokenId : wire?.ticker;
  if (address === undefined || address === null) throw new FieldError('market.address', 'must be that of its venue');
  return marketKey(venue, address);
}
