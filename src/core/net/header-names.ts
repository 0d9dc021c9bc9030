// The headers of requests that our code reads. All others are dropped when they arrive. Listening thread.

/** Those of an order come first: a request has room for them from the start. */
export const HEADER_NAMES = [
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'origin',
  'svc-key-id',
  'svc-timestamp',
  'svc-signature',
  'svc-content-sha256',
  'idempotency-key',
  'svc-not-after-millis',
  'svc-timing',
  // The gateway’s other requests.
  'x-api-key',
  'if-none-match',
  'access-control-request-method',
  'upgrade',
  'sec-websocket-protocol',
  'sec-websocket-version',
  // The paper exchanges’.
  'kalshi-access-key',
  'kalshi-access-signature',
  'kalshi-access-timestamp',
  'poly_address',
  'poly_api_key',
  'poly_builder_api_key',
  'poly_builder_passphrase',
  'poly_builder_signature',
  'poly_builder_timestamp',
  'poly_nonce',
  'poly_passphrase',
  'poly_signature',
  'poly_timestamp',
  'relayer_api_key',
  'relayer_api_key_address',
] as const;

/** In lower case. */
export type HeaderName = (typeof HEADER_NAMES)[number];

export const ORDER_HEADERS: number = HEADER_NAMES.indexOf('x-api-key');
