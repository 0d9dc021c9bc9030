// Reads and checks query parameters, and refuses them in venue B's own words (venue-b.md §7, shape C). Also pages by cursor: a cursor is
// the id of the page's last item, and an invalid cursor means the first page (venue-b.md §4). Thread of the paper exchanges.

import { jsonReply, type Reply } from '../../../core/net/listen.ts';
import { badParameter } from './errors.ts';
import { validationComplaint } from './go-body.ts';

export class QueryReader {
  readonly #operation: string;
  readonly #query: URLSearchParams;
  #refusal: Reply | null = null;

  /** `operation` is the venue's name of the call, such as `GetMarkets`. */
  constructor(operation: string, query: URLSearchParams) {
    this.#operation = operation;
    this.#query = query;
  }

  /** The first error so far. Null means that there is none. */
  get refusal(): Reply | null {
    return this.#refusal;
  }

  /** Whether the query has the parameter, even if it is empty. */
  has(name: string): boolean {
    return this.#query.has(name);
  }

  /** Returns the text. Null means that the parameter is absent or empty, which the venue treats alike. */
  text(name: string): string | null {
    return this.#query.get(name) || null;
  }

  /** Returns `a,b,c` as a set. Null means that the parameter is absent. */
  list(name: string): ReadonlySet<string> | null {
    const text = this.text(name);
    return text === null ? null : new Set(text.split(','));
  }

  /** Returns every value of a repeated parameter. */
  all(name: string): ReadonlySet<string> {
    return new Set(this.#query.getAll(name));
  }

  flag(name: string): boolean {
    return this.text(name) === 'true';
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | null {
    const text = this.text(name);
    const word = words.find(candidate => candidate === text) ?? null;
    if (text !== null && word === null) this.#break(name, 'oneof');
    return word;
  }

  /** Returns an integer within the bounds. Null means that the parameter is absent. */
  integer(name: string, min: number, max: number): number | null {
    const text = this.text(name);
    if (text === null) return null;
    const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isSafeInteger(value)) {
      if (value >= min && value <= max) return value;
      this.#break(name, value < min ? 'gte' : 'lte');
    } else {
      const problem = `strconv.ParseInt: parsing "${text}": invalid syntax`;
      this.#refuse(`Invalid format for parameter ${name}: error binding string parameter: ${problem}`);
    }
    return null;
  }

  /** Returns a time in Unix seconds. */
  time(name: string): number | null {
    return this.integer(name, 0, Number.MAX_SAFE_INTEGER);
  }

  /** Returns the size of a page. 0 means the default. */
  limit(usual: number, max: number, name = 'limit'): number {
    return this.integer(name, 0, max) || usual;
  }

  require(...names: readonly string[]): void {
    for (const name of names) if (this.text(name) === null) this.#break(name, 'required');
  }

  /** Reports an error that is not about a single parameter. */
  reject(problem: string): void {
    this.#refuse(`Parameter validation failed for ${this.#operation}: ${problem}`);
  }

  /** Returns the page that the query asks for. `list.limit` is its size. */
  page<Item>(items: Iterable<Item>, list: PageTerms<Item>): Page<Item> {
    return pageOf(items, { cursor: this.text('cursor'), ...list });
  }

  /** Answers with a page of one list, under the list's name. */
  reply<Item>(name: string, items: Iterable<Item>, list: PageTerms<Item>, show: (item: Item) => object): Reply {
    const page = this.page(items, list);
    return jsonReply(200, { cursor: page.cursor, [name]: page.items.map(show) });
  }

  #break(name: string, rule: string): void {
    this.reject(validationComplaint(`${this.#operation}Params`, name, rule));
  }

  #refuse(msg: string): void {
    this.#refusal ??= badParameter(msg);
  }
}

interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next page. It is empty on the last page. */
  readonly cursor: string;
}

interface PageTerms<T> {
  readonly limit: number;
  /** Returns an id that is unique within the list. */
  readonly idOf: (item: T) => string;
  /** Whether an item is shown. The cursor's item need not be shown any more, because an order may end between two pages. */
  readonly admits?: (item: T) => boolean;
}

/** Returns the `limit` items after the cursor. Cursors are ids, so that new items do not move the pages of older ones. */
export function pageOf<T>(
  items: Iterable<T>,
  { limit, cursor, idOf, admits = () => true }: PageTerms<T> & { readonly cursor: string | null },
): Page<T> {
  const after = cursor === null ? '' : Buffer.from(cursor, 'base64url').toString();
  const first: T[] = [];
  let page: T[] | null = after === '' ? first : null;
  for (const item of items) {
    const list = page ?? first;
    if (list.length <= limit && admits(item)) list.push(item);
    if (page === null && idOf(item) === after) page = [];
    else if (page !== null && page.length > limit) break;
  }
  page ??= first;
  const shown = page.slice(0, limit);
  const last = shown.at(-1);
  const isLastPage = page.length <= limit || last === undefined;
  return { items: shown, cursor: isLastPage ? '' : Buffer.from(idOf(last)).toString('base64url') };
}
