// The USDC.e of a wallet, read from a node over a real socket. Covers the request, the reading of every answer, and how often the node is
// asked.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import type { OutboundOutcome } from '../../../../src/core/net/outbound.ts';
import { HttpOutboundPool } from '../../../../src/core/net/outbound-pool.ts';
import { limits } from '../../../../src/limits.ts';
import { unconvertedReader } from '../../../../src/venues/venue-a/trading/unconverted.ts';
import { outboundBy } from '../../../support/outbound-by.ts';

const WALLET = `0x${'Ab'.repeat(20)}`;
const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;
const result = (value: unknown) => ({ jsonrpc: '2.0', id: 1, result: value });

/** Starts a node that gives the answers of `say`, and keeps all requests. */
async function node(say: () => { readonly status?: number; readonly body: string }) {
  const asked: { readonly url: string; readonly body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    asked.push({ url: request.url!, body: JSON.parse(await text(request)) });
    const { status = 200, body } = say();
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pool = new HttpOutboundPool({
    origin,
    connectionsMax: 1,
    idleMs: 5_000,
    answerBytesMax: limits.chainAnswerBytesMax,
  });
  onTestFinished(async () => {
    await pool.close();
    server.close();
  });
  let nowMs = 0;
  const read = unconvertedReader({ outbound: pool, target: '/v2/a-key', now: () => nowMs });
  const advance = (ms: number): void => {
    nowMs += ms;
  };
  return { asked, read: () => read(WALLET), advance, server };
}

it('is the wallet’s balance of the token, by one call', async () => {
  const { asked, read } = await node(() => ({ body: JSON.stringify(result(word(12_345_678n))) }));
  expect(await read()).toEqual({ ok: true, value: 12_345_678 });
  const data = `0x70a08231${'00'.repeat(12)}${'ab'.repeat(20)}`;
  const params = [{ to: '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174', data }, 'latest'];
  expect(asked).toEqual([{ url: '/v2/a-key', body: { jsonrpc: '2.0', id: 1, method: 'eth_call', params } }]);
});

it('is asked for once in a while, however many want it', async () => {
  const { asked, read, advance } = await node(() => ({ body: JSON.stringify(result(word(1n))) }));
  await Promise.all([read(), read(), read()]);
  advance(limits.unconvertedFreshMs - 1);
  await read();
  expect(asked).toHaveLength(1);
  advance(1);
  await read();
  expect(asked).toHaveLength(2);
});

it('is asked for anew after a failure', async () => {
  let status = 500;
  const { read } = await node(() => ({ status, body: JSON.stringify(result(word(5n))) }));
  expect(await read()).toEqual({ ok: false, error: 'USDC.e: HTTP 500 of the node' });
  status = 200;
  expect(await read()).toEqual({ ok: true, value: 5 });
});

it.each<[what: string, body: string, error: RegExp]>([
  ['a page', '<html>', /not a JSON object/],
  ['a list', '[]', /not a JSON object/],
  ['an error, whose words may hold a key', '{"error":{"code":-32000,"message":"a-key"}}', /^USDC\.e: error -32000 of/],
  ['the answer of another chain', JSON.stringify(result('0x')), /not a balance/],
  ['a number', JSON.stringify(result(5)), /not a balance/],
  ['half a word', JSON.stringify(result('0x05')), /not a balance/],
  ['more than there is', JSON.stringify(result(word(2n ** 60n))), /past 2\^53/],
  ['more than is read', JSON.stringify(result('x'.repeat(limits.chainAnswerBytesMax))), /^USDC\.e: /],
])('is not known by %s', async (_what, body, error) => {
  const { read } = await node(() => ({ body }));
  const answer = await read();
  expect(answer).toEqual({ ok: false, error: expect.stringMatching(error) });
  expect(JSON.stringify(answer)).not.toContain('a-key');
});

it('is not known while nobody answers', async () => {
  const { read, server } = await node(() => ({ body: '' }));
  server.close();
  expect(await read()).toEqual({ ok: false, error: expect.stringMatching(/^USDC\.e: /) });
});

// The conversion of such an error code to text throws: an object with a field `valueOf`, or nested lists. The balance was then an internal
// error without a reason.
const DEPTH = 7_000;
const codes: readonly (readonly [title: string, code: string])[] = [
  ['0100: an error code that is an object', '{"valueOf":0,"toString":0}'],
  ['0100: an error code of lists within lists', '['.repeat(DEPTH) + ']'.repeat(DEPTH)],
  ['0100: an error code that is a text, which may hold a key', '"a-key"'],
];

it.each<[string, OutboundOutcome, error: string]>([
  ...codes.map(([title, code]): [string, OutboundOutcome, string] => {
    const body = `{"jsonrpc":"2.0","id":1,"error":{"code":${code}}}`;
    return [title, { type: 'answer', status: 200, headers: new Map(), body }, 'error of the node'];
  }),
  // The host's name may contain the operator's key. The address of the node is a secret (`rpcUrlFile`).
  ['0108: an unknown host', { type: 'not-sent', message: 'ENOTFOUND a-key.rpc.example' }, 'no connection to the node'],
  ['0108: a name', { type: 'lost', message: 'Host: a-key.rpc is no altname' }, 'the connection to the node broke'],
  ['0108: silence', { type: 'timeout', message: 'no answer within 5000 ms' }, 'no answer of the node in time'],
])('%s is reported without the words of the node', async (_title, outcome, error) => {
  const outbound = outboundBy(async () => outcome);
  const read = unconvertedReader({ outbound, target: '/', now: () => 0 });
  expect(await read(WALLET)).toEqual({ ok: false, error: `USDC.e: ${error}` });
});
