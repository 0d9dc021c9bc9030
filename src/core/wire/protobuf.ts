// The stream's binary form, subprotocol crossbook.v1.proto, as in proto/orderbook.proto: one message per binary frame. 64-bit integers are
// numbers here, exact below 2^53, and refused from 2^53 on. protobuf-template.ts writes deltas and trades fast. Main thread, and clients.

import {
  ASK,
  BID,
  BOOK_STATES,
  TAKER_BUY,
  TAKER_SELL,
  TAKER_UNKNOWN,
  type TakerSide,
  VENUES,
} from '../domain/market.ts';
import { unreachable } from '../domain/result.ts';
import type {
  WireAcknowledgement,
  WireChange,
  WireClientMessage,
  WireDelta,
  WireHeartbeatBook,
  WireMarketRequest,
  WireRejection,
  WireServerMessage,
  WireSnapshot,
  WireSubscription,
  Written,
} from '../generated/protobuf-types.ts';
import { parseClientMessage } from './client-request.ts';
import { FieldError, readOneOf, readReason, readUint64 } from './fields.ts';
import {
  CHANNELS,
  type Change,
  type Channel,
  type ClientMessage,
  type HeartbeatBook,
  type MarketRequest,
  ORDERS,
  OUTCOME,
  REJECTION_CODES,
  type Rejection,
  type ServerMessage,
  type StreamCodec,
} from './messages.ts';
import {
  CHANNEL_ORDERS,
  CHANNEL_OUTCOME,
  plainOrdersRequest,
  readActionMessage,
  readLevel,
  readLossLimitMessage,
  readMarket,
  readOrderMessage,
  readOrdersAcknowledgement,
  readOrdersSnapshot,
  readOutcomeRejection,
  readOutcomes,
  readOutcomesAcknowledgement,
  readProtectionMessage,
  readQueueMessage,
  readState,
  readTimes,
  renderAction,
  renderLevel,
  renderLossLimit,
  renderMarket,
  renderOrderMessage,
  renderOrdersAcknowledgement,
  renderOrdersRequest,
  renderOrdersSnapshot,
  renderOutcomes,
  renderOutcomesAcknowledgement,
  renderOutcomesRequest,
  renderProtection,
  renderQueue,
  renderTimes,
} from './protobuf-parts.ts';
import { decodeWhole, messageType, refuseSecondChoice, unknownFields } from './protobuf-schema.ts';
import { ProtobufTemplate } from './protobuf-template.ts';

const clientType = messageType('ClientMessage');
const serverType = messageType('ServerMessage');
const marketType = messageType('Market');

export const protobufCodec: StreamCodec = {
  subprotocol: 'crossbook.v1.proto',
  isBinary: true,
  decode: bytes => parseClientMessage(() => readClient(bytes)),
  encode: message => serverType.encode(renderServer(message)).finish(),
  decodeServer: bytes => readServer(serverType.decode(bytes) as unknown as WireServerMessage),
  encodeClient: message => clientType.encode(renderClient(message)).finish(),
  template: market => new ProtobufTemplate(marketType.encode(renderMarket(market)).finish()),
};

/** The numbers of the channels in proto/orderbook.proto, in the sequence of CHANNELS. 3 is the channel of orders. */
const CHANNEL_CODES = [1, 2, 4];

function channelCode(channel: Channel): number {
  return CHANNEL_CODES[CHANNELS.indexOf(channel)]!;
}

// ── Writing. Enums whose 0 means "unspecified" carry our code + 1. ──────────────────────────────────────────────────

function renderServer(message: ServerMessage): Written<WireServerMessage> {
  switch (message.type) {
    case 'delta': {
      const changes = message.changes.map(change => ({ side: change.side + 1, ...renderLevel(change) }));
      return { delta: { ...renderBook(message), prevSeq: message.prevSeq, changes } };
    }
    case 'quote': {
      const { epoch, seq, state, bid, ask } = message;
      const sides = { bid: bid === null ? null : renderLevel(bid), ask: ask === null ? null : renderLevel(ask) };
      const position = { market: renderMarket(message.market), epoch, seq, state: BOOK_STATES.indexOf(state) + 1 };
      return { quote: { ...position, ...sides, ...renderTimes(message) } };
    }
    case 'trade': {
      const { tradeId, takerSide } = message;
      const market = renderMarket(message.market);
      return { trade: { market, tradeId, takerSide, ...renderLevel(message), ...renderTimes(message) } };
    }
    case 'snapshot': {
      const { bids, asks } = message;
      const sides = { bids: bids.map(renderLevel), asks: asks.map(renderLevel) };
      return { snapshot: { ...renderBook(message), ...sides, state: BOOK_STATES.indexOf(message.state) + 1 } };
    }
    case 'state': {
      const state = BOOK_STATES.indexOf(message.state) + 1;
      return { state: { market: renderMarket(message.market), state, reason: message.reason } };
    }
    case 'heartbeat':
      return { heartbeat: { books: message.books.map(book => ({ ...book, market: renderMarket(book.market) })) } };
    case 'subscribed':
    case 'unsubscribed': {
      if (message.channel === ORDERS) return { [message.type]: renderOrdersAcknowledgement(message) };
      if (message.channel === OUTCOME) return { [message.type]: renderOutcomesAcknowledgement(message) };
      const { id, accepted, rejected } = message;
      const channel = channelCode(message.channel);
      const lists = { accepted: accepted.map(renderMarket), rejected: rejected.map(renderRejection) };
      return { [message.type]: { id, channel, ...lists } };
    }
    case 'outcome':
      return { outcome: renderOutcomes(message) };
    case 'order':
      return { order: renderOrderMessage(message) };
    case 'action':
      return { action: renderAction(message) };
    case 'ordersSnapshot':
      return { ordersSnapshot: renderOrdersSnapshot(message) };
    case 'protection':
      return { protection: renderProtection(message) };
    case 'lossLimit':
      return { lossLimit: renderLossLimit(message) };
    case 'queue':
      return { queue: renderQueue(message) };
    case 'snapshotsDone':
      return { snapshotsDone: { id: message.id } };
    case 'error':
      return {
        error: {
          ...message,
          rejected: message.rejected.map(renderRejection),
          rejectedCatalogMarkets: message.rejectedCatalogMarkets ?? [],
        },
      };
    case 'pong':
      return { pong: { id: message.id } };
    default:
      return unreachable(message);
  }
}

type BookMessage = Extract<ServerMessage, { type: 'snapshot' | 'delta' }>;

function renderBook(message: BookMessage): Written<WireSnapshot & WireDelta> {
  const { epoch, seq, checksum } = message;
  return { market: renderMarket(message.market), epoch, seq, checksum, ...renderTimes(message) };
}

function renderRejection({ market, code, message }: Rejection): Written<WireRejection> {
  return { market: renderMarket(market), code, message };
}

function renderClient(message: ClientMessage): Written<WireClientMessage> {
  switch (message.op) {
    case 'subscribe':
    case 'unsubscribe': {
      if (message.channel === ORDERS) return renderOrdersRequest(message);
      if (message.channel === OUTCOME) return renderOutcomesRequest(message);
      const { id, op, channel, markets, ...options } = message;
      return { id, [op]: { channel: channelCode(channel), markets: markets.map(renderRequest), ...options } };
    }
    case 'snapshot':
      return { id: message.id, snapshot: renderRequest(message.market) };
    case 'ping':
      return { id: message.id, ping: {} };
    default:
      return unreachable(message);
  }
}

function renderRequest({ market, side }: MarketRequest): Written<WireMarketRequest> {
  return { market: renderMarket(market), side };
}

// ── Reading what a client wrote: into the plain value of the JSON form, which client-request.ts parses ──────────────

function readClient(bytes: Uint8Array): unknown {
  const message = decodeWhole(clientType, bytes) as WireClientMessage;
  const { id, op } = message;
  refuseSecondChoice(clientType, bytes);
  const plain = { id, op, ...unknownFields(message) };
  switch (op) {
    case 'subscribe':
    case 'unsubscribe': {
      const subscription = message[op]!;
      const { channel, markets } = subscription;
      const options = { ...plainOrdersRequest(subscription), ...plainOptions(subscription) };
      const rest = { ...options, ...unknownFields(subscription) };
      // An empty list means that the field is absent: such requests name no market, and requests about orders may omit the id.
      const unnamed = markets.length === 0 ? rest : { markets: markets.map(plainRequest), ...rest };
      if (channel === CHANNEL_ORDERS) return { ...plain, id: id === '' ? undefined : id, channel: ORDERS, ...unnamed };
      if (channel === CHANNEL_OUTCOME) return { ...plain, channel: OUTCOME, ...unnamed };
      const named = { channel: CHANNELS[CHANNEL_CODES.indexOf(channel)], markets: markets.map(plainRequest) };
      return { ...plain, ...named, ...rest };
    }
    case 'snapshot':
      return { ...plain, market: plainRequest(message.snapshot!) };
    case 'ping':
      return { ...plain, ...unknownFields(message.ping!) };
    default:
      return plain;
  }
}

function plainOptions({ depth, minIntervalMs, catalogMarkets }: WireSubscription): object {
  return {
    ...(depth === null ? {} : { depth }),
    ...(minIntervalMs === null ? {} : { minIntervalMs }),
    ...(catalogMarkets.length === 0 ? {} : { catalogMarkets }),
  };
}

function plainRequest(request: WireMarketRequest): object {
  const { market, side } = request;
  const rest = { ...(side === null ? {} : { side }), ...unknownFields(request) };
  if (market === null) return rest;
  const address = market.address === undefined ? {} : { [market.address]: market[market.address] };
  return { venue: VENUES[market.venue - 1], ...address, ...rest, ...unknownFields(market) };
}

// ── Reading what a server wrote ─────────────────────────────────────────────────────────────────────────────────────

export function readServer(wire: WireServerMessage): ServerMessage {
  const type = wire.message;
  switch (type) {
    case 'delta': {
      const book = readBook(wire.delta!);
      const prevSeq = readUint64(wire.delta!.prevSeq);
      if (prevSeq >= book.seq) throw new FieldError('prev_seq', 'must be below seq');
      return { type, ...book, prevSeq, changes: wire.delta!.changes.map(readChange) };
    }
    case 'quote': {
      const { market, epoch, seq, state, bid, ask } = wire.quote!;
      const position = { market: readMarket(market), epoch: readUint64(epoch), seq: readUint64(seq) };
      const sides = { bid: bid === null ? null : readLevel(bid), ask: ask === null ? null : readLevel(ask) };
      return { type, ...position, state: readState(state), ...sides, ...readTimes(wire.quote!) };
    }
    case 'trade': {
      const { market, tradeId, takerSide } = wire.trade!;
      const fields = { market: readMarket(market), tradeId, takerSide: readTaker(takerSide) };
      return { type, ...fields, ...readLevel(wire.trade!), ...readTimes(wire.trade!) };
    }
    case 'snapshot': {
      const { bids, asks, state } = wire.snapshot!;
      const sides = { bids: bids.map(readLevel), asks: asks.map(readLevel) };
      return { type, ...readBook(wire.snapshot!), ...sides, state: readState(state) };
    }
    case 'state': {
      const { market, state, reason } = wire.state!;
      return { type, market: readMarket(market), state: readState(state), reason: readReason(reason) };
    }
    case 'heartbeat':
      return { type, books: wire.heartbeat!.books.map(readHeartbeatBook) };
    case 'subscribed':
    case 'unsubscribed':
      if (wire[type]!.channel === CHANNEL_ORDERS) return readOrdersAcknowledgement(type, wire[type]!);
      if (wire[type]!.channel === CHANNEL_OUTCOME) return readOutcomesAcknowledgement(type, wire[type]!);
      return { type, ...readAcknowledgement(wire[type]!) };
    case 'outcome':
      return readOutcomes(wire.outcome!);
    case 'order':
      return readOrderMessage(wire.order!);
    case 'action':
      return readActionMessage(wire.action!);
    case 'ordersSnapshot':
      return readOrdersSnapshot(wire.ordersSnapshot!);
    case 'protection':
      return readProtectionMessage(wire.protection!);
    case 'lossLimit':
      return readLossLimitMessage(wire.lossLimit!);
    case 'queue':
      return readQueueMessage(wire.queue!);
    case 'snapshotsDone':
      return { type, id: wire.snapshotsDone!.id };
    case 'error': {
      const { id, code, message, rejected, rejectedCatalogMarkets: outcomes, podOwner } = wire.error!;
      const more = {
        ...(outcomes.length === 0 ? {} : { rejectedCatalogMarkets: outcomes.map(readOutcomeRejection) }),
        ...(podOwner === null ? {} : { podOwner }),
      };
      return { type, id, code, message, rejected: rejected.map(readRejection), ...more };
    }
    case 'pong':
      return { type, id: wire.pong!.id };
    case undefined:
      throw new FieldError('message', 'is of a kind that proto/orderbook.proto does not have');
    default:
      return unreachable(type);
  }
}

function readBook(wire: WireSnapshot | WireDelta) {
  const { checksum } = wire;
  const fields = {
    market: readMarket(wire.market),
    epoch: readUint64(wire.epoch),
    seq: readUint64(wire.seq),
    checksum,
  };
  return { ...fields, ...readTimes(wire) };
}

function readChange(wire: WireChange): Change {
  const { side } = wire;
  if (side !== BID + 1 && side !== ASK + 1) throw new FieldError('side', 'must be SIDE_BID or SIDE_ASK');
  return { side: side === BID + 1 ? BID : ASK, ...readLevel(wire) };
}

function readTaker(code: number): TakerSide {
  if (code !== TAKER_UNKNOWN && code !== TAKER_BUY && code !== TAKER_SELL) {
    throw new FieldError('taker_side', 'must be a TakerSide');
  }
  return code;
}

function readChannel(code: number): Channel {
  return readOneOf(CHANNELS[CHANNEL_CODES.indexOf(code)], 'channel', CHANNELS);
}

function readHeartbeatBook(wire: WireHeartbeatBook): HeartbeatBook {
  return { market: readMarket(wire.market), epoch: readUint64(wire.epoch), seq: readUint64(wire.seq) };
}

function readAcknowledgement({ id, channel, accepted, rejected }: WireAcknowledgement) {
  const lists = { accepted: accepted.map(readMarket), rejected: rejected.map(readRejection) };
  return { id, channel: readChannel(channel), ...lists };
}

function readRejection({ market, code, message }: WireRejection): Rejection {
  return { market: readMarket(market), code: readOneOf(code, 'rejected.code', REJECTION_CODES), message };
}
