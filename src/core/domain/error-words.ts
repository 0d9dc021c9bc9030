// The text of anything thrown, an Error or not. Pure.

/** The number of stack frames that a log line shows. The innermost frames come first; more frames do not help. */
const PLACES_MAX = 5;
/** The directory prefix of a stack frame, which depends on the installation. */
const HOME = /\(?(?:file:\/\/)?\/(?:.*?\/)?((?:src|test|bench|node_modules)\/[^()]*)\)?$/;

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Describes a program fault for the log: the thrown value, and its place if known. */
export function faultOf(error: unknown): { readonly error: string; readonly at: string } {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const frames = stack.split('\n').filter(line => /^ +at /.test(line));
  const places = frames.slice(0, PLACES_MAX).map(line => line.trim().slice('at '.length).replace(HOME, '$1'));
  return { error: wordsOf(error), at: places.join(' < ') };
}

/**
 * Returns the first sentence of a parseArgs error. Node's advice after this sentence is about positionals with a dash, which no command
 * here takes.
 */
export function optionWords(error: unknown): string {
  const words = wordsOf(error);
  return words.replace(/\. To specify a positional .*$/s, '');
}
