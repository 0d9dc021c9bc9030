// Reads the query of a request: every parameter must be known and given once. Main thread.

import { isPlainText } from '../../core/domain/plain-text.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';

const NOTHING = ok<ReadonlyMap<string, string>>(new Map());

/** Reads the parameters as percent-decoded values by name. An error names the parameter and the rule. */
export function readQuery(query: string, names: readonly string[]): Result<ReadonlyMap<string, string>, string> {
  if (query === '') return NOTHING;
  const values = new Map<string, string>();
  for (const part of query.split('&').filter(it => it !== '')) {
    const [given = '', ...rest] = part.split('=');
    const name = percentDecoded(given);
    if (name === null || !names.includes(name)) {
      const known = names.length === 0 ? 'this operation takes no query parameters' : `known are ${names.join(', ')}`;
      return fail(`${printable(name ?? given)}: unknown query parameter (${known})`);
    }
    const value = percentDecoded(rest.join('='));
    if (value === null) return fail(`${name}: must be UTF-8, percent-encoded`);
    if (!isPlainText(value)) return fail(`${name}: must not hold control characters or marks of direction`);
    if (values.has(name)) return fail(`${name}: is given twice in the query`);
    values.set(name, value);
  }
  return ok(values);
}

/** Returns null if the text is malformed, because any reading of it would be a guess. */
function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

const CHARACTERS_SHOWN = 64;

function printable(name: string): string {
  return JSON.stringify(name.slice(0, CHARACTERS_SHOWN)).replace(/[^\x20-\x7e]/g, '?');
}
