// Found by review: the code of a node's error was converted to a number in any case. For an object with a field `valueOf`, or nested lists,
// that throws: the balance was an internal error without a reason.

import { expect, it } from 'vitest';
import { unconvertedReader } from '../../src/venues/venue-a/trading/unconverted.ts';

const DEPTH = 7_000;

it.each([
  ['an object', '{"valueOf":0,"toString":0}'],
  ['lists within lists', '['.repeat(DEPTH) + ']'.repeat(DEPTH)],
  ['a text, which may hold a key', '"a-key"'],
])('%s is a refusal like any other', async (_what, code) => {
  const body = Buffer.from(`{"jsonrpc":"2.0","id":1,"error":{"code":${code}}}`);
  const outbound = {
    request: () => Promise.resolve({ type: 'answer', status: 200, headers: new Map(), body } as const),
    warmUp: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const read = unconvertedReader({ outbound, target: '/', now: () => 0 });
  expect(await read(`0x${'ab'.repeat(20)}`)).toEqual({ ok: false, error: 'USDC.e: error of the node' });
});
