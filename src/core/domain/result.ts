// Operating errors are values; programmer errors fail an assertion (ARCHITECTURE rule 7).

export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function fail<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}

/** A value that is known now, or comes later. */
export type Later<T> = T | Promise<T>;

/** Calls `next` with the value. A value that is known now costs no promise. */
export function whenHere<T, U>(value: Later<T>, next: (value: T) => Later<U>): Later<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Calls `next` with the value, or `failed` with the error that came instead. A value that is known now costs no promise. */
export function whenKnown<T>(value: Later<T>, next: (value: T) => void, failed: (error: unknown) => void): void {
  if (value instanceof Promise) value.then(next).catch(failed);
  else next(value);
}

/** An error that shows a bug in our own code: the thread ends, and a restarted thread reconciles. */
export class AssertionFailure extends Error {
  override readonly name = 'AssertionFailure';
}

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionFailure(message);
}

/** Ends a `switch` over a union: the compiler proves that no case is missing. */
export function unreachable(value: never): never {
  throw new AssertionFailure(`unreachable value ${JSON.stringify(value)}`);
}
