// The text of `SVC-Signature` (contract §2): base64 (RFC 4648 §4, padded) or base64url (§5, unpadded) of exactly 64 bytes.
// Strict, so that each alphabet gives a signature one text: no white space, mixed alphabets or stray bits. Portable.

const SIGNATURE_BYTES = 64;
/** 64 bytes are 21 groups of four characters and two more; base64 pads those to a group. */
const BASE64URL_CHARACTERS = 86;
const BASE64_CHARACTERS = 88;

/** Greater than any value of six bits. */
const NO_DIGIT = 64;
const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const BASE64_VALUES = valuesOf(`${LETTERS_AND_DIGITS}+/`);
const BASE64URL_VALUES = valuesOf(`${LETTERS_AND_DIGITS}-_`);

/** The 64 bytes of a signature in a buffer of their own; null if the text is malformed. */
export function readSignature(text: string): Uint8Array | null {
  if (text.length === BASE64URL_CHARACTERS) return decode(text, BASE64URL_VALUES);
  if (text.length === BASE64_CHARACTERS && text.endsWith('==')) return decode(text, BASE64_VALUES);
  return null;
}

function decode(text: string, values: Uint8Array): Uint8Array | null {
  const bytes = new Uint8Array(SIGNATURE_BYTES);
  let seen = 0;
  let at = 0;
  for (let byte = 0; byte < SIGNATURE_BYTES - 1; byte += 3) {
    const [a, b, c, d] = [value(at), value(at + 1), value(at + 2), value(at + 3)];
    seen |= a | b | c | d;
    bytes[byte] = (a << 2) | (b >> 4);
    bytes[byte + 1] = (b << 4) | (c >> 2);
    bytes[byte + 2] = (c << 6) | d;
    at += 4;
  }
  const [a, b] = [value(at), value(at + 1)];
  seen |= a | b;
  bytes[SIGNATURE_BYTES - 1] = (a << 2) | (b >> 4);
  const hasStrayBits = (b & 0x0f) !== 0;
  return seen >= NO_DIGIT || hasStrayBits ? null : bytes;

  function value(index: number): number {
    return values[text.charCodeAt(index)] ?? NO_DIGIT;
  }
}

/** Digit values by character code. */
function valuesOf(alphabet: string): Uint8Array {
  const values = new Uint8Array(128).fill(NO_DIGIT);
  for (let value = 0; value < alphabet.length; value++) values[alphabet.charCodeAt(value)] = value;
  return values;
}
