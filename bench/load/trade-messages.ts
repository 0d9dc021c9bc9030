// Messages between the suite of /v1/trade and its caller.

import type { GatewayData, LeastGatewayData, VenueData } from './order-taker.ts';

export interface TradeData {
  readonly gateway: GatewayData;
  readonly venue: VenueData;
  /** The gateway by its door on the engine's thread. */
  readonly door: GatewayData;
  readonly least: LeastGatewayData;
}

export type TradeRequest =
  /** `count` orders to each, in turns of `block`. */
  | { readonly op: 'lone'; readonly count: number; readonly block: number }
  /** `count` orders, `width` of them under way at once. */
  | { readonly op: 'flood-trade' | 'flood-rest'; readonly count: number; readonly width: number };

/** How a lone order goes: `door …` by the gateway's door on the engine's thread. */
export const LONE_WAYS = ['trade', 'rest', 'door trade', 'door rest', 'least', 'venue'] as const;
export type LoneWay = (typeof LONE_WAYS)[number];

export interface TradeAnswer {
  /** Round trips of lone orders. */
  readonly us: Readonly<Record<LoneWay, readonly number[]>>;
  /** The length of a flood. */
  readonly seconds: number;
}
