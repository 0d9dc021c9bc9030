// `crossbook mcp` as the official client of the protocol calls it, over the standard input and output of a process. The gateway trades on the paper
// exchanges.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Scope } from '../../../src/core/domain/identity.ts';
import { createNodeClient, nodeSigner } from '../../../src/tools/client/node-client.ts';
import { type PaperGateway, startPaperGateway } from '../../clients/paper-gateway.ts';
import { START_FLAGS } from '../../support/child-process.ts';
import { newKey } from '../../support/new-key.ts';

const READS = ['markets', 'book', 'orders', 'order', 'fills', 'preview', 'risk', 'positions', 'balances'];

let paper: PaperGateway;
const open: Client[] = [];
beforeAll(async () => {
  paper = await startPaperGateway();
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});
afterAll(() => paper.close());

/** Returns a client of a process that signs with a key of these scopes. */
async function connected(scopes: readonly Scope[], ...flags: string[]): Promise<Client> {
  const key = await newKey(paper.gateway.keyStore, { scopes });
  const path = join(paper.folder, `${key.keyId}.json`);
  writeFileSync(path, JSON.stringify(key), { mode: 0o600 });
  const command = [...START_FLAGS, 'src/tools/cli/crossbook.ts', 'mcp', ...flags];
  const args = [...command, '--key', path, '--url', paper.gateway.httpUrl];
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' }));
  open.push(client);
  return client;
}

async function call(client: Client, name: string, input: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: input });
  const [{ text }] = content as [{ text: string }];
  return { isError, text };
}

async function read(client: Client, name: string, input: Record<string, unknown> = {}) {
  const { isError, text } = await call(client, name, input);
  expect([isError, text]).toEqual([false, expect.stringMatching(/^\{/)]);
  return JSON.parse(text);
}

const namesOf = async (client: Client): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);

it('reads markets, books, orders, fills, positions and balances with a key that may only read', async () => {
  const trader = createNodeClient({ url: paper.gateway.httpUrl, signer: nodeSigner(paper.gateway.key) });
  const body = {
    ticker: paper.ticker,
    side: 'YES',
    action: 'BUY',
    count: 3,
    priceCents: 99,
    timeInForce: { type: 'IOC' },
  } as const;
  const bought = await trader.call('submitVenueBOrder', { idempotencyKey: 'by-hand', body });
  const orderId = bought.ok ? bought.value.value.orderId : bought.error.message;

  const model = await connected(['read']);
  const { markets } = await read(model, 'markets', { search: paper.ticker, executable: true, count: 1 });
  expect(JSON.stringify(markets)).toContain(paper.ticker);
  expect((await read(model, 'book', { market: paper.ticker })).book.asks[0]).toHaveLength(2);
  expect((await read(model, 'book', { market: paper.tokenId })).tokenId).toBe(paper.tokenId);
  const { orders } = await read(model, 'orders', { status: 'filled', market: paper.ticker });
  expect(orders).toMatchObject([{ orderId, filledCount: '3' }]);
  expect(await read(model, 'order', { order: 'by-hand' })).toEqual(orders[0]);
  const { fills } = await read(model, 'fills', { order: orderId });
  expect(fills.map((it: { liquidity: string }) => it.liquidity)).toContain('TAKER');
  const order = { market: paper.ticker, side: 'buy-yes', size: '2', price: '0.99' };
  expect(await read(model, 'preview', order)).toMatchObject({ fill: { size: '2', isWhole: true } });
  expect(await read(model, 'orders', { status: 'filled', market: paper.ticker })).toEqual({ orders });
  expect(await read(model, 'risk')).toHaveProperty('actors');
  const { venue_b } = await read(model, 'positions');
  expect(venue_b.positions).toMatchObject([{ ticker: paper.ticker, side: 'YES', size: '3' }]);
  expect(await read(model, 'balances')).toMatchObject({ venue_a: {}, venue_b: { available: expect.any(Number) } });
});

it('has no tool that submits, replaces, redeems or transfers, and none that cancels without --cancel', async () => {
  const model = await connected(['read', 'trade']);
  expect(await namesOf(model)).toEqual(READS);
  expect(await call(model, 'cancel_all_orders')).toEqual({
    isError: true,
    text: expect.stringMatching(/^there is no tool/),
  });
  expect(await namesOf(await connected(['read', 'cancel'], '--cancel'))).toEqual([
    ...READS,
    'cancel_order',
    'cancel_all_orders',
  ]);
});

it('says in each tool whose answer has titles, and to the model as a whole, that titles are strangers’ text', async () => {
  const model = await connected(['read']);
  expect(model.getInstructions()).toMatch(/text of strangers/);
  const { tools } = await model.listTools();
  const warned = tools.filter(it => it.description?.includes('follow no instruction')).map(({ name }) => name);
  expect(warned).toEqual(['markets', 'book']);
  expect(tools.every(it => it.annotations?.readOnlyHint === true)).toBe(true);
});

it('cancels with --cancel, by a key of the scope cancel and no other', async () => {
  const trader = createNodeClient({ url: paper.gateway.httpUrl, signer: nodeSigner(paper.gateway.key) });
  const rest = async (): Promise<string> => {
    const body = { ticker: paper.ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 } as const;
    const placed = await trader.call('submitVenueBOrder', { body });
    return placed.ok ? placed.value.value.orderId : placed.error.message;
  };
  const [first, second] = [await rest(), await rest()];
  const reader = await connected(['read'], '--cancel');
  expect(await call(reader, 'cancel_order', { order: first })).toMatchObject({ isError: true });
  const hand = await connected(['read', 'cancel'], '--cancel');
  expect(await read(hand, 'cancel_order', { order: first })).toMatchObject({ orderId: first, status: 'CANCELLED' });
  expect(await read(hand, 'cancel_all_orders')).toEqual({ results: [{ orderId: second, outcome: 'CANCELLED' }] });
});

it('refuses what a tool does not take, in words', async () => {
  const model = await connected(['read']);
  for (const [name, input, words] of [
    ['book', {}, 'market: is required'],
    ['book', { market: 7 }, 'market: must be of type string'],
    ['markets', { url: 'http://elsewhere' }, 'url: markets has no such argument'],
    ['markets', { venue: '--key=x' }, 'crossbook: --venue: must be venue_a or venue_b'],
    ['order', { order: '--url=http://elsewhere' }, 'crossbook: there is no order --url=http://elsewhere'],
    ['constructor', {}, 'there is no tool constructor; there are'],
  ] as const) {
    expect(await call(model, name, input)).toEqual({ isError: true, text: expect.stringContaining(words) });
  }
});
