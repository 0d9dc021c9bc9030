// Finds a duplicate key in an object, of which JSON.parse silently takes the last. One pass over the text, at any depth. Any thread.

const QUOTE = '"';

/** The first duplicate key of valid JSON text; null: there is none. */
export function doubledKey(text: string): string | null {
  /** Keys of each open object or list; null until the first key. */
  const open: (Set<string> | null)[] = [];
  let string = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === QUOTE) {
      const end = endOfString(text, at);
      string = text.slice(at, end + 1);
      at = end;
    } else if (character === ':') {
      const key = string.includes('\\') ? (JSON.parse(string) as string) : string.slice(1, -1);
      const keys = open.at(-1) ?? new Set();
      if (keys.has(key)) return key;
      open[open.length - 1] = keys.add(key);
    } else if (character === '{' || character === '[') open.push(null);
    else if (character === '}' || character === ']') open.pop();
  }
  return null;
}

/** Index of the closing quote of the string that begins at `start`; past the end of the text if it is missing. */
export function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === '\\' ? 2 : 1;
  return at;
}
