// Parts that several messages of the JSON form share, as a client reads them: markets, levels, times, takers. Main thread, and clients.

import { isoMillisOf } from '../domain/iso-time.ts';
import {
  type Level,
  type MarketKey,
  marketKey,
  TAKER_BUY,
  TAKER_SELL,
  TAKER_UNKNOWN,
  type TakerSide,
  VENUES,
} from '../domain/market.ts';
import { type MicroShares, parseMicroShares, parseTicks, type Ticks, type UnixMillis } from '../domain/numbers.ts';
import { FieldError, type Fields, readArray, readObject, readOneOf, readString } from './fields.ts';
import { REJECTION_CODES, type Rejection } from './messages.ts';

export function readTimes(fields: Fields): { readonly venueTime: UnixMillis; readonly receivedAt: UnixMillis } {
  return {
    venueTime: fields.venueTime === null ? (0 as UnixMillis) : readTime(fields.venueTime, 'venueTime'),
    receivedAt: readTime(fields.receivedAt, 'receivedAt'),
  };
}

function readTime(value: unknown, path: string): UnixMillis {
  const time = isoMillisOf(readString(value, path));
  if (time === null || time < 0) throw new FieldError(path, 'must be an ISO-8601 time');
  return time as UnixMillis;
}

export function readMarket(value: unknown): MarketKey {
  const fields = readObject(value, 'market');
  const venue = readOneOf(fields.venue, 'market.venue', VENUES);
  const address = venue === 'venue_a' ? fields.tokenId : fields.ticker;
  return marketKey(venue, readString(address, venue === 'venue_a' ? 'market.tokenId' : 'market.ticker'));
}

export function readRejection(value: unknown): Rejection {
  const fields = readObject(value, 'rejected');
  return {
    market: readMarket(fields.market),
    code: readOneOf(fields.code, 'rejected.code', REJECTION_CODES),
    message: readString(fields.message, 'rejected.message'),
  };
}

export function readLevel(value: unknown): Level {
  const [price, size] = readArray(value, 'level');
  return { price: readPrice(price), size: readSize(size) };
}

export function readPrice(value: unknown): Ticks {
  const price = parseTicks(readString(value, 'price'));
  if (price === null) throw new FieldError('price', 'must be a decimal from 0 to 1 with at most 4 decimals');
  return price;
}

export function readSize(value: unknown): MicroShares {
  const size = parseMicroShares(readString(value, 'size'));
  if (size === null) throw new FieldError('size', 'must be a decimal with at most 6 decimals');
  return size;
}

export function readTaker(value: unknown): TakerSide {
  if (value === null) return TAKER_UNKNOWN;
  return readOneOf(value, 'takerSide', ['BUY', 'SELL']) === 'BUY' ? TAKER_BUY : TAKER_SELL;
}
