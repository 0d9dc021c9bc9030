// Messages between the suite of /v1/trade and its caller.

import type { GatewayData, VenueData } from './order-taker.ts';

export interface TradeData {
  readonly gateway: GatewayData;
  readonly venue: VenueData;
}

export type TradeRequest =
  /** `count` orders to each, in turns of `block`. */
  | { readonly op: 'lone'; readonly count: number; readonly block: number }
  /** `count` orders, `width` of them under way at once. */
  | { readonly op: 'flood-trade' | 'flood-rest'; readonly count: number; readonly width: number };

export interface TradeAnswer {
  /** Round trips of lone orders. */
  readonly us: Readonly<Record<'trade' | 'rest' | 'venue', readonly number[]>>;
  /** Of a flood. */
  readonly seconds: number;
}
