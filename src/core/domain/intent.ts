// The record of an order before its first byte leaves, besides the order itself. Pure.

/** A complete order, ready to be sent at most once. */
export interface Intent {
  /** The bytes to send. They contain no secret beyond what the venue itself must see. */
  readonly payload: Uint8Array;
  /** Venue A's id is known before sending. Null at venue B, which detects duplicates by `clientOrderId`. */
  readonly venueOrderId: string | null;
  /** Venue B: `<orderId>.<actor tag>`. Venue A has no such field and gets the order id. */
  readonly clientOrderId: string;
}
