// Operating errors are values; programmer errors fail an assertion (ARCHITECTURE rule 7).

export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function fail<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
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
