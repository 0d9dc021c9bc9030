// An event loop that polls without a pause: what comes finds its thread awake. It takes a core of its own, idle or not. Any thread.

/** Until the returned function is called. */
export function spin(): () => void {
  let next = setImmediate(again);
  function again(): void {
    next = setImmediate(again);
  }
  return () => clearImmediate(next);
}
