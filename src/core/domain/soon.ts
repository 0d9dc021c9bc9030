// A value that is there now, or comes later. A step whose inputs are there goes on at once: it takes no promise, and no turn of the
// event loop. Pure.

export type Soon<T> = T | Promise<T>;

/** Goes on with the value, at once if it is there. Throws the error of `next` then, instead of a rejection. */
export function then<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** All values, at once if all are there. */
export function all<T>(values: readonly Soon<T>[]): Soon<readonly T[]> {
  return values.some(value => value instanceof Promise) ? Promise.all(values) : (values as readonly T[]);
}
