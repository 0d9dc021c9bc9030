// A value that is known now, or comes later. A step whose inputs are known goes on at once, without a promise and without a turn of the
// event loop. Pure.

export type Soon<T> = T | Promise<T>;

/** Calls `next` with the value, at once if the value is known. An error of `next` is then thrown, and is no rejection. */
export function whenHere<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Calls `next` with the value, at once if the value is known. Calls `failed` with the error that comes instead of the value. */
export function whenKnown<T>(value: Soon<T>, next: (value: T) => void, failed: (error: unknown) => void): void {
  if (value instanceof Promise) value.then(next).catch(failed);
  else next(value);
}

/** Returns all values, at once if all are known. */
export function all<T>(values: readonly Soon<T>[]): Soon<readonly T[]> {
  return values.some(value => value instanceof Promise) ? Promise.all(values) : (values as readonly T[]);
}
