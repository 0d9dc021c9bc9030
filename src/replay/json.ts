// Reading of JSON that others wrote: recorded frames and clients' commands. Replay thread.

export type JsonObject = { readonly [key: string]: unknown };

/** The value of a JSON text; undefined if it is none. */
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

/** The value if it is a string, else the empty string. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The objects of an array; none if it is no array. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The strings of an array; none if it is no array. */
export function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : [];
}
