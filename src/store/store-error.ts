// Why something that is kept in the data directory cannot be used. Any thread.

/** The message names the file or record, and what is wrong with it: an operator must act, retrying does not help. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
