// The error that says why data in the data directory cannot be used. Any thread.

/**
 * The error of data that cannot be used. The message names the file or record and its fault: an operator must act, because retrying does
 * not help.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
