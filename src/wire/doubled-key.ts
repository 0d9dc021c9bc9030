// A key that an object has twice, of which JSON.parse silently takes the last. One pass over the text, however deep it is. Any thread.

const QUOTE = '"';

/** The first such key of a text that is JSON; null: there is none. */
export function doubledKey(text: string): string | null {
  /** Of the objects and lists that are open; null as long as one has no key. */
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

/** Where the string that begins at `start` has its last quote; past the text's end if it has none. */
export function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === '\\' ? 2 : 1;
  return at;
}
