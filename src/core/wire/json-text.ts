// Reads JSON text, and two things that JSON.parse hides: a duplicate key, of which JSON.parse silently takes the last, and the text of a
// member. One pass over the text. Any thread.

import { FieldError, shown } from './fields.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const [LIST, LIST_END] = [0x5b, 0x5d];
const [OBJECT, OBJECT_END] = [0x7b, 0x7d];

const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the text of a message. Throws a FieldError if the bytes are not UTF-8. */
export function utf8Text(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw notJson();
  }
}

/** Returns the value of a message's text. Throws a FieldError if the text is not JSON. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

function notJson(): FieldError {
  return new FieldError('message', 'must be JSON text in UTF-8');
}

/** Returns the first duplicate key of valid JSON text, at any depth, or null if no key is duplicate. */
export function doubledKey(text: string): string | null {
  /** The keys of each open object or list. Null until the first key. */
  const open: (Set<string> | null)[] = [];
  let start = 0;
  let end = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      start = at;
      end = endOfString(text, at);
      at = end;
    } else if (character === COLON) {
      const key = keyOf(text, start, end);
      const keys = open.at(-1) ?? new Set();
      if (keys.has(key)) return key;
      open[open.length - 1] = keys.add(key);
    } else if (character === OBJECT || character === LIST) open.push(null);
    else if (character === OBJECT_END || character === LIST_END) open.pop();
  }
  return null;
}

/** Throws a FieldError for a duplicate key of valid JSON text, because taking either value would be a guess. */
export function refuseDoubledKey(text: string): void {
  const doubled = doubledKey(text);
  if (doubled !== null) throw new FieldError(shown(doubled), 'is given twice');
}

/**
 * Returns the text of a member of the outermost object, as the sender wrote it. An idempotency key is bound to the bytes of its order.
 * `text` is valid JSON of an object that has the member once.
 */
export function memberText(text: string, name: string): string {
  let depth = 0;
  let start = 0;
  let end = 0;
  let from = -1;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      start = at;
      end = endOfString(text, at);
      at = end;
    } else if (character === OBJECT || character === LIST) depth += 1;
    else if (character === OBJECT_END || character === LIST_END) {
      depth -= 1;
      if (depth === 0 && from >= 0) return text.slice(from, at).trim();
    } else if (depth === 1 && character === COLON && from < 0) {
      if (keyOf(text, start, end) === name) from = at + 1;
    } else if (depth === 1 && character === COMMA && from >= 0) return text.slice(from, at).trim();
  }
  return '';
}

/**
 * Returns the index of the closing quote of the string that begins at `start`. If the quote is missing, the index is past the end of the
 * text.
 */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && text.charCodeAt(end - 1) === BACKSLASH && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

/** Whether an odd number of backslashes stands before the character. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

/** Returns the key between two quotes. */
function keyOf(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end);
  return raw.includes('\\') ? (JSON.parse(text.slice(start, end + 1)) as string) : raw;
}
