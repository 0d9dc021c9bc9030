// Settings of operators for a venue: its address, and texts that identify or authenticate an account and become header values unchanged. A
// line break in one would start another header; a connection would refuse the rest only when it opens. Pure.

import { fail, ok, type Result } from '../core/domain/result.ts';

export const CREDENTIAL_RULE = 'must be visible ASCII characters, without spaces';

/** Call it where such a text enters. */
export function isCredential(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** The address without trailing slashes. The error continues after the name of the setting. */
export function readVenueUrl(text: string, scheme: 'http' | 'ws'): Result<string, string> {
  const isUrl = URL.canParse(text) && [`${scheme}:`, `${scheme}s:`].includes(new URL(text).protocol);
  if (isUrl && !/[?#@\s]/.test(text)) return ok(text.replace(/\/+$/, ''));
  return fail(`must be a URL of ${scheme} or ${scheme}s, without user, query and fragment`);
}
