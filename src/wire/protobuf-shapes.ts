// How protobufjs represents the messages of proto/orderbook.proto: names in camel case, enums and 32-bit numbers as numbers,
// 64-bit numbers as two signed halves. Absent messages are null, absent scalars have their default. Absent optional scalars
// are null, except 64-bit numbers: those are zero and no own property. Types only.

/** Any unsigned 32-bit integer; not validated as a price. */
export type WireUint32 = number;

export interface WireUint64 {
  readonly low: number;
  readonly high: number;
}

/** Raw unknown fields of clients' messages, which are refused. */
export interface WithUnknowns {
  readonly $unknowns?: readonly Uint8Array[];
}

export interface WireMarket extends WithUnknowns {
  readonly venue: number;
  /** Which of the two is set. */
  readonly address?: 'tokenId' | 'ticker';
  readonly tokenId: string | null;
  readonly ticker: string | null;
}

export interface WireMarketRequest extends WithUnknowns {
  readonly market: WireMarket | null;
  readonly side: string | null;
}

export interface WireSubscription extends WithUnknowns {
  readonly channel: number;
  readonly markets: readonly WireMarketRequest[];
  /** An own property if present. */
  readonly from: WireUint64;
  readonly cancelOnDisconnect: boolean | null;
}

export interface WireClientMessage extends WithUnknowns {
  readonly id: string;
  /** Which of the following is set. */
  readonly op?: 'subscribe' | 'unsubscribe' | 'snapshot' | 'ping';
  readonly subscribe: WireSubscription | null;
  readonly unsubscribe: WireSubscription | null;
  readonly snapshot: WireMarketRequest | null;
  readonly ping: WithUnknowns | null;
}

export interface WireTimes {
  readonly venueTimeMs: WireUint64;
  readonly receivedAtMs: WireUint64;
}

export interface WireLevel {
  readonly priceTicks: WireUint32;
  readonly sizeMicros: WireUint64;
}

/** Fields of both snapshots and deltas. */
export interface WireBook extends WireTimes {
  readonly market: WireMarket | null;
  readonly epoch: WireUint64;
  readonly seq: WireUint64;
  readonly checksum: WireUint32;
}

export interface WireRejection {
  readonly market: WireMarket | null;
  readonly code: string;
  readonly message: string;
}

export interface WireAcknowledgement {
  readonly id: string;
  readonly channel: number;
  readonly accepted: readonly WireMarket[];
  readonly rejected: readonly WireRejection[];
  readonly cursor: WireUint64;
}

/** The tables of order-fields.ts read the views. */
export interface WireVenueOrder {
  /** Which of the two is set. */
  readonly order?: 'venueA' | 'venueB';
  readonly venueA: object | null;
  readonly venueB: object | null;
}

export interface WireOrderEvent extends WireVenueOrder {
  readonly cursor: WireUint64;
  readonly event: string;
  readonly fill: object | null;
}

export interface WireOrdersSnapshot {
  readonly id: string | null;
  readonly cursor: WireUint64;
  readonly orders: readonly WireVenueOrder[];
  readonly hasMore: boolean;
}

interface WireDelta extends WireBook {
  readonly prevSeq: WireUint64;
  readonly changes: readonly (WireLevel & { readonly side: number })[];
}

interface WireSnapshot extends WireBook {
  readonly state: number;
  readonly bids: readonly WireLevel[];
  readonly asks: readonly WireLevel[];
}

interface WireTrade extends WireLevel, WireTimes {
  readonly market: WireMarket | null;
  readonly tradeId: string;
  readonly takerSide: number;
}

interface WireHeartbeatBook {
  readonly market: WireMarket | null;
  readonly epoch: WireUint64;
  readonly seq: WireUint64;
}

export interface WireServerMessage {
  /** Which of the following is set. */
  readonly message?:
    | 'delta'
    | 'trade'
    | 'snapshot'
    | 'state'
    | 'heartbeat'
    | 'subscribed'
    | 'unsubscribed'
    | 'snapshotsDone'
    | 'error'
    | 'pong'
    | 'order'
    | 'ordersSnapshot';
  readonly delta: WireDelta | null;
  readonly trade: WireTrade | null;
  readonly snapshot: WireSnapshot | null;
  readonly state: { readonly market: WireMarket | null; readonly state: number; readonly reason: string } | null;
  readonly heartbeat: { readonly books: readonly WireHeartbeatBook[] } | null;
  readonly subscribed: WireAcknowledgement | null;
  readonly unsubscribed: WireAcknowledgement | null;
  readonly snapshotsDone: { readonly id: string } | null;
  readonly error: {
    readonly id: string | null;
    readonly code: string;
    readonly message: string;
    readonly rejected: readonly WireRejection[];
  } | null;
  readonly pong: { readonly id: string } | null;
  readonly order: WireOrderEvent | null;
  readonly ordersSnapshot: WireOrdersSnapshot | null;
}
