// Generated from orderbook.proto and relay.proto by test/support/make-protobuf-types.ts: how protobufjs represents each message. Enums and
// 32-bit numbers are numbers, 64-bit numbers two signed halves. Absent messages are null, absent scalars have their default. Absent
// optional scalars are null, except 64-bit numbers: those are zero and no own property. Not to be edited.

/** Any unsigned 32-bit integer; not validated as a price. */
export type WireUint32 = number;

/** Any signed 32-bit integer. */
export type WireInt32 = number;

export interface WireUint64 {
  readonly low: number;
  readonly high: number;
}

/** Raw unknown fields of clients' messages, which are refused. */
export interface WithUnknowns {
  readonly $unknowns?: readonly Uint8Array[];
}

/** A message to be encoded: an absent field has its default, and a 64-bit number is a number. */
export type Written<T> = T extends WireUint64
  ? number
  : T extends readonly (infer Element)[]
    ? readonly Written<Element>[]
    : T extends object
      ? { readonly [Name in keyof T]?: Written<T[Name]> | null }
      : T;

export interface WireMarket extends WithUnknowns {
  /** Which of them is set. */
  readonly address?: 'tokenId' | 'ticker';
  readonly venue: number;
  readonly tokenId: string | null;
  readonly ticker: string | null;
}

export interface WireClientMessage extends WithUnknowns {
  /** Which of them is set. */
  readonly op?: 'subscribe' | 'unsubscribe' | 'snapshot' | 'ping';
  readonly id: string;
  readonly subscribe: WireSubscription | null;
  readonly unsubscribe: WireSubscription | null;
  readonly snapshot: WireMarketRequest | null;
  readonly ping: WirePing | null;
}

export interface WireSubscription extends WithUnknowns {
  readonly channel: number;
  readonly markets: readonly WireMarketRequest[];
  readonly from: WireUint64;
  readonly cancelOnDisconnect: boolean | null;
  readonly depth: WireUint32 | null;
  readonly minIntervalMs: WireUint32 | null;
  readonly catalogMarkets: readonly string[];
  readonly queueStepMicros: WireUint64;
}

export interface WireMarketRequest extends WithUnknowns {
  readonly market: WireMarket | null;
  readonly side: string | null;
}

export type WirePing = WithUnknowns;

export interface WireServerMessage extends WithUnknowns {
  /** Which of them is set. */
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
    | 'ordersSnapshot'
    | 'quote'
    | 'protection'
    | 'outcome'
    | 'action'
    | 'queue'
    | 'lossLimit';
  readonly delta: WireDelta | null;
  readonly trade: WireTrade | null;
  readonly snapshot: WireSnapshot | null;
  readonly state: WireState | null;
  readonly heartbeat: WireHeartbeat | null;
  readonly subscribed: WireAcknowledgement | null;
  readonly unsubscribed: WireAcknowledgement | null;
  readonly snapshotsDone: WireSnapshotsDone | null;
  readonly error: WireError | null;
  readonly pong: WirePong | null;
  readonly order: WireOrderEvent | null;
  readonly ordersSnapshot: WireOrdersSnapshot | null;
  readonly quote: WireQuote | null;
  readonly protection: WireProtectionEvent | null;
  readonly outcome: WireOutcomes | null;
  readonly action: WireActionEvent | null;
  readonly queue: WireQueueEvent | null;
  readonly lossLimit: WireLossLimitEvent | null;
}

export interface WireLevel extends WithUnknowns {
  readonly priceTicks: WireUint32;
  readonly sizeMicros: WireUint64;
}

export interface WireSnapshot extends WithUnknowns {
  readonly market: WireMarket | null;
  readonly epoch: WireUint64;
  readonly seq: WireUint64;
  readonly state: number;
  readonly bids: readonly WireLevel[];
  readonly asks: readonly WireLevel[];
  readonly checksum: WireUint32;
  readonly venueTimeMs: WireUint64;
  readonly receivedAtMs: WireUint64;
}

export interface WireDelta extends WithUnknowns {
  readonly market: WireMarket | null;
  readonly epoch: WireUint64;
  readonly seq: WireUint64;
  readonly prevSeq: WireUint64;
  readonly changes: readonly WireChange[];
  readonly checksum: WireUint32;
  readonly venueTimeMs: WireUint64;
  readonly receivedAtMs: WireUint64;
}

export interface WireQuote extends WithUnknowns {
  readonly market: WireMarket | null;
  readonly epoch: WireUint64;
  readonly seq: WireUint64;
  readonly state: number;
  readonly bid: WireLevel | null;
  readonly ask: WireLevel | null;
  readonly venueTimeMs: WireUint64;
  readonly receivedAtMs: WireUint64;
}

export interface WireChange extends WithUnknowns {
  readonly side: number;
  readonly priceTicks: WireUint32;
  readonly sizeMicros: WireUint64;
}

export interface WireTrade extends WithUnknowns {
  readonly market: WireMarket | null;
  readonly tradeId: string;
  readonly priceTicks: WireUint32;
  readonly sizeMicros: WireUint64;
  readonly takerSide: number;
  readonly venueTimeMs: WireUint64;
  readonly receivedAtMs: WireUint64;
}

export interface WireState extends WithUnknowns {
  readonly market: WireMarket | null;
  readonly state: number;
  readonly reason: string;
}

export interface WireOutcomes extends WithUnknowns {
  readonly catalogMarket: string;
  readonly outcomes: readonly WireOutcomeQuote[];
  readonly omitted: readonly WireOmittedRoute[];
  readonly notes: readonly string[];
}

export interface WireOutcomeQuote extends WithUnknowns {
  readonly name: string;
  readonly buy: WireRouteQuote | null;
  readonly sell: WireRouteQuote | null;
}

export interface WireRoute extends WithUnknowns {
  readonly market: WireMarket | null;
  readonly side: string | null;
}

export interface WireRouteQuote extends WithUnknowns {
  readonly route: WireRoute | null;
  readonly priceTicks: WireUint32;
  readonly feeMicros: WireUint64;
  readonly netPriceMicros: WireInt32;
  readonly sizeMicros: WireUint64;
  readonly state: number;
  readonly ageMs: WireUint64;
}

export interface WireOmittedRoute extends WithUnknowns {
  readonly route: WireRoute | null;
  readonly why: string;
}

export interface WireHeartbeat extends WithUnknowns {
  readonly books: readonly WireHeartbeatBook[];
}

export interface WireHeartbeatBook extends WithUnknowns {
  readonly market: WireMarket | null;
  readonly epoch: WireUint64;
  readonly seq: WireUint64;
}

export interface WireAcknowledgement extends WithUnknowns {
  readonly id: string;
  readonly channel: number;
  readonly accepted: readonly WireMarket[];
  readonly rejected: readonly WireRejection[];
  readonly cursor: WireUint64;
  readonly acceptedCatalogMarkets: readonly string[];
  readonly rejectedCatalogMarkets: readonly WireOutcomeRejection[];
}

export interface WireOutcomeRejection extends WithUnknowns {
  readonly catalogMarket: string;
  readonly code: string;
  readonly message: string;
}

export interface WireRejection extends WithUnknowns {
  readonly market: WireMarket | null;
  readonly code: string;
  readonly message: string;
}

export interface WireSnapshotsDone extends WithUnknowns {
  readonly id: string;
}

export interface WireError extends WithUnknowns {
  readonly id: string | null;
  readonly code: string;
  readonly message: string;
  readonly rejected: readonly WireRejection[];
  readonly rejectedCatalogMarkets: readonly WireOutcomeRejection[];
  readonly podOwner: string | null;
}

export interface WirePong extends WithUnknowns {
  readonly id: string;
}

export interface WireOrderEvent extends WithUnknowns {
  /** Which of them is set. */
  readonly order?: 'venueA' | 'venueB';
  readonly cursor: WireUint64;
  readonly event: string;
  readonly venueA: WireVenueAOrder | null;
  readonly venueB: WireVenueBOrder | null;
  readonly fill: WireFill | null;
}

export interface WireOrdersSnapshot extends WithUnknowns {
  readonly id: string | null;
  readonly cursor: WireUint64;
  readonly orders: readonly WireVenueOrder[];
  readonly hasMore: boolean;
}

export interface WireProtectionEvent extends WithUnknowns {
  readonly event: string;
  readonly venue: string;
  readonly address: string | null;
  readonly fillsMax: WireUint32 | null;
  readonly sharesMaxMicros: WireUint64;
  readonly windowMs: WireUint32;
  readonly state: string;
  readonly setAtMs: WireUint64;
  readonly triggeredAtMs: WireUint64;
  readonly fills: WireUint32;
  readonly sharesMicros: WireUint64;
}

export interface WireLossLimitEvent extends WithUnknowns {
  readonly event: string;
  readonly scope: string;
  readonly lossMaxMicros: WireUint64;
  readonly lossMicros: WireUint64;
  readonly leftMicros: WireUint64;
  readonly cancels: boolean;
  readonly sinceMs: WireUint64;
  readonly untilMs: WireUint64;
  readonly reachedAtMs: WireUint64;
  readonly positions: WireUint32;
  readonly positionsWithOldPrices: WireUint32;
}

export interface WireQueueEvent extends WithUnknowns {
  readonly venue: string;
  readonly orderId: string;
  readonly lowMicros: WireUint64;
  readonly highMicros: WireUint64;
  readonly basis: string;
  readonly book: string | null;
}

export interface WireActionEvent extends WithUnknowns {
  readonly cursor: WireUint64;
  readonly event: string;
  readonly actionId: string;
  readonly kind: string;
  readonly tokenId: string;
  readonly sharesMicros: WireUint64;
  readonly amountMicros: WireUint64;
  readonly status: string;
  readonly transactionHash: string | null;
  readonly createdAtMs: WireUint64;
  readonly updatedAtMs: WireUint64;
  readonly error: WireOrderError | null;
}

export interface WireVenueOrder extends WithUnknowns {
  /** Which of them is set. */
  readonly order?: 'venueA' | 'venueB';
  readonly venueA: WireVenueAOrder | null;
  readonly venueB: WireVenueBOrder | null;
}

export interface WireVenueAOrder extends WithUnknowns {
  readonly orderId: string;
  readonly tokenId: string;
  readonly side: string;
  readonly type: string;
  readonly sizeMicros: WireUint64;
  readonly priceTicks: WireUint32 | null;
  readonly amountMicros: WireUint64;
  readonly postOnly: boolean | null;
  readonly status: string;
  readonly venueOrderId: string | null;
  readonly createdAtMs: WireUint64;
  readonly updatedAtMs: WireUint64;
  readonly filledMicros: WireUint64;
  readonly averagePriceMicros: WireUint64;
  readonly feesMicros: WireUint64;
  readonly closedAtMs: WireUint64;
  readonly error: WireOrderError | null;
  readonly clientOrderId: string | null;
  readonly cancelReason: string | null;
  readonly venueError: WireVenueError | null;
  readonly expiresAtMs: WireUint64;
}

export interface WireVenueBOrder extends WithUnknowns {
  readonly orderId: string;
  readonly ticker: string;
  readonly side: string;
  readonly action: string;
  readonly count: WireUint32 | null;
  readonly priceCents: WireUint32 | null;
  readonly timeInForce: string;
  readonly status: string;
  readonly venueOrderId: string | null;
  readonly createdAtMs: WireUint64;
  readonly updatedAtMs: WireUint64;
  readonly filledMicros: WireUint64;
  readonly averagePriceMicros: WireUint64;
  readonly feesMicros: WireUint64;
  readonly closedAtMs: WireUint64;
  readonly error: WireOrderError | null;
  readonly clientOrderId: string | null;
  readonly cancelReason: string | null;
  readonly venueError: WireVenueError | null;
  readonly priceTicks: WireUint32;
  readonly expiresAtMs: WireUint64;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly sizeMicros: WireUint64;
}

export interface WireOrderError extends WithUnknowns {
  readonly code: string;
  readonly message: string | null;
}

export interface WireVenueError extends WithUnknowns {
  readonly code: string | null;
  readonly message: string;
}

export interface WireFill extends WithUnknowns {
  readonly fillId: string;
  readonly venueTradeId: string;
  readonly priceTicks: WireUint32;
  readonly sizeMicros: WireUint64;
  readonly feesMicros: WireUint64;
  readonly liquidity: string | null;
  readonly settlement: string;
  readonly executedAtMs: WireUint64;
}

export interface WireRelayMessage extends WithUnknowns {
  readonly number: WireUint64;
  readonly lastTradeTicks: WireUint32;
  readonly message: WireServerMessage | null;
}

export interface WireTermsReply extends WithUnknowns {
  /** Which of them is set. */
  readonly reading?: 'terms' | 'unknown' | 'faulty' | 'busy';
  readonly terms: WireMarketTerms | null;
  readonly unknown: string | null;
  readonly faulty: string | null;
  readonly busy: WireTermsBusy | null;
}

export interface WireTermsBusy extends WithUnknowns {
  readonly message: string;
  readonly retryAfterS: WireUint32;
}

export interface WireMarketTerms extends WithUnknowns {
  readonly title: string;
  readonly status: string;
  readonly grid: readonly WirePriceBand[];
  readonly sizeMinMicros: WireUint64;
  readonly sizeStepMicros: WireUint64;
  readonly fees: WireFeeTerms | null;
  readonly closesAtMs: WireUint64;
  readonly addresses: readonly string[];
  readonly shard: WireUint32 | null;
  readonly settlementFloorTicks: WireUint32 | null;
}

export interface WirePriceBand extends WithUnknowns {
  readonly startTicks: WireUint32;
  readonly endTicks: WireUint32;
  readonly stepTicks: WireUint32;
}

export interface WireFeeTerms extends WithUnknowns {
  readonly takerNumerator: string;
  readonly takerDenominator: string;
  readonly makerNumerator: string;
  readonly makerDenominator: string;
  readonly exponent: WireUint32;
  readonly stepMicroDollars: WireUint64;
  readonly rounding: string;
  readonly waivedUntilMs: WireUint64;
}
