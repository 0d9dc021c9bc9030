// What is told of something that was thrown, be it an Error or not. Pure.

/** Innermost first; more of them are of no help. */
const PLACES_MAX = 5;
/** Of a place: where the program lies on this machine. */
const HOME = /\(?(?:file:\/\/)?\/(?:.*?\/)?((?:src|test|bench|node_modules)\/[^()]*)\)?$/;

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** For the log line of a fault of the program: what was thrown, and where, as far as it knows. */
export function faultOf(error: unknown): { readonly error: string; readonly at: string } {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const frames = stack.split('\n').filter(line => /^ +at /.test(line));
  const places = frames.slice(0, PLACES_MAX).map(line => line.trim().slice('at '.length).replace(HOME, '$1'));
  return { error: wordsOf(error), at: places.join(' < ') };
}
