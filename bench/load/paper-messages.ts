// Messages between the suite of the paper exchanges and its process and caller.

/** Start data of the process. */
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

/** `port`: of the paper exchange, or of a bare server with the same answers. */
export interface OrdersRequest {
  readonly port: number;
  readonly count: number;
}

export const ORDERS_PATH = '/trade-api/v2/portfolio/events/orders';
