// Query parameters: read, checked, and refused in venue B's own words (venue-b.md §7, shape C). Only the first error is
// reported. Thread of the paper exchanges.

import type { Reply } from '../../../net/listen.ts';
import { badParameter } from './errors.ts';
import { validationComplaint } from './go-body.ts';
import { listParameter, numberParameter } from './parameters.ts';

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

  /** Null if absent or empty; the venue treats both alike. */
  text(name: string): string | null {
    return this.#query.get(name) || null;
  }

  /** `a,b,c` as a set; null if it is absent. */
  list(name: string): ReadonlySet<string> | null {
    return listParameter(this.#query, name);
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
    const value = numberParameter(this.#query, this.#operation, name, { min, max });
    if (value.ok) return value.value;
    this.#refusal ??= value.error;
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
    this.#refusal ??= badParameter(`Parameter validation failed for ${this.#operation}: ${problem}`);
  }

  #break(name: string, rule: string): void {
    this.reject(validationComplaint(`${this.#operation}Params`, name, rule));
  }
}
