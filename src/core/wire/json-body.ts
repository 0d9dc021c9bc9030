// Reads the JSON object in a request's body. Refuses texts that JSON.parse accepts: invalid UTF-8 (which it replaces), duplicate keys (of
// which it takes the last), and numbers other than plain integers. JSON.parse reads `2.0` as 2; here decimals are strings. The depth is
// bounded before any recursion. Any thread.

import { limits } from '../../limits.ts';
import { wordsOf } from '../domain/error-words.ts';
import { isObject, type JsonObject } from '../domain/json.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import { doubledKey, endOfString } from './json-text.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const WORDS_MAX = 120;
/** The members with decimals as texts, in bodies of all kinds. */
const DECIMAL_TEXTS = ['price', 'worstPrice', 'size', 'amount', 'sharesMax'];

/** Returns the object, or an error text for the sender. */
export function readJsonBody(bytes: Uint8Array): Result<JsonObject, string> {
  if (bytes.length === 0) return fail('body: must be a JSON object, is empty');
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return fail('body: must be UTF-8');
  }
  const { depth, colons, decimal } = survey(text);
  if (depth > limits.bodyDepthMax) return fail(`body: nested deeper than ${limits.bodyDepthMax} levels (bodyDepthMax)`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fail(`body: must be JSON (${printable(error)})`);
  }
  if (!isObject(value)) return fail('body: must be a JSON object');
  if (decimal !== null) return fail(decimalMessage(text, decimal));
  // Each colon outside of strings belongs to one key, so duplicate keys leave more colons than keys.
  if (countKeys(value) !== colons) return fail(doubledKeyMessage(doubledKey(text) ?? ''));
  return ok(value);
}

function decimalMessage(text: string, { keyAt, valueAt }: Place): string {
  const name = nameOfKey(text, keyAt);
  const [number = ''] = /^[-+.\w]*/.exec(text.slice(valueAt, valueAt + WORDS_MAX).trimStart()) ?? [];
  if (!DECIMAL_TEXTS.includes(name))
    return `${name}: must be a plain integer, without point and exponent; decimals are text`;
  return `${name}: must be decimal text, like "${/^\d{1,10}\.\d{1,6}$/.test(number) ? number : '0.5'}"; is a number`;
}

function doubledKeyMessage(key: string): string {
  const name = fieldName(key);
  return name === 'body' ? 'body: names a key twice' : `${name}: is given twice`;
}

interface Survey {
  readonly depth: number;
  readonly colons: number;
  /** The place of the first number that is no plain integer. Null if all numbers are plain integers. */
  readonly decimal: Place | null;
}

interface Place {
  /** The place of the last key before that number. */
  readonly keyAt: number;
  /** The place after the colon of that key. */
  readonly valueAt: number;
}

/** Surveys the parts of the text outside of strings. */
function survey(text: string): Survey {
  let depth = 0;
  let open = 0;
  let colons = 0;
  let stringAt = 0;
  let keyAt = 0;
  let valueAt = 0;
  let decimal: Place | null = null;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      stringAt = at;
      const end = text.indexOf('"', at + 1);
      at = end > 0 && text[end - 1] !== '\\' ? end : endOfString(text, at);
    } else if (character === ':') {
      colons += 1;
      keyAt = stringAt;
      valueAt = at + 1;
    } else if (character === '.' || character === 'E' || (character === 'e' && isDigit(text[at - 1]))) {
      decimal ??= { keyAt, valueAt };
    } else if (character === '{' || character === '[') depth = Math.max(depth, ++open);
    else if (character === '}' || character === ']') open -= 1;
  }
  return { depth, colons, decimal };
}

/** Returns the key at `start` if it looks like a field name. Otherwise names the body. */
function nameOfKey(text: string, start: number): string {
  return fieldName(text.slice(start + 1, endOfString(text, start)));
}

function fieldName(key: string): string {
  return /^\w{1,40}$/.test(key) ? key : 'body';
}

/** Whether a character is a digit. An exponent follows a digit; the words true and false have no digits. */
function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

function countKeys(value: unknown): number {
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countKeys(item);
  } else if (isObject(value)) {
    for (const name in value) count += typeof value[name] === 'object' ? 1 + countKeys(value[name]) : 1;
  }
  return count;
}

function printable(error: unknown): string {
  const words = wordsOf(error);
  return words.slice(0, WORDS_MAX).replace(/[^\x20-\x7e]/g, '?');
}
