// Parses a client's message (contract §8) from an untrusted value into a ClientMessage. Both codecs decode into the same plain value, so
// they accept and refuse the same messages, with the same texts. Main thread.

import { limits } from '../../limits.ts';
import type { MarketKey } from '../domain/market.ts';
import { type MicroShares, parseMicroShares } from '../domain/numbers.ts';
import { fail, ok, type Result, unreachable } from '../domain/result.ts';
import {
  FieldError,
  type Fields,
  fieldPath,
  readArray,
  readBoolean,
  readCount,
  readName,
  readObject,
  readOneOf,
  readString,
  readVenue,
  refuseUnknown,
} from './fields.ts';
import {
  BOOK_DEPTH_MAX,
  CHANNELS,
  type Channel,
  type ChannelOptions,
  type ClientMessage,
  type MarketRequest,
  type MessageRefusal,
  ORDERS,
  type OrdersMessage,
  OUTCOME,
  type OutcomesMessage,
  QUOTE_INTERVAL_MS_MAX,
} from './messages.ts';

const OPS = ['subscribe', 'unsubscribe', 'snapshot', 'ping'] as const;
const SUBSCRIPTION_OPS = ['subscribe', 'unsubscribe'] as const;

/**
 * Calls `read` for the plain value `{op, id, …}` of the JSON form, and parses this value. Never throws: every fault becomes a refusal that
 * names the field and the rule, with the message's id if the id could be read.
 */
export function parseClientMessage(read: () => unknown): Result<ClientMessage, MessageRefusal> {
  let id: string | null = null;
  try {
    const fields = readObject(read(), 'message');
    if (isAboutOrders(fields)) {
      id = fields.id === undefined ? null : readId(fields);
      return ok(parseOrders(fields, id));
    }
    const named = readId(fields);
    id = named;
    return ok(isAboutOutcomes(fields) ? parseOutcomes(fields, named) : parseFields(fields, named));
  } catch (error) {
    const message = error instanceof FieldError ? error.message : `message: cannot be read (${String(error)})`;
    return fail({ id, code: 'INVALID_REQUEST', message });
  }
}

function readId(fields: Fields): string {
  return readName(fields.id, 'id', 'streamIdCharactersMax');
}

/** Whether the message belongs to the orders channel, where the id is optional (contract §8). */
function isAboutOrders(fields: Fields): boolean {
  return fields.channel === ORDERS && isSubscription(fields);
}

function isAboutOutcomes(fields: Fields): boolean {
  return fields.channel === OUTCOME && isSubscription(fields);
}

function isSubscription({ op }: Fields): boolean {
  return (SUBSCRIPTION_OPS as readonly unknown[]).includes(op);
}

function parseOutcomes(fields: Fields, id: string): OutcomesMessage {
  const op = readOneOf(fields.op, 'op', SUBSCRIPTION_OPS);
  const known = ['op', 'id', 'channel', 'catalogMarkets'];
  refuseUnknown(fields, '', op === 'subscribe' ? [...known, 'minIntervalMs'] : known);
  const catalogMarkets = readList(fields.catalogMarkets, 'catalogMarkets').map((market, index) =>
    readName(market, `catalogMarkets[${index}]`, 'catalogTextCharactersMax'),
  );
  return { op, id, channel: OUTCOME, ...parseOptions({ minIntervalMs: fields.minIntervalMs }), catalogMarkets };
}

function parseOrders(fields: Fields, id: string | null): OrdersMessage {
  const op = readOneOf(fields.op, 'op', SUBSCRIPTION_OPS);
  if (op === 'unsubscribe') {
    refuseUnknown(fields, '', ['op', 'id', 'channel']);
    return { op, id, channel: ORDERS };
  }
  refuseUnknown(fields, '', ['op', 'id', 'channel', 'from', 'cancelOnDisconnect', 'queueStep']);
  const { from, cancelOnDisconnect, queueStep } = fields;
  return {
    op,
    id,
    channel: ORDERS,
    from: from === undefined ? null : readCount(from, 'from'),
    cancelOnDisconnect:
      cancelOnDisconnect === undefined ? false : readBoolean(cancelOnDisconnect, 'cancelOnDisconnect'),
    ...(queueStep === undefined ? {} : { queueStep: readShares(queueStep, 'queueStep') }),
  };
}

function parseFields(fields: Fields, id: string): ClientMessage {
  const op = readOneOf(fields.op, 'op', OPS);
  switch (op) {
    case 'subscribe': {
      const channel = parseChannel(fields.channel);
      refuseUnknown(fields, '', ['op', 'id', 'channel', 'markets', ...OPTIONS[channel]]);
      return { op, id, channel, ...parseOptions(fields), markets: parseMarkets(fields.markets) };
    }
    case 'unsubscribe':
      refuseUnknown(fields, '', ['op', 'id', 'channel', 'markets']);
      return { op, id, channel: parseChannel(fields.channel), markets: parseMarkets(fields.markets) };
    case 'snapshot':
      refuseUnknown(fields, '', ['op', 'id', 'market']);
      return { op, id, market: parseMarket(fields.market, 'market') };
    case 'ping':
      refuseUnknown(fields, '', ['op', 'id']);
      return { op, id };
    default:
      return unreachable(op);
  }
}

function parseChannel(value: unknown): Channel {
  const channel = CHANNELS.find(candidate => candidate === value);
  if (channel !== undefined) return channel;
  throw new FieldError('channel', `must be ${[...CHANNELS, OUTCOME, ORDERS].map(name => `"${name}"`).join(' or ')}`);
}

/** The options of a subscription, by channel. */
const OPTIONS: Readonly<Record<Channel, readonly (keyof ChannelOptions)[]>> = {
  book: ['depth'],
  trade: [],
  quote: ['minIntervalMs'],
};

function parseOptions({ depth, minIntervalMs }: Fields): ChannelOptions {
  return {
    ...(depth === undefined ? {} : { depth: readBetween(depth, 'depth', 1, BOOK_DEPTH_MAX) }),
    ...(minIntervalMs === undefined
      ? {}
      : { minIntervalMs: readBetween(minIntervalMs, 'minIntervalMs', 0, QUOTE_INTERVAL_MS_MAX) }),
  };
}

function readShares(value: unknown, path: string): MicroShares {
  const shares = parseMicroShares(readString(value, path));
  if (shares === null) throw new FieldError(path, 'must be a decimal with at most 6 decimals');
  return shares;
}

function readBetween(value: unknown, path: string, min: number, max: number): number {
  const count = readCount(value, path);
  if (count < min || count > max) throw new FieldError(path, `must be an integer from ${min} to ${max}`);
  return count;
}

function parseMarkets(value: unknown): readonly MarketRequest[] {
  return readList(value, 'markets').map((market, index) => parseMarket(market, `markets[${index}]`));
}

function readList(value: unknown, path: string): readonly unknown[] {
  const markets = readArray(value, path);
  const max = limits.marketsPerSubscribeMax;
  if (markets.length > 0 && markets.length <= max) return markets;
  throw new FieldError(path, `must name 1 to ${max} markets (marketsPerSubscribeMax), has ${markets.length}`);
}

/** Reads a market. `side` may be any string here: the gateway rejects the missing NO book of each market later (UNKNOWN_MARKET). */
function parseMarket(value: unknown, path: string): MarketRequest {
  const fields = readObject(value, path);
  const venue = readVenue(fields.venue, fieldPath(path, 'venue'));
  if (venue === 'venue_a') {
    refuseUnknown(fields, path, ['venue', 'tokenId']);
    return { market: { venue, tokenId: parseAddress(fields.tokenId, fieldPath(path, 'tokenId')) }, side: null };
  }
  refuseUnknown(fields, path, ['venue', 'ticker', 'side']);
  const market: MarketKey = { venue, ticker: parseAddress(fields.ticker, fieldPath(path, 'ticker')) };
  return { market, side: fields.side === undefined ? null : readString(fields.side, fieldPath(path, 'side')) };
}

function parseAddress(value: unknown, path: string): string {
  return readName(value, path, 'marketAddressCharactersMax');
}
