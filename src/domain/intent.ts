// What is recorded of an order before its first byte leaves, beside the order itself. Pure.

/** An order ready to be sent, complete: sent at most once. */
export interface Intent {
  /** What is sent; nothing secret is in it but what the venue itself is to see. */
  readonly payload: Uint8Array;
  /** Known before sending at venue A; null at venue B, whose duplicate check goes by `clientOrderId`. */
  readonly venueOrderId: string | null;
  /** Venue B: `<orderId>.<actor tag>`; the order id at venue A, where no such field exists. */
  readonly clientOrderId: string;
}
