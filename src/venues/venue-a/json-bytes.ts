// Skips JSON in bytes: white space, strings and unused values. Every position may be one past the end, where the caller
// keeps a terminating 0. Venue A's feed thread.

export const QUOTE = 0x22;
export const COMMA = 0x2c;
const COLON = 0x3a;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
const BACKSLASH = 0x5c;
const SPACE = 0x20;

/** Stands for no position. */
export const NONE = -1;

/** Returns four ASCII characters as `DataView.getInt32` reads them. */
export function word(text: string): number {
  return Buffer.from(text, 'latin1').readInt32BE();
}

/** Returns the position of the first byte at or after `at` that is not white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let next = at;
  for (let byte = bytes[next]!; byte <= SPACE && byte !== 0; byte = bytes[next]!) {
    if (byte !== SPACE && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return next;
    next += 1;
  }
  return next;
}

/** Skips a string. Returns the position after its closing quote, or NONE if the string does not end. */
export function skipString(bytes: Uint8Array, at: number): number {
  let next = at + 1;
  for (;;) {
    const byte = bytes[next]!;
    if (byte === QUOTE) return next + 1;
    if (byte < SPACE) return NONE;
    next += byte === BACKSLASH ? 2 : 1;
  }
}

/** Skips the colon after a key. Returns the position of the value, or NONE without a colon. */
export function skipColon(bytes: Uint8Array, at: number): number {
  if (bytes[at] === COLON && bytes[at + 1]! > SPACE) return at + 1;
  const colon = skipSpace(bytes, at);
  return bytes[colon] === COLON ? skipSpace(bytes, colon + 1) : NONE;
}

/** Skips what follows a value. Returns the position of the next key or of the object's closing brace, or NONE if neither follows. */
export function skipComma(bytes: Uint8Array, at: number): number {
  if (bytes[at] === COMMA && bytes[at + 1] === QUOTE) return at + 1;
  const next = skipSpace(bytes, at);
  if (bytes[next] === CLOSE_BRACE) return next;
  if (bytes[next] !== COMMA) return NONE;
  const key = skipSpace(bytes, next + 1);
  return bytes[key] === QUOTE ? key : NONE;
}

/** Skips a whole member, unread, whose key is at `key` (inside its quotes). Returns the position after it. */
export function skipMember(bytes: Uint8Array, key: number): number {
  const keyEnd = skipString(bytes, key - 1);
  if (keyEnd === NONE) return NONE;
  const value = skipColon(bytes, keyEnd);
  return value === NONE ? NONE : skipValue(bytes, value);
}

/**
 * Skips a value of any kind. Returns the position after it, or NONE if it does not end. Looks only at nesting and strings, because the
 * value is not used.
 */
export function skipValue(bytes: Uint8Array, at: number): number {
  if (bytes[at] === QUOTE) return skipString(bytes, at);
  if (bytes[at] === OPEN_BRACE || bytes[at] === OPEN_BRACKET) return skipNested(bytes, at);
  let next = at;
  while (isScalar(bytes[next]!)) next += 1;
  return next === at ? NONE : next;
}

function skipNested(bytes: Uint8Array, at: number): number {
  let depth = 0;
  let next = at;
  for (;;) {
    const byte = bytes[next]!;
    if (byte === 0) return NONE;
    if (byte === QUOTE) {
      next = skipString(bytes, next);
      if (next === NONE) return NONE;
      continue;
    }
    next += 1;
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return next;
    }
  }
}

/** Whether a byte may be part of a number, of true, false or null. */
function isScalar(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2e ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x45
  );
}
