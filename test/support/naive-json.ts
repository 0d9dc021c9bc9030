// JSON by its grammar (RFC 8259), one character after the other. It finds what JSON.parse finds. It also reports a key that is given twice
// and a number that is not a plain integer, which JSON.parse does not. It is the twin of the reader of requests.

interface NaiveJson {
  readonly value: unknown;
  readonly depth: number;
  /** Whether an object has a key twice. */
  readonly isAmbiguous: boolean;
  /** Whether a number has a point or an exponent. */
  readonly hasDecimals: boolean;
}

/** The depth at which the parser gives up, deeper than any caller allows. */
const DEPTH_MAX = 200;

/** Parses a text. Null means that the text is not JSON, or is nested deeper than DEPTH_MAX. */
export function naiveJson(text: string): NaiveJson | null {
  const reader = new Reader(text);
  try {
    const value = reader.value(0);
    reader.space();
    const { depth, isAmbiguous, hasDecimals } = reader;
    return reader.isAtEnd ? { value, depth, isAmbiguous, hasDecimals } : null;
  } catch (error) {
    if (error instanceof NotJson) return null;
    throw error;
  }
}

class NotJson extends Error {}

class Reader {
  depth = 0;
  isAmbiguous = false;
  hasDecimals = false;
  #rest: string;

  constructor(text: string) {
    this.#rest = text;
  }

  get isAtEnd(): boolean {
    return this.#rest === '';
  }

  space(): void {
    this.#take(/^[ \t\r\n]*/);
  }

  value(depth: number): unknown {
    if (depth > DEPTH_MAX) throw new NotJson();
    this.space();
    switch (this.#rest[0]) {
      case '{':
        return this.#object(depth + 1);
      case '[':
        return this.#list(depth + 1);
      case '"':
        return this.#string();
      default:
        return this.#literal();
    }
  }

  #object(depth: number): object {
    const members = new Map<string, unknown>();
    this.#each(depth, '}', () => {
      const key = this.#string();
      this.space();
      this.#take(/^:/);
      this.isAmbiguous ||= members.has(key);
      members.set(key, this.value(depth));
    });
    // The members are copied as they are, `__proto__` too.
    return Object.fromEntries(members);
  }

  #list(depth: number): unknown[] {
    const items: unknown[] = [];
    this.#each(depth, ']', () => items.push(this.value(depth)));
    return items;
  }

  #each(depth: number, close: string, read: () => void): void {
    this.depth = Math.max(this.depth, depth);
    this.#rest = this.#rest.slice(1);
    this.space();
    for (let isFirst = true; this.#rest[0] !== close || !isFirst; isFirst = false) {
      if (!isFirst) this.#take(/^,/);
      this.space();
      read();
      this.space();
      if (this.#rest[0] === close) break;
    }
    this.#rest = this.#rest.slice(1);
  }

  #string(): string {
    const text = this.#take(/^"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/);
    return text.slice(1, -1).replace(/\\(?:u(.{4})|(.))/g, (_all, hex: string | undefined, letter: string) => {
      return hex === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16));
    });
  }

  #literal(): unknown {
    const text = this.#take(/^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/);
    if (text === 'null') return null;
    if (text === 'true' || text === 'false') return text === 'true';
    this.hasDecimals ||= /[.eE]/.test(text);
    return Number(text);
  }

  #take(pattern: RegExp): string {
    const [found] = pattern.exec(this.#rest) ?? [];
    if (found === undefined) throw new NotJson();
    this.#rest = this.#rest.slice(found.length);
    return found;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
