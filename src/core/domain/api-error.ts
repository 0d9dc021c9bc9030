// The one table of errors that callers can get (interface §7, contract §3). Pure.

/** The list is closed (interface §7). */
export const ERROR_CODES = [
  'INVALID_REQUEST',
  'NOT_FOUND',
  'INSUFFICIENT_BALANCE',
  'IDEMPOTENCY_CONFLICT',
  'ORDER_NOT_CANCELLABLE',
  'ORDER_RECONCILIATION_REQUIRED',
  'INTERNAL_ERROR',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** The action that a caller should take. */
type RetryClass =
  /** Change the request. */
  | 'never'
  /** Repeat the request after `Retry-After`. */
  | 'later'
  /** Read the order back first. */
  | 'reconcile';

/** One kind of failed request: its HTTP status, code and retry class. */
export const API_ERRORS = {
  invalid: { status: 400, code: 'INVALID_REQUEST', retry: 'never' },
  insufficientBalance: { status: 400, code: 'INSUFFICIENT_BALANCE', retry: 'never' },
  unauthenticated: { status: 401, code: 'INVALID_REQUEST', retry: 'never' },
  forbidden: { status: 403, code: 'INVALID_REQUEST', retry: 'never' },
  notFound: { status: 404, code: 'NOT_FOUND', retry: 'never' },
  methodNotAllowed: { status: 405, code: 'INVALID_REQUEST', retry: 'never' },
  notCancellable: { status: 409, code: 'ORDER_NOT_CANCELLABLE', retry: 'never' },
  /** Another gateway owns the pod, and `SVC-Pod-Owner` names that gateway. A submission gets `unavailable` instead. */
  elsewhere: { status: 421, code: 'INTERNAL_ERROR', retry: 'never' },
  bodyTooLarge: { status: 413, code: 'INVALID_REQUEST', retry: 'never' },
  idempotencyConflict: { status: 422, code: 'IDEMPOTENCY_CONFLICT', retry: 'never' },
  limited: { status: 429, code: 'INVALID_REQUEST', retry: 'later' },
  fault: { status: 500, code: 'INTERNAL_ERROR', retry: 'never' },
  /** The contract documents the operation, but this version does not serve it. */
  notServed: { status: 501, code: 'INTERNAL_ERROR', retry: 'never' },
  unreadableOutcome: { status: 502, code: 'ORDER_RECONCILIATION_REQUIRED', retry: 'reconcile' },
  unavailable: { status: 503, code: 'INTERNAL_ERROR', retry: 'later' },
  unknownOutcome: { status: 504, code: 'ORDER_RECONCILIATION_REQUIRED', retry: 'reconcile' },
} as const satisfies Readonly<Record<string, { status: number; code: ErrorCode; retry: RetryClass }>>;
export type ApiErrorKind = keyof typeof API_ERRORS;
