// A pod's account as the venue itself reports it, read without the gateway. Amounts are integers of millionths.

/** An order that the venue lists. */
export interface VenueOrderSeen {
  readonly venueOrderId: string;
  /** The client order id; null at venue A, which has none. */
  readonly clientOrderId: string | null;
  readonly isResting: boolean;
  readonly filled: bigint;
}

/** The share of one order in one trade. */
export interface VenueFillSeen {
  readonly tradeId: string;
  readonly venueOrderId: string;
  readonly address: string;
  /** The signed change of the position. */
  readonly change: bigint;
  /** Size × price of one unit of `address`, in 1e-12 dollars. */
  readonly cost: bigint;
  /** The fee; null if the venue does not report it. */
  readonly fee: bigint | null;
  readonly isFailed: boolean;
}

export interface VenueSeen {
  /** The orders: at venue A the resting orders, at venue B all orders. */
  readonly orders: readonly VenueOrderSeen[];
  readonly fills: readonly VenueFillSeen[];
  position(address: string): Promise<bigint>;
  /** Returns whether the venue has ever had an order with this id. */
  knows(venueOrderId: string): Promise<boolean>;
  /** All money, less what resting orders hold back if the venue has subtracted it. */
  readonly cash: bigint;
}
