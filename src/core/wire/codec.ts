// The port between messages and bytes. json.ts and protobuf.ts implement it; one contract suite runs on both.

import type { MarketKey, Side } from '../domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../domain/numbers.ts';
import type { Result } from '../domain/result.ts';
import type { ClientMessage, MarketTrade, MessageRefusal, ServerMessage } from './messages.ts';

/** The part of a codec that a client needs. */
export interface ClientCodec {
  readonly subprotocol: 'crossbook.v1.json' | 'crossbook.v1.proto';
  /** Whether its frames are binary frames. */
  readonly isBinary: boolean;
  /** Reads a server's message, for clients and tests. Throws on bytes that no codec of this form wrote. */
  decodeServer(bytes: Uint8Array): ServerMessage;
  encodeClient(message: ClientMessage): Uint8Array;
}

export interface StreamCodec extends ClientCodec {
  /** Reads a client's message. Never throws. */
  decode(bytes: Uint8Array): Result<ClientMessage, MessageRefusal>;
  /** Encodes any message, off the hot path: acknowledgements, snapshots, states. Returns a fresh array. */
  encode(message: ServerMessage): Uint8Array;
  /** The hot path: deltas and trades of one market, written as bytes into one reused buffer. */
  template(market: MarketKey): MarketTemplate;
}

/**
 * Writes a market's deltas and trades. Every returned array is borrowed: it is valid until the next call on this template. A delta is
 * `beginDelta`, one `change` per level, `endDelta`.
 */
export interface MarketTemplate {
  beginDelta(epoch: number, seq: number): void;
  change(side: Side, price: Ticks, size: MicroShares): void;
  endDelta(checksum: number, venueTime: UnixMillis, receivedAt: UnixMillis): Uint8Array;
  trade(trade: MarketTrade): Uint8Array;
}
