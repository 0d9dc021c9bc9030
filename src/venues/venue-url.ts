// A venue's address from the operator's settings, to which paths are added. Pure.

import { fail, ok, type Result } from '../domain/result.ts';

/** Without trailing slashes; the error continues after the name of the setting. */
export function readVenueUrl(text: string, scheme: 'http' | 'ws'): Result<string, string> {
  const isUrl = URL.canParse(text) && [`${scheme}:`, `${scheme}s:`].includes(new URL(text).protocol);
  if (isUrl && !/[?#@\s]/.test(text)) return ok(text.replace(/\/+$/, ''));
  return fail(`must be a URL of ${scheme} or ${scheme}s, without user, query and fragment`);
}
