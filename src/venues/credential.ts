// Checks texts that identify or authenticate an account and become header values unchanged. A line break in one would start another
// header; a connection would refuse the rest only when it opens. Checked where such a text enters. Pure.

export const CREDENTIAL_RULE = 'must be visible ASCII characters, without spaces';

export function isCredential(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
