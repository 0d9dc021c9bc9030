// The stream's JSON form (contract §8), subprotocol crossbook.v1.json: one message per text frame. This file covers every message.
// json-template.ts writes deltas and trades fast. json-parts.ts has the parts that messages share, and the channels of orders and outcomes.
// Main thread, and clients.

import { ASK, BID, BOOK_STATES, type Level, TAKER_BUY, TAKER_UNKNOWN, type TakerSide } from '../domain/market.ts';
import { formatMicroShares, formatTicks, type UnixMillis } from '../domain/numbers.ts';
import { unreachable } from '../domain/result.ts';
import { parseClientMessage } from './client-request.ts';
import {
  FieldError,
  type Fields,
  readArray,
  readCount,
  readObject,
  readOneOf,
  readReason,
  readString,
} from './fields.ts';
import {
  readActionMessage,
  readLevel,
  readLossLimitMessage,
  readMarket,
  readOrderMessage,
  readOrdersAcknowledgement,
  readOrdersSnapshot,
  readOutcome,
  readOutcomeRejections,
  readOutcomesAcknowledgement,
  readPrice,
  readProtectionMessage,
  readQueueMessage,
  readRejection,
  readSize,
  readTaker,
  readTimes,
  renderAction,
  renderLossLimit,
  renderOrderMessage,
  renderOrdersAcknowledgement,
  renderOrdersRequest,
  renderOrdersSnapshot,
  renderOutcome,
  renderOutcomesAcknowledgement,
  renderProtection,
  renderQueue,
} from './json-parts.ts';
import { JsonTemplate } from './json-template.ts';
import { jsonValue, refuseDoubledKey, utf8Text } from './json-text.ts';
import {
  CHANNELS,
  type Change,
  type ClientCodec,
  type ClientMessage,
  type Delta,
  type MarketRequest,
  ORDERS,
  OUTCOME,
  type Quote,
  type ServerMessage,
  type Snapshot,
  type StreamCodec,
} from './messages.ts';
import { formatTime, TimesText } from './time-text.ts';

const encoder = new TextEncoder();
const times = /* @__PURE__ */ new TimesText();

const subprotocol = 'crossbook.v1.json';
const isBinary = false;
const decodeServer: ClientCodec['decodeServer'] = bytes =>
  readServer(readObject(jsonValue(utf8Text(bytes)), 'message'));
const encodeClient: ClientCodec['encodeClient'] = message => encoder.encode(JSON.stringify(renderClient(message)));

/** The codec for clients. A browser thus does not load the parts for servers. */
export const jsonClientCodec: ClientCodec = { subprotocol, isBinary, decodeServer, encodeClient };

export const jsonCodec: StreamCodec = {
  subprotocol,
  isBinary,
  decodeServer,
  encodeClient,
  decode: bytes => parseClientMessage(() => parseOnce(bytes)),
  encode: message => encoder.encode(JSON.stringify(renderServer(message))),
  template: market => new JsonTemplate(market, times),
};

function parseOnce(bytes: Uint8Array): unknown {
  const text = utf8Text(bytes);
  const value = jsonValue(text);
  refuseDoubledKey(text);
  return value;
}

// ── Writing ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Returns a message with its members in the sequence of the contract, as json-template.ts writes them. */
function renderServer(message: ServerMessage): object {
  switch (message.type) {
    case 'subscribed':
    case 'unsubscribed':
      if (message.channel === OUTCOME) return renderOutcomesAcknowledgement(message);
      return message.channel === ORDERS ? renderOrdersAcknowledgement(message) : message;
    case 'outcome':
      return renderOutcome(message);
    case 'state':
    case 'snapshotsDone':
    case 'pong':
      return message;
    case 'order':
      return renderOrderMessage(message);
    case 'action':
      return renderAction(message);
    case 'ordersSnapshot':
      return renderOrdersSnapshot(message);
    case 'protection':
      return renderProtection(message);
    case 'lossLimit':
      return renderLossLimit(message);
    case 'queue':
      return renderQueue(message);
    case 'heartbeat':
      return { type: message.type, books: message.books.map(book => [book.market, book.epoch, book.seq]) };
    case 'error': {
      const { type, id, code, rejected, rejectedCatalogMarkets, podOwner } = message;
      return {
        type,
        ...(id === null ? {} : { id }),
        code,
        message: message.message,
        ...(rejected.length === 0 ? {} : { rejected }),
        ...(rejectedCatalogMarkets === undefined ? {} : { rejectedCatalogMarkets }),
        ...(podOwner === undefined ? {} : { podOwner }),
      };
    }
    case 'snapshot':
      return renderBook(message, {
        state: message.state,
        bids: message.bids.map(renderLevel),
        asks: message.asks.map(renderLevel),
      });
    case 'delta':
      return renderBook(message, { prevSeq: message.prevSeq, changes: message.changes.map(renderChange) });
    case 'quote': {
      const { type, market, epoch, seq, state, bid, ask } = message;
      const sides = { bid: bid === null ? null : renderLevel(bid), ask: ask === null ? null : renderLevel(ask) };
      return { type, channel: 'quote', market, epoch, seq, state, ...sides, ...renderTimes(message) };
    }
    case 'trade':
      return {
        type: message.type,
        channel: 'trade',
        market: message.market,
        tradeId: message.tradeId,
        price: formatTicks(message.price),
        size: formatMicroShares(message.size),
        takerSide: renderTaker(message.takerSide),
        ...renderTimes(message),
      };
    default:
      return unreachable(message);
  }
}

function renderBook(message: Snapshot | Delta, content: object): object {
  const { type, market, epoch, seq, checksum } = message;
  return { type, channel: 'book', market, epoch, seq, ...content, checksum, ...renderTimes(message) };
}

function renderLevel({ price, size }: Level): readonly string[] {
  return [formatTicks(price), formatMicroShares(size)];
}

function renderChange({ side, price, size }: Change): readonly string[] {
  return [side === BID ? 'bid' : 'ask', formatTicks(price), formatMicroShares(size)];
}

function renderTaker(takerSide: TakerSide): string | null {
  if (takerSide === TAKER_UNKNOWN) return null;
  return takerSide === TAKER_BUY ? 'BUY' : 'SELL';
}

function renderTimes(message: { readonly venueTime: UnixMillis; readonly receivedAt: UnixMillis }): object {
  return {
    venueTime: message.venueTime === 0 ? null : formatTime(message.venueTime),
    receivedAt: formatTime(message.receivedAt),
  };
}

function renderClient(message: ClientMessage): object {
  switch (message.op) {
    case 'subscribe':
    case 'unsubscribe': {
      if (message.channel === ORDERS) return renderOrdersRequest(message);
      if (message.channel === OUTCOME) return message;
      const { markets, ...rest } = message;
      return { ...rest, markets: markets.map(renderRequest) };
    }
    case 'snapshot':
      return { op: message.op, id: message.id, market: renderRequest(message.market) };
    case 'ping':
      return message;
    default:
      return unreachable(message);
  }
}

function renderRequest({ market, side }: MarketRequest): object {
  return side === null ? market : { ...market, side };
}

// ── Reading what a server wrote ─────────────────────────────────────────────────────────────────────────────────────

const SERVER_TYPES = [
  'subscribed',
  'unsubscribed',
  'snapshot',
  'delta',
  'quote',
  'outcome',
  'trade',
  'state',
  'heartbeat',
  'snapshotsDone',
  'order',
  'action',
  'ordersSnapshot',
  'protection',
  'lossLimit',
  'queue',
  'error',
  'pong',
] as const;

function readServer(fields: Fields): ServerMessage {
  const type = readOneOf(fields.type, 'type', SERVER_TYPES);
  switch (type) {
    case 'subscribed':
    case 'unsubscribed':
      if (fields.channel === ORDERS) return readOrdersAcknowledgement(type, fields);
      if (fields.channel === OUTCOME) return readOutcomesAcknowledgement(type, fields);
      return {
        type,
        id: readString(fields.id, 'id'),
        channel: readOneOf(fields.channel, 'channel', CHANNELS),
        accepted: readArray(fields.accepted, 'accepted').map(readMarket),
        rejected: readArray(fields.rejected, 'rejected').map(readRejection),
      };
    case 'snapshot':
      return {
        type,
        ...readBookFields(fields),
        state: readOneOf(fields.state, 'state', BOOK_STATES),
        bids: readArray(fields.bids, 'bids').map(readLevel),
        asks: readArray(fields.asks, 'asks').map(readLevel),
      };
    case 'delta': {
      const book = readBookFields(fields);
      const prevSeq = readCount(fields.prevSeq, 'prevSeq');
      if (prevSeq >= book.seq) throw new FieldError('prevSeq', 'must be below seq');
      return { type, ...book, prevSeq, changes: readArray(fields.changes, 'changes').map(readChange) };
    }
    case 'quote':
      return readQuote(fields);
    case 'trade':
      return readTrade(fields);
    case 'state':
      return {
        type,
        market: readMarket(fields.market),
        state: readOneOf(fields.state, 'state', BOOK_STATES),
        reason: readReason(fields.reason),
      };
    case 'heartbeat':
      return { type, books: readArray(fields.books, 'books').map(readHeartbeatBook) };
    case 'outcome':
      return readOutcome(fields);
    case 'order':
      return readOrderMessage(fields);
    case 'action':
      return readActionMessage(fields);
    case 'ordersSnapshot':
      return readOrdersSnapshot(fields);
    case 'protection':
      return readProtectionMessage(fields);
    case 'lossLimit':
      return readLossLimitMessage(fields);
    case 'queue':
      return readQueueMessage(fields);
    case 'snapshotsDone':
    case 'pong':
      return { type, id: readString(fields.id, 'id') };
    case 'error':
      return readError(fields);
    default:
      return unreachable(type);
  }
}

function readTrade(fields: Fields): ServerMessage {
  return {
    type: 'trade',
    market: readMarket(fields.market),
    tradeId: readString(fields.tradeId, 'tradeId'),
    price: readPrice(fields.price),
    size: readSize(fields.size),
    takerSide: readTaker(fields.takerSide),
    ...readTimes(fields),
  };
}

function readError(fields: Fields): ServerMessage {
  return {
    type: 'error',
    id: fields.id === undefined ? null : readString(fields.id, 'id'),
    code: readString(fields.code, 'code'),
    message: readString(fields.message, 'message'),
    rejected: fields.rejected === undefined ? [] : readArray(fields.rejected, 'rejected').map(readRejection),
    ...readOutcomeRejections(fields),
    ...(fields.podOwner === undefined ? {} : { podOwner: readString(fields.podOwner, 'podOwner') }),
  };
}

function readQuote(fields: Fields): Quote {
  const { bid, ask } = fields;
  return {
    type: 'quote',
    market: readMarket(fields.market),
    epoch: readCount(fields.epoch, 'epoch'),
    seq: readCount(fields.seq, 'seq'),
    state: readOneOf(fields.state, 'state', BOOK_STATES),
    bid: bid === null ? null : readLevel(bid),
    ask: ask === null ? null : readLevel(ask),
    ...readTimes(fields),
  };
}

function readBookFields(fields: Fields) {
  return {
    market: readMarket(fields.market),
    epoch: readCount(fields.epoch, 'epoch'),
    seq: readCount(fields.seq, 'seq'),
    checksum: readCount(fields.checksum, 'checksum'),
    ...readTimes(fields),
  };
}

function readHeartbeatBook(value: unknown) {
  const [market, epoch, seq] = readArray(value, 'books');
  return { market: readMarket(market), epoch: readCount(epoch, 'books.epoch'), seq: readCount(seq, 'books.seq') };
}

function readChange(value: unknown): Change {
  const [side, price, size] = readArray(value, 'changes');
  const name = readOneOf(side, 'changes.side', ['bid', 'ask']);
  return { side: name === 'bid' ? BID : ASK, price: readPrice(price), size: readSize(size) };
}
