// Differences between a venue's report and our records. Pure.

/** A contradiction between the venue and our records. Each is counted and logged. */
export type Divergence =
  /** The venue has refused the order, and yet has it. */
  | 'refused-but-there'
  | 'fill-of-refused'
  /** The fill is of another market or direction than the order that it names, and is therefore unattributed. */
  | 'fill-of-another'
  /** An order has traded more than its request asked for. */
  | 'overfilled'
  /** A fill was neither booked nor reversed, because an order or a position would exceed the exact range. */
  | 'uncountable-fill'
  /** An actor's balance of a venue A token is negative: a purchase has failed to settle after the actor sold its shares. */
  | 'shares-owed'
  /** No actor of this gateway made the trade. */
  | 'unattributed-fill'
  | 'unattributed-order'
  /** The order was made here, but its record is lost. */
  | 'adopted-order'
  /** The order appeared at the venue after it had been given up here. */
  | 'late-trace'
  /** An ended order has traded more than the sum of its fills, and repeated look-ups do not find the missing fills. */
  | 'fills-untold'
  /** The venue has reported the payout of a market, but does not list the payout after a long wait. */
  | 'settlement-unlisted'
  /** A row of a list, or a message, cannot be read. It holds only the orders and markets that it names. */
  | 'unreadable-row'
  /** The holding of an account differs from the sum of its fills. The difference is unattributed. */
  | 'position-differs';

export type Diverged = (kind: Divergence, detail: Readonly<Record<string, string>>) => void;
