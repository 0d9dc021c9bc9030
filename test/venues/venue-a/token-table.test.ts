// The token table against a Map.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMPLEMENT, PRIMARY } from '../../../src/core/domain/market.ts';
import { bookOfSlot, TokenTable, tokenSlot, viewOfSlot } from '../../../src/venues/venue-a/token-table.ts';

function find(table: TokenTable, token: string): number {
  const bytes = Buffer.from(`${'\u00ff'.repeat(3)}${token}${'\u0000'.repeat(8)}`, 'latin1');
  return table.find(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 3, token.length);
}

describe('token table', () => {
  it('agrees with a Map over insertions and removals', () => {
    const tokens = fc.oneof(
      fc.stringMatching(/^\d{1,12}$/),
      fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }).map(String),
      // Token ids that differ only in one digit in the middle.
      fc.integer({ min: 0, max: 9 }).map(digit => `${'1'.repeat(38)}${digit}${'2'.repeat(38)}`),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(tokens, fc.boolean()), { maxLength: 200 }), steps => {
        const table = new TokenTable();
        const twin = new Map<string, number>();
        for (const [step, [token, isRemoval]] of steps.entries()) {
          if (isRemoval && twin.has(token)) {
            table.remove(twin.get(token)!);
            twin.delete(token);
          } else if (!isRemoval && !twin.has(token)) {
            table.insert(token, step);
            twin.set(token, step);
          }
        }
        for (const [token] of steps) expect(find(table, token)).toBe(twin.get(token) ?? -1);
      }),
    );
  });

  it('holds thousands, and finds nothing that only begins or ends alike', () => {
    const table = new TokenTable();
    const token = (index: number) => `${(1n << 200n) + BigInt(index) * 7_919n}`;
    for (let index = 0; index < 8_000; index += 1) table.insert(token(index), index);
    for (let index = 0; index < 8_000; index += 1) expect(find(table, token(index))).toBe(index);
    expect(find(table, token(8_000))).toBe(-1);
    expect(find(table, token(0).slice(1))).toBe(-1);
    expect(find(table, token(0).slice(0, -1))).toBe(-1);
    for (let index = 0; index < 8_000; index += 2) table.remove(index);
    for (let index = 0; index < 8_000; index += 1) expect(find(table, token(index))).toBe(index % 2 === 0 ? -1 : index);
  });

  it('refuses what is no token id', () => {
    expect(() => new TokenTable().insert('token', 0)).toThrow();
  });

  it('makes slots of books and views', () => {
    const slot = tokenSlot(7 as never, COMPLEMENT);
    const slots = [bookOfSlot(slot), viewOfSlot(slot), viewOfSlot(tokenSlot(7 as never, PRIMARY))];
    expect(slots).toEqual([7, COMPLEMENT, PRIMARY]);
  });
});
