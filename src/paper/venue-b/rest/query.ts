// Query parameters: read, checked, and refused in venue B's own words (venue-b.md §7, shape C), and pages by cursor. A cursor is the id of
// the page's last item; an invalid one means the first page (venue-b.md §4). Thread of the paper exchanges.

import { jsonReply, type Reply } from '../../../core/net/listen.ts';
import { badParameter } from './errors.ts';
import { validationComplaint } from './go-body.ts';

export class QueryReader {
  readonly #operation: string;
  readonly #query: URLSearchParams;
  #refusal: Reply | null = null;

  /** `operation`: the venue's name, such as `GetMarkets`. */
  constructor(operation: string, query: URLSearchParams) {
    this.#operation = operation;
    this.#query = query;
  }

  /** The first error so far, if any. */
  get refusal(): Reply | null {
    return this.#refusal;
  }

  /** Whether it is there, even if empty. */
  has(name: string): boolean {
    return this.#query.has(name);
  }

  /** Null if absent or empty; the venue treats both alike. */
  text(name: string): string | null {
    return this.#query.get(name) || null;
  }

  /** `a,b,c` as a set; null if it is absent. */
  list(name: string): ReadonlySet<string> | null {
    const text = this.text(name);
    return text === null ? null : new Set(text.split(','));
  }

  /** Every value of a repeated parameter. */
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

  /** An integer within the bounds; null if absent. */
  whole(name: string, min: number, max: number): number | null {
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

  /** Unix seconds. */
  time(name: string): number | null {
    return this.whole(name, 0, Number.MAX_SAFE_INTEGER);
  }

  /** Page size: 0 means the default. */
  limit(usual: number, max: number, name = 'limit'): number {
    return this.whole(name, 0, max) || usual;
  }

  require(...names: readonly string[]): void {
    for (const name of names) if (this.text(name) === null) this.#break(name, 'required');
  }

  /** `problem`: an error that is not about a single parameter. */
  reject(problem: string): void {
    this.#refuse(`Parameter validation failed for ${this.#operation}: ${problem}`);
  }

  /** The page that the query asks for; `list.limit` is its size. */
  page<Item>(items: Iterable<Item>, list: PageTerms<Item>): Page<Item> {
    return pageOf(items, { cursor: this.text('cursor'), ...list });
  }

  /** An answer that is a page of one list, under its name. */
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
  /** Empty on the last page. */
  readonly cursor: string;
}

interface PageTerms<T> {
  readonly limit: number;
  /** Unique within a list. */
  readonly idOf: (item: T) => string;
  /** Whether an item is shown. The cursor's item need not be any more: an order may end between two pages. */
  readonly admits?: (item: T) => boolean;
}

/** The `limit` items after the cursor. Cursors are ids, so that newer items do not move the pages of older ones. */
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
