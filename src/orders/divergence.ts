// What a venue says against what is known here. Pure.

/** What contradicts what is known: counted and logged, never silent. */
export type Divergence =
  /** The venue refused the order, and has it. */
  | 'refused-but-there'
  | 'fill-of-refused'
  /** It names an order of another market, or one that wanted the other way: it is nobody's. */
  | 'fill-of-another'
  /** An order has traded more than was asked for. */
  | 'overfilled'
  /** Not booked, or not taken out: an order, or a position, would be beyond what can be counted. */
  | 'uncountable-fill'
  /** An actor has less than nothing of a token of venue A: a purchase failed to settle after what it had brought was sold. */
  | 'shares-owed'
  /** Made by nobody here. */
  | 'unattributed-fill'
  | 'unattributed-order'
  /** Made here, and its record is lost. */
  | 'adopted-order'
  /** The order turned up at the venue after it was given up here. */
  | 'late-trace'
  /** An order has ended with more traded than its fills say, and they are not told, however often it is looked at. */
  | 'fills-unreported'
  /** A market has paid out by the venue's word, and what it has paid is not listed, however long that is waited for. */
  | 'settlement-unlisted'
  /** A row of a venue's list, or a message, cannot be read: it holds what it names, and nothing else. */
  | 'unreadable-row'
  /** What an account holds is not what its fills have brought it: the difference is nobody’s. */
  | 'position-differs';

export type Diverged = (kind: Divergence, detail: Readonly<Record<string, string>>) => void;
