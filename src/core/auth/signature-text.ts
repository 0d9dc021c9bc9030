// The text of `SVC-Signature` (contract §2): base64 (RFC 4648 §4, padded) or base64url (§5, unpadded) of exactly 64 bytes.
// Strict, so that each alphabet gives a signature one text: no white space, mixed alphabets or stray bits. Any thread.

const SIGNATURE_BYTES = 64;
/** 64 bytes are 21 groups of four characters and two more; base64 pads those to a group. */
const BASE64URL_CHARACTERS = 86;
const BASE64_CHARACTERS = 88;

/** The 64 bytes of a signature in a buffer of their own; null if the text is malformed. */
export function readSignature(text: string): Uint8Array | null {
  if (text.length === BASE64URL_CHARACTERS) return decode(text, 'base64url');
  return text.length === BASE64_CHARACTERS ? decode(text, 'base64') : null;
}

/** Node reads base64 leniently, so the text must be the text that Node writes for these bytes. */
function decode(text: string, encoding: 'base64' | 'base64url'): Uint8Array | null {
  const bytes = Buffer.from(text, encoding);
  return bytes.length === SIGNATURE_BYTES && bytes.toString(encoding) === text ? new Uint8Array(bytes) : null;
}
