// Messages between the suite of /v1/trade and its caller.

import type { GatewayData, LeastGatewayData, VenueData } from './order-taker.ts';

export interface TradeData {
  readonly gateway: GatewayData;
  readonly venue: VenueData;
  /** The gateway, called through its door on the engine's thread. */
  readonly door: GatewayData;
  readonly least: LeastGatewayData;
}

export type TradeRequest =
  /** Sends `count` orders to each path, in turns of `block`. */
  | { readonly op: 'lone'; readonly count: number; readonly block: number }
  /** Sends `count` orders, with `width` orders in flight at once. */
  | { readonly op: 'flood-trade' | 'flood-rest'; readonly count: number; readonly width: number };

/** The paths of a lone order. Paths with `door` go through the gateway's door on the engine's thread. */
export const LONE_WAYS = ['trade', 'rest', 'door trade', 'door rest', 'least', 'venue'] as const;
export type LoneWay = (typeof LONE_WAYS)[number];

export interface TradeAnswer {
  /** The round trips of lone orders. */
  readonly us: Readonly<Record<LoneWay, readonly number[]>>;
  /** The length of a flood. */
  readonly seconds: number;
}
