// Differences between a venue's report and our records. Pure.

/** A contradiction with our records: counted and logged, never silent. */
export type Divergence =
  /** The venue refused the order, and has it. */
  | 'refused-but-there'
  | 'fill-of-refused'
  /** The fill is of another market or direction than the order it names: it is unattributed. */
  | 'fill-of-another'
  /** An order has traded more than its request asked for. */
  | 'overfilled'
  /** A fill was neither booked nor reversed: an order or position would exceed the exact range. */
  | 'uncountable-fill'
  /** An actor's balance of a venue A token is negative: a purchase failed to settle after the actor sold its shares. */
  | 'shares-owed'
  /** No actor here made the trade. */
  | 'unattributed-fill'
  | 'unattributed-order'
  /** The order was made here, and its record is lost. */
  | 'adopted-order'
  /** The order appeared at the venue after we had given it up. */
  | 'late-trace'
  /** An ended order has traded more than its fills sum to, and repeated look-ups do not find the rest. */
  | 'fills-untold'
  /** A market has paid out by the venue's report, but the payout is not listed after a long wait. */
  | 'settlement-unlisted'
  /** A list row or message cannot be read: it holds the orders and markets it names, nothing else. */
  | 'unreadable-row'
  /** The holding of an account differs from the sum of its fills; the difference is unattributed. */
  | 'position-differs';

export type Diverged = (kind: Divergence, detail: Readonly<Record<string, string>>) => void;
