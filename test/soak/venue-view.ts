// A pod's account by its venue's own word, read without the gateway. Amounts are integers of millionths.

/** An order that the venue lists. */
export interface VenueOrderSeen {
  readonly venueOrderId: string;
  /** Null at venue A, which has none. */
  readonly clientOrderId: string | null;
  readonly isResting: boolean;
  readonly filled: bigint;
}

/** The share of one order in one trade. */
export interface VenueFillSeen {
  readonly tradeId: string;
  readonly venueOrderId: string;
  readonly address: string;
  /** Signed: what it moved the position by. */
  readonly change: bigint;
  /** Size × price of one unit of `address`, in 1e-12 dollars. */
  readonly cost: bigint;
  /** Null where the venue does not say. */
  readonly fee: bigint | null;
  readonly isFailed: boolean;
}

export interface VenueSeen {
  /** At venue A what rests; at venue B all that ever was. */
  readonly orders: readonly VenueOrderSeen[];
  readonly fills: readonly VenueFillSeen[];
  position(address: string): Promise<bigint>;
  /** Whether the venue has ever had an order of that id. */
  knows(venueOrderId: string): Promise<boolean>;
  /** All money, but what resting orders hold back where the venue has taken it off. */
  readonly cash: bigint;
}
