// What names or proves an account to its venue and becomes a header as it stands: a line break in it would be another header, and a
// connection refuses the rest only when it is made. Asked where such a text enters. Pure.

export const CREDENTIAL_RULE = 'must be visible ASCII characters, without spaces';

export function isCredential(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
