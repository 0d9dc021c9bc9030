// A list that is read in parts: the items equal those that JSON.parse finds, wherever the parts end. A text that is not a list is refused.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListError, ListItems } from '../../../../src/tools/conversion/captures/capture-entries.ts';

const KEYS = ['frames', 'messages'];

/** Returns the items of the text. `cuts` are the places at which the text is cut into parts. */
function itemsOf(text: string, cuts: readonly number[] = [], itemCharactersMax = 10_000): string[] {
  const items = new ListItems(KEYS, itemCharactersMax);
  const places = [...new Set(cuts.map(it => it % (text.length + 1)))].sort((a, b) => a - b);
  const found: string[] = [];
  for (const [index, place] of [0, ...places].entries()) found.push(...items.push(text.slice(place, places[index])));
  items.end();
  return found;
}

const values = fc.array(fc.jsonValue(), { maxLength: 8 });
const cuts = fc.array(fc.nat(5_000), { maxLength: 12 });
const blanks = fc.constantFrom(undefined, 1, '\t');

it('finds the items of a list, however its text is cut', () => {
  fc.assert(
    fc.property(values, cuts, blanks, (list, places, space) => {
      const text = JSON.stringify(list, null, space);
      expect(itemsOf(text, places).map(it => JSON.parse(it))).toEqual(JSON.parse(text));
    }),
  );
});

it('finds them under a known key among others', () => {
  const other = fc.dictionary(
    fc.string().filter(it => !KEYS.includes(it)),
    fc.jsonValue(),
    { maxKeys: 3 },
  );
  fc.assert(
    fc.property(other, values, other, cuts, blanks, (before, list, after, places, space) => {
      // A duplicate key would be two keys here, and one key in the other object.
      const rest = Object.fromEntries(Object.entries(after).filter(([key]) => !Object.hasOwn(before, key)));
      const text = JSON.stringify({ ...before, frames: list, ...rest }, null, space);
      expect(itemsOf(text, places).map(it => JSON.parse(it))).toEqual(JSON.parse(JSON.stringify(list)));
    }),
  );
});

describe('refuses', () => {
  it.each([
    ['a text', 'hello'],
    ['a number', '5'],
    ['a list without an end', '[1,2'],
    ['an object without an end', '{"frames":[1]'],
    ['an item without a comma', '["a" "b"]'],
    ['a comma at the start of an object', '{,"frames":[]}'],
    ['a key without a colon', '{"frames" []}'],
    ['a key that is none', '{frames:[]}'],
    ['something behind the end', '[1] 2'],
    ['an object without a list', '{"a":[1]}'],
    ['a line that is cut off within a text', '{"type":"orderbook_de\n{"type":"x"}'],
    ['two lists', '{"frames":[],"messages":[]}'],
    ['nothing', ''],
  ])('%s', (_, text) => {
    expect(() => itemsOf(text)).toThrow(ListError);
    expect(() =>
      itemsOf(
        text,
        Array.from(text, (_it, index) => index),
      ),
    ).toThrow(ListError);
  });

  it('an item that is longer than is allowed, before it has ended', () => {
    const items = new ListItems(KEYS, 10);
    expect(() => [...items.push(`["${'x'.repeat(20)}`)]).toThrow('longer than 10 characters');
  });
});

it('an item may be damaged: its own parser says so', () => {
  expect(itemsOf('[{"a":tru}, nul]')).toEqual(['{"a":tru}', 'nul']);
});
