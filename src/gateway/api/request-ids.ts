// `SVC-Request-Id`: unique across restarts, cheap, and sortable within one run. Main thread.

/** Returns a function that gives the next id: a prefix for this run, then a count. */
export function requestIds(randomHex: string): () => string {
  let count = 0;
  return () => `req_${randomHex}_${(++count).toString(36)}`;
}
