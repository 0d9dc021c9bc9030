// The watch over a reader: which fields the reader has read, passed over or missed, as the watch sees it from the accesses.

import { describe, expect, it } from 'vitest';
import { isObject, objectsOf } from '../../src/core/domain/json.ts';
import { FieldWatch } from '../../src/venues/field-watch.ts';

/** Reads as a real reader does: it takes parts of the value, and stops at the first part that is unreadable. */
function read(value: unknown): boolean {
  if (!isObject(value) || typeof value.id !== 'string') return false;
  const { name, about } = value;
  const rows = objectsOf(value.rows).map(row => row.price ?? row.cost);
  return typeof name === 'string' && !(isObject(about) && about.kind === 'other') && !rows.includes(undefined);
}

function watched(...values: readonly unknown[]) {
  const watch = new FieldWatch();
  for (const value of values) {
    const { value: given, end } = watch.watch(value);
    end(read(given));
  }
  const { rows, refused, unread, lacking } = watch;
  return { rows, refused, unread, lacking };
}

describe('a watch', () => {
  it('names the fields that a reader passes over, at any depth and in lists', () => {
    const about = { kind: 'x', extra: 1 };
    const value = { id: 'a', name: 'b', novel: { deep: 1 }, about, rows: [{ price: 1, odd: 2 }] };
    const unread = ['about.extra', 'novel', 'rows[].odd'];
    expect(watched(value)).toEqual({ rows: 1, refused: 0, unread, lacking: [] });
  });

  it('takes a field for known once one reading has looked at it', () => {
    const both = { id: 'a', name: 'b', rows: [{ price: 1, cost: 1 }] };
    expect(watched(both).unread).toEqual(['rows[].cost']);
    expect(watched(both, { id: 'a', name: 'b', rows: [{ cost: 1 }] }).unread).toEqual([]);
  });

  it('names what a refused value lacks and no other could do without', () => {
    const whole = { id: 'a', name: 'b' };
    expect(watched(whole, { id: 'a' })).toMatchObject({ rows: 2, refused: 1, lacking: ['name'] });
    expect(watched({}).lacking).toEqual(['id']);
  });

  it('leaves out of account what a reader did not come to, unless nothing is readable', () => {
    expect(watched({ id: 'a', name: 'b' }, { novel: 1 }).unread).toEqual([]);
    expect(watched({ novel: 1 }).unread).toEqual(['novel']);
  });

  it('shows no key that is an id or worse', () => {
    expect(watched({ id: 'a', name: 'b', '0x12"\n': 1, toString: 2 }).unread).toEqual(['?', 'toString']);
  });
});
