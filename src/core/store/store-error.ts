// Why data in the data directory cannot be used. Any thread.

/** The message names the file or record and its fault: an operator must act, retrying does not help. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
