// A task of the pool that does nothing: what is left of it is the way to another thread and back.

export function runTask(): null {
  return null;
}
