// What the suite of the paper exchanges says to its process and its caller, and what they answer.

/** What the process is started with. */
export interface PaperStart {
  readonly mode: 'exact' | 'instant';
}

export interface PaperStarted {
  readonly port: number;
  readonly ticker: string;
  readonly keyId: string;
  /** Ed25519. */
  readonly privateKeyPem: string;
}

/** `port`: of the paper exchange, or of a bare server that answers alike. */
export interface OrdersRequest {
  readonly port: number;
  readonly count: number;
}

export const ORDERS_PATH = '/trade-api/v2/portfolio/events/orders';
