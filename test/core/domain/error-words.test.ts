// The words of a log line for a thrown value.

import { expect, it } from 'vitest';
import { faultOf, wordsOf } from '../../../src/core/domain/error-words.ts';

function thrown(task: () => unknown): unknown {
  try {
    return task();
  } catch (error) {
    return error;
  }
}

it('an error has its words, and the places from the innermost on, without where the program lies', () => {
  const error = thrown(function outermost() {
    return (function innermost() {
      throw new RangeError('beyond\n    all bounds');
    })();
  });
  const { error: words, at } = faultOf(error);
  expect([words, wordsOf(error)]).toEqual(['beyond\n    all bounds', 'beyond\n    all bounds']);
  expect(at).toMatch(
    /^innermost test\/core\/domain\/error-words.test.ts\S*:\d+:\d+ < outermost test\/core\/domain\/error-words.test.ts\S*:\d+:\d+ < /,
  );
  expect(at.split(' < ')).toHaveLength(5);
});

it.each([
  ['of a native function', 'at JSON.parse (<anonymous>)', 'JSON.parse (<anonymous>)'],
  ['of Node', 'at process.processTicks (node:internal/x:1:2)', 'process.processTicks (node:internal/x:1:2)'],
  ['without a function', 'at file:///opt/crossbook/src/main.ts:1:2', 'src/main.ts:1:2'],
  [
    'of a package',
    'at async run (/a b/node_modules/piscina/dist/index.js:1:2)',
    'async run node_modules/piscina/dist/index.js:1:2',
  ],
])('a place %s', (_, line, place) => {
  expect(faultOf(Object.assign(new Error('x'), { stack: `Error: x\n    ${line}` })).at).toBe(place);
});

it('a value that is no error, or has no stack, has words only', () => {
  const bare = Object.assign(new Error('bare'), { stack: undefined });
  expect([faultOf('text'), faultOf(null), faultOf(bare)]).toEqual([
    { error: 'text', at: '' },
    { error: 'null', at: '' },
    { error: 'bare', at: '' },
  ]);
});
