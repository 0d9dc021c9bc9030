// Operators' settings for a venue: its address, and texts that identify or authenticate an account. Such a text becomes the value of a
// header unchanged. A line break in it would start another header; other invalid characters would be noticed only when a connection opens.
// Pure.

import { fail, ok, type Result } from '../core/domain/result.ts';

export const CREDENTIAL_RULE = 'must be visible ASCII characters, without spaces';

/** Whether a text can be the value of a header. Call this where such a text enters. */
export function isCredential(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** Returns the address without trailing slashes. The error continues a sentence that begins with the name of the setting. */
export function readVenueUrl(text: string, scheme: 'http' | 'ws'): Result<string, string> {
  const isUrl = URL.canParse(text) && [`${scheme}:`, `${scheme}s:`].includes(new URL(text).protocol);
  if (isUrl && !/[?#@\s]/.test(text)) return ok(text.replace(/\/+$/, ''));
  return fail(`must be a URL of ${scheme} or ${scheme}s, without user, query and fragment`);
}
