// Watches which fields of a venue's JSON our readers use. A reader gets a proxy of the value that records each look at a field, so no list
// of names is needed. Fields are named by their path: `events[].markets[].title`. Pure.

import { isObject } from '../core/domain/json.ts';

/** A value that a reader is reading. */
interface Watched {
  /** The value as a proxy, which records each look at a field. */
  readonly value: unknown;
  /** Ends the watch. `isRead` says whether the reader understood the value. */
  end(isRead: boolean): void;
}

/** The fields that one reading saw. */
interface Looks {
  readonly found: Set<string>;
  readonly missed: Set<string>;
}

const FIELD = /^[A-Za-z_]\w{0,63}$/;

export class FieldWatch {
  #rows = 0;
  #refused = 0;
  readonly #looked = new Set<string>();
  /**
   * Fields that the reader of a value did not use, of understood values and of refused ones. The reader may have left a refused value
   * early.
   */
  readonly #passed = { read: new Set<string>(), refused: new Set<string>() };
  /** Fields that a reader looked for and did not find. */
  readonly #missed = { read: new Set<string>(), refused: new Set<string>() };

  watch(value: unknown): Watched {
    const looks: Looks = { found: new Set(), missed: new Set() };
    return {
      value: recording(value, '', looks),
      end: isRead => {
        const kind = isRead ? 'read' : 'refused';
        this.#rows += 1;
        if (!isRead) this.#refused += 1;
        for (const path of [...looks.found, ...looks.missed]) this.#looked.add(path);
        for (const path of looks.missed) this.#missed[kind].add(path);
        addPassed(value, '', looks.found, this.#passed[kind]);
      },
    };
  }

  get rows(): number {
    return this.#rows;
  }

  get refused(): number {
    return this.#refused;
  }

  /** Fields that the venue sends and no reader looks at, sorted. */
  get unread(): readonly string[] {
    const passed = this.#refused === this.#rows ? this.#passed.refused : this.#passed.read;
    return [...passed].filter(path => !this.#looked.has(path)).sort();
  }

  /** Fields that are missing from refused values, and are never missing from understood ones, sorted. */
  get lacking(): readonly string[] {
    return [...this.#missed.refused].filter(path => !this.#missed.read.has(path)).sort();
  }
}

function recording(value: unknown, path: string, looks: Looks): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      const field: unknown = Reflect.get(target, key);
      const at = placeOf(target, key, path);
      if (at === null) return field;
      if (field === undefined) looks.missed.add(at);
      else looks.found.add(at);
      return recording(field, at, looks);
    },
  });
}

/** Returns the path of a field. Returns null for a method or a length, which are not fields of the JSON. */
function placeOf(target: object, key: string | symbol, path: string): string | null {
  if (typeof key === 'symbol') return null;
  if (Array.isArray(target)) return /^\d+$/.test(key) ? `${path}[]` : null;
  return key in Object.prototype && !Object.hasOwn(target, key) ? null : joined(path, key);
}

function joined(path: string, key: string): string {
  const name = FIELD.test(key) ? key : '?';
  return path === '' ? name : `${path}.${name}`;
}

function addPassed(value: unknown, path: string, found: ReadonlySet<string>, passed: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) addPassed(item, `${path}[]`, found, passed);
  } else if (isObject(value)) {
    for (const [key, field] of Object.entries(value)) {
      const at = joined(path, key);
      if (found.has(at)) addPassed(field, at, found, passed);
      else passed.add(at);
    }
  }
}
