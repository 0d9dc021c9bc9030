// A pool task that does nothing: it measures the round trip to another thread.

export function runTask(): null {
  return null;
}
