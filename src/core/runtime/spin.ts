// An event loop that polls without a pause, so that its thread is awake when work comes. It uses a whole core, idle or not. Any
// thread.

/** Polls until the returned function is called. */
export function spin(): () => void {
  let next = setImmediate(again);
  function again(): void {
    next = setImmediate(again);
  }
  return () => clearImmediate(next);
}
