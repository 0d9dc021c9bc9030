// A server that takes orders over HTTP, as a caller sees it: the gateway, or a venue itself. Orders are the same everywhere:
// they rest at one cent, far from all trades. The data that a thread needs to call one can be sent to it.

import { isObject, type JsonObject, parseJson } from '../../src/core/domain/json.ts';
import type { VenueAAccount, VenueBTradingAccount } from '../../src/core/domain/pod-accounts.ts';
import type { OutboundRequest } from '../../src/core/net/outbound.ts';
import { headBeginning, RequestWriter } from '../../src/core/net/outbound-request.ts';
import type { BenchKey } from './http-signing.ts';

export interface OrderTaker {
  readonly port: number;
  /** The port of the server that takes the cancels: the same server, or the venue behind it. */
  readonly cancelPort: number;
  /** The status of a successful order. */
  readonly madeStatus: number;
  /** Returns the request for one more order, complete and signed, which is valid for a few seconds. */
  order(): Promise<Buffer>;
  /** Returns the request to cancel an order, made from the answer to the order. */
  cancel(made: JsonObject): Promise<Buffer>;
}

export interface VenueAMarket {
  readonly venue: 'venue_a';
  readonly tokenId: string;
  readonly isNegRisk: boolean;
}

export interface VenueBMarket {
  readonly venue: 'venue_b';
  readonly ticker: string;
}

export type OrderMarket = VenueAMarket | VenueBMarket;

export interface GatewayData {
  readonly taker: 'gateway';
  readonly port: number;
  readonly key: BenchKey;
  readonly market: OrderMarket;
}

/** The data of a least gateway. It takes orders as our gateway does, but reports no times and takes no cancels. */
export interface LeastGatewayData {
  readonly taker: 'least-gateway';
  readonly port: number;
  readonly key: BenchKey;
  readonly market: VenueBMarket;
  /** The least gateway's account at the venue, where its orders are cancelled. */
  readonly account: VenueBTradingAccount;
}

export interface VenueAData {
  readonly taker: 'venue_a';
  readonly account: VenueAAccount;
  readonly market: VenueAMarket;
}

export interface VenueBData {
  readonly taker: 'venue_b';
  readonly account: VenueBTradingAccount;
  readonly market: VenueBMarket;
}

/** The data to call a venue directly. */
export type VenueData = VenueAData | VenueBData;
export type OrderTakerData = GatewayData | LeastGatewayData | VenueData;

/** The shares of an order at venue A, whose minimum is five. At venue B an order has one contract. */
export const SHARES = 20;

/** Returns the bytes of a request, ready before timing. */
export function bytesOf(port: number, request: OutboundRequest): Buffer {
  const bytes = new RequestWriter(headBeginning(`127.0.0.1:${port}`)).write(request);
  if (typeof bytes === 'string') throw new Error(bytes);
  return bytes;
}

/** Returns the JSON of an answer that includes its head. */
export function bodyOf(answer: Buffer): JsonObject {
  const body = parseJson(answer.toString('utf8', answer.indexOf('\r\n\r\n')));
  if (!isObject(body)) throw new Error(`no JSON: ${answer.toString('latin1')}`);
  return body;
}
