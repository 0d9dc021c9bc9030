// Reads values from untrusted JSON: each function has a result for every value. Pure.

export type JsonObject = { readonly [key: string]: unknown };

/** Returns the value of a JSON text, or undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is a whole number from 0 to 2^53 − 1, else null. */
export function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Whether a field is missing, null or an empty text. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Returns the value if it is a string, else the empty string. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Returns the text of a number or a string; the empty text for other types. A number with as many digits as money has keeps its text as
 * written. `String` would turn `[["5"]]` into a number, and overflow the stack on deep nesting.
 */
export function decimalTextOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : textOf(value);
}

/** Returns the objects of an array; an empty list for any other value. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns the strings of an array; an empty list for any other value. */
export function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : [];
}
