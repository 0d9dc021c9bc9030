// Yields the items of a JSON list that is too large to parse whole. The text is the list, or an object that holds it under a known key.
// It keeps one item at a time. Pure.

/** The text is no JSON, or no such list; the message says why. */
export class ListError extends Error {
  override readonly name = 'ListError';
}

type State =
  | 'start'
  | 'first-item'
  | 'next-item'
  | 'item'
  | 'after-item'
  | 'first-key'
  | 'next-key'
  | 'key'
  | 'colon'
  | 'value'
  | 'in-value'
  | 'after-value'
  | 'end';

const BLANK = /\s/;
const MALFORMED = 'no JSON';

export class ListItems {
  readonly #keys: readonly string[];
  readonly #itemCharactersMax: number;
  readonly #value = new ValueScanner();
  #state: State = 'start';
  #isInObject = false;
  /** The text of the item or key that is being read. */
  #text = '';
  #key = '';
  #lists = 0;

  /** `keys` are those under which an object may hold the list. */
  constructor(keys: readonly string[], itemCharactersMax: number) {
    this.#keys = keys;
    this.#itemCharactersMax = itemCharactersMax;
  }

  /** The texts of items that end in this part of the document. Throws a ListError. */
  *push(part: string): Generator<string> {
    let at = 0;
    while (at < part.length) {
      if (this.#state === 'item' || this.#state === 'key' || this.#state === 'in-value') {
        const end = this.#value.scan(part, at);
        if (this.#state !== 'in-value') this.#keep(part.slice(at, end));
        at = end;
        if (!this.#value.hasEnded) return;
        if (this.#state === 'item') yield this.#text;
        else if (this.#state === 'key') this.#key = keyOf(this.#text);
        this.#state = AFTER[this.#state];
        continue;
      }
      // A value's first character is read again, as a part of it.
      if (BLANK.test(part[at]!) || !this.#step(part[at]!)) at += 1;
    }
  }

  /** Throws a ListError if the document ends too early, or had no list. */
  end(): void {
    if (this.#state !== 'end') throw new ListError('the file ends within its JSON: it is cut off');
    if (this.#lists === 0) throw new ListError(`no list under ${this.#keys.join(', ')}`);
  }

  #keep(text: string): void {
    this.#text += text;
    if (this.#text.length > this.#itemCharactersMax)
      throw new ListError(`longer than ${this.#itemCharactersMax} characters`);
  }

  /** Takes a character between two values; true: a value begins with it. */
  #step(character: string): boolean {
    switch (this.#state) {
      case 'start':
        if (character === '[') this.#openList(false);
        else if (character === '{') this.#state = 'first-key';
        else throw new ListError(MALFORMED);
        return false;
      case 'first-item':
        if (character === ']') this.#closeList();
        else return this.#begin('item');
        return false;
      case 'next-item':
        return this.#begin('item');
      case 'after-item':
        if (character === ',') this.#state = 'next-item';
        else if (character === ']') this.#closeList();
        else throw new ListError(MALFORMED);
        return false;
      case 'first-key':
      case 'next-key':
        if (character === '}' && this.#state === 'first-key') this.#state = 'end';
        else if (character === '"') return this.#begin('key');
        else throw new ListError(MALFORMED);
        return false;
      case 'colon':
        if (character !== ':') throw new ListError(MALFORMED);
        this.#state = 'value';
        return false;
      case 'value':
        if (character !== '[' || !this.#keys.includes(this.#key)) return this.#begin('in-value');
        this.#openList(true);
        return false;
      case 'after-value':
        if (character !== ',' && character !== '}') throw new ListError(MALFORMED);
        this.#state = character === ',' ? 'next-key' : 'end';
        return false;
      default:
        throw new ListError(MALFORMED);
    }
  }

  #begin(state: 'item' | 'key' | 'in-value'): true {
    this.#state = state;
    this.#text = '';
    this.#value.begin();
    return true;
  }

  #openList(isInObject: boolean): void {
    this.#lists += 1;
    if (this.#lists > 1) throw new ListError('more than one list of frames');
    this.#isInObject = isInObject;
    this.#state = 'first-item';
  }

  #closeList(): void {
    this.#state = this.#isInObject ? 'after-value' : 'end';
  }
}

const AFTER = { item: 'after-item', key: 'colon', 'in-value': 'after-value' } as const;

function keyOf(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    throw new ListError(MALFORMED);
  }
}

/** Finds where a JSON value ends, by its brackets and quotes; whether it is sound is for its parser. */
class ValueScanner {
  hasEnded = false;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isScalar = false;
  #hasBegun = false;

  begin(): void {
    this.hasEnded = this.#isInString = this.#isEscaped = this.#isScalar = this.#hasBegun = false;
    this.#depth = 0;
  }

  /** Index of the first character that no longer belongs to the value, or the length of `part`. Throws a ListError. */
  scan(part: string, from: number): number {
    for (let at = from; at < part.length; at += 1) {
      const code = part.charCodeAt(at);
      if (this.#isInString) this.#inString(code);
      else if (code === QUOTE) this.#isInString = true;
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#depth += 1;
      else if (this.#isScalar || !this.#hasBegun) {
        this.#isScalar = true;
        this.hasEnded =
          this.#hasBegun && (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code <= SPACE);
        if (this.hasEnded) return at;
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) this.#depth -= 1;
      this.#hasBegun = true;
      if (this.#depth === 0 && !this.#isInString && !this.#isScalar) {
        this.hasEnded = true;
        return at + 1;
      }
    }
    return part.length;
  }

  #inString(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) this.#isInString = false;
    else if (code < SPACE) throw new ListError(MALFORMED);
  }
}

const [QUOTE, BACKSLASH, COMMA, SPACE] = [0x22, 0x5c, 0x2c, 0x20];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
