// Shared by all of our servers of venue B: paths, and texts of the stream's errors (venue-b.md §10.2).

export const REST_PATH = '/trade-api/v2';
export const STREAM_PATH = '/trade-api/ws/v2';

/** Errors by code. 6, 16 and 17 are retired; 10, 18 and 23 cannot occur here. */
export const STREAM_ERRORS = {
  1: 'Unable to process message',
  2: 'Params required',
  3: 'Channels required',
  4: 'Subscription IDs required',
  5: 'Unknown command',
  7: 'Unknown subscription ID',
  8: 'Unknown channel name',
  9: 'Authentication required',
  11: 'Invalid parameter',
  12: 'Exactly one subscription ID is required',
  13: 'Unsupported action',
  14: 'Market ticker required',
  15: 'Action required',
  19: 'shard_factor must be greater than 0',
  20: 'shard_factor is required when shard_key is set',
  21: 'shard_key must not be negative',
  22: 'shard_key must be less than shard_factor',
  24: 'Index IDs required',
  25: 'Subscription buffer overflow',
  26: 'Subscription market limit exceeded',
  27: 'Too many requests',
  28: 'Underlying tickers required',
} as const;
export type StreamErrorCode = keyof typeof STREAM_ERRORS;
