// `crossbook statement` over a day on the paper exchanges, with both venues, payouts, redemptions, splits and a kill -9. Its sums equal the changes
// of the venues' balances, to the micro-dollar.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readPodsFile } from '../../../src/gateway/trading/pods.ts';
import type { DemoAccounts } from '../../../src/paper/control/demo-accounts.ts';
import { reportCommand } from '../../../src/tools/cli/report.ts';
import { COLUMNS, statementCommand } from '../../../src/tools/cli/statement.ts';
import { askVenueB } from '../../../src/tools/cli/venue-b-account.ts';
import { type Actor, GatewayProcess } from '../../soak/gateway-process.ts';
import { PaperProcess } from '../../soak/paper-process.ts';
import { steadyPort } from '../../soak/steady-port.ts';
import { eventually } from '../../support/eventually.ts';
import { makeRecording } from '../../support/made-recording.ts';
import { ask } from '../../support/paper-traders.ts';
import { sendSigned } from '../../support/signed-requests.ts';

const WALLET = `0x${'78'.repeat(20)}`;
const DAY = ['--from', '2000-01-01', '--to', '2100-01-01'];

type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;
type Sum = Readonly<Record<'pod' | 'venue' | 'cashUsd' | 'feesUsd', string>>;
interface Listing {
  readonly venue: string;
  readonly ticker?: string;
  readonly tokenId?: string;
  readonly side?: string;
}

let folder: string;
let paper: PaperProcess;
let gateway: GatewayProcess;
let actor: Actor;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook-statement-'));
  paper = await PaperProcess.start({ folder, seed: 7, intensity: 4 });
  const opening = { wallet: WALLET, signatureType: 3, balance: '1000' };
  const venueA = await paper.control<DemoAccounts['venueA']>('POST', '/venues/venue_a/accounts', opening);
  const pods = paper.pods.map(({ podId, accounts }) =>
    podId === 'fund' ? { podId, accounts: { ...accounts, venueA }, wallet: WALLET } : { podId, accounts },
  );
  const port = await steadyPort();
  gateway = new GatewayProcess({ folder, paper: { urls: paper.urls, pods }, port, durability: 'process-safe' });
  actor = (await gateway.makeActors()).find(({ podId }) => podId === 'fund')!;
  await gateway.start();
});
afterAll(async () => {
  await gateway.end();
  await paper.end();
  rmSync(folder, { recursive: true });
});

async function call<Body>(method: string, target: string, body?: object, idempotencyKey: string = randomUUID()) {
  const json = { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  const keyed = method === 'POST' ? { idempotencyKey } : {};
  const answer = await sendSigned(gateway.url + target, actor.key, {
    method,
    ...(body === undefined ? {} : json),
    ...keyed,
  });
  return { status: answer.status, body: answer.json as Body, text: answer.text };
}

async function balances(): Promise<Readonly<Record<string, bigint>>> {
  const of = async (venue: string): Promise<bigint> => {
    const { body, text } = await call<{ readonly available: number }>('GET', `/v1/${venue}/balance`);
    expect(body.available, text).toBeTypeOf('number');
    return BigInt(Math.round(body.available * 1e6));
  };
  return { venue_a: await of('venue-a'), venue_b: await of('venue-b') };
}

async function position(tokenId: string): Promise<object | undefined> {
  const { body } = await call<{ positions: readonly object[] }>('GET', `/v1/venue-a/positions?tokenId=${tokenId}`);
  return body.positions[0];
}

async function statement(...args: string[]): Promise<{ out: string; err: string }> {
  const { code, out, err } = await run(...args);
  expect([code, err]).toEqual([0, expect.anything()]);
  return { out, err };
}

async function run(...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const env = { CROSSBOOK_DATA_DIR: gateway.dataDir, CROSSBOOK_PODS_FILE: join(folder, 'pods.json') };
  const io = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text), env };
  const code = await statementCommand(args, io);
  return { code, out: out.join(''), err: err.join('') };
}

async function asJson(...args: string[]): Promise<{ readonly rows: readonly Row[]; readonly sums: readonly Sum[] }> {
  return JSON.parse((await statement(...args, '--format', 'json')).out);
}

/** Returns the amount exactly, in 1e-10 dollars. */
function units(usd: string): bigint {
  const [, sign, whole, rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(usd)!;
  return BigInt(`${sign}${whole}${rest.padEnd(10, '0')}`);
}

const total = (rows: readonly Row[], name: keyof Row): bigint =>
  rows.filter(row => row[name] !== '').reduce((sum, row) => sum + units(row[name]), 0n);

/** Returns the executable listings of a venue, from the catalog. */
async function listed(venue: string): Promise<readonly Listing[]> {
  const page = await eventually(async () => {
    const { body } = await call<{
      readonly markets: readonly { outcomes: readonly { listings: readonly Listing[] }[] }[];
    }>('GET', `/v1/markets?executable=true&venue=${venue}&pageSize=40`);
    expect(body.markets?.length).toBeGreaterThan(10);
    return body.markets;
  });
  return page.flatMap(({ outcomes }) => outcomes.flatMap(({ listings }) => listings));
}

/** Returns both tokens of a market of protocol V2 that does not have the token `other`. */
async function pairWithout(other: string): Promise<readonly string[]> {
  const { body } = await ask<readonly { version: string; positionIds: readonly string[] }[]>(
    `${paper.urls['venue_a gamma']}/markets?limit=500`,
  );
  return body.find(it => it.version === 'v2' && !it.positionIds.includes(other))!.positionIds;
}

const IOC = { timeInForce: { type: 'IOC' } };

function atB(ticker: string, terms: object, key?: string) {
  return call<{ readonly status: string }>('POST', '/v1/venue-b/orders', { ticker, ...terms }, key);
}

function buyAtA(tokenId: string, amount: string) {
  const body = { tokenId, side: 'BUY', type: 'MARKET', amount, timeInForce: { type: 'FAK' } };
  return call<{ readonly status: string }>('POST', '/v1/venue-a/orders', body);
}

/** Opens positions, adds to them, closes a part, turns to the other side, and rests an order. The first three tickers settle later. */
async function tradeAtB(tickers: readonly string[]): Promise<void> {
  const [first, second, third] = tickers as [string, string, string];
  await eventually(async () => {
    const { body } = await atB(first, { side: 'YES', action: 'BUY', count: 9, priceCents: 99, ...IOC });
    expect(body.status).toBe('FILLED');
  });
  await atB(first, { side: 'YES', action: 'BUY', size: '2.5', priceCents: 99, ...IOC });
  await atB(first, { side: 'YES', action: 'SELL', count: 4, priceCents: 1, ...IOC });
  await atB(second, { side: 'NO', action: 'BUY', count: 7, priceCents: 99, ...IOC });
  await atB(second, { side: 'YES', action: 'BUY', count: 12, priceCents: 99, ...IOC });
  await atB(third, { side: 'NO', action: 'BUY', count: 3, priceCents: 99, ...IOC });
  for (const ticker of tickers.slice(3, 8)) await atB(ticker, { side: 'YES', action: 'BUY', count: 2, priceCents: 40 });
}

/** Buys a token twice, then buys another token and sells some of it. Returns the first token. */
async function tradeAtA(tokens: readonly string[]): Promise<string> {
  /** Buys the first of the tokens from `at` on that somebody sells. The venue delays some takers, so their fills come later. */
  const bought = async (at: number, amount: string): Promise<string> => {
    const token = await eventually(async () => {
      for (const it of tokens.slice(at)) if ((await buyAtA(it, amount)).status === 201) return it;
      throw new Error('nobody sells');
    });
    await eventually(async () => expect(await position(token)).toBeDefined());
    return token;
  };
  const winner = await bought(0, '12.34');
  const kept = await bought(tokens.indexOf(winner) + 2, '7.5');
  await buyAtA(winner, '3');
  const sale = { tokenId: kept, side: 'SELL', type: 'MARKET', amount: '2', timeInForce: { type: 'FAK' } };
  await call('POST', '/v1/venue-a/orders', sale);
  return winner;
}

async function acted(kind: string, tokenId: string, body: object): Promise<void> {
  const { body: made, text } = await call<{ actionId: string }>(
    'POST',
    `/v1/venue-a/positions/${tokenId}/${kind}`,
    body,
  );
  await eventually(async () => {
    const { body: action } = await call<{ status: string }>('GET', `/v1/venue-a/actions/${made.actionId}`);
    expect(action.status, text).toBe('CONFIRMED');
  });
}

/** Kills the gateway between records and their answers, and starts it again. */
async function killAmidst(tickers: readonly string[]): Promise<void> {
  const terms = { side: 'YES', action: 'BUY', count: 1, priceCents: 99, ...IOC };
  const lost = Array.from({ length: 8 }, (_, at) => atB(tickers[at % 4]!, terms).catch(() => null));
  await lost[0];
  await gateway.kill();
  await Promise.all(lost);
  await gateway.start();
  await eventually(async () => expect((await atB(tickers[0]!, terms)).status).toBe(201));
}

const settle = (venue: string, market: string, value: string) =>
  paper.control('POST', `/venues/${venue}/markets/${market}/settle`, { value });

/** The rows of the whole day, once their sums are right. */
let rows: readonly Row[] = [];

it('adds up to what the venues’ balances have changed by, over a kill -9', async () => {
  for (const venue of ['venue_a', 'venue_b']) await paper.control('PUT', `/venues/${venue}/settlement`, { delayMs: 0 });
  const before = await eventually(balances);
  const tickers = [...new Set((await listed('venue_b')).flatMap(({ ticker }) => ticker ?? []))];
  const tokens = (await listed('venue_a')).flatMap(({ tokenId }) => tokenId ?? []);
  await tradeAtB(tickers);
  const winner = await tradeAtA(tokens);
  const [half = ''] = await pairWithout(winner);
  await acted('split', half, { amountUsd: '8' });
  await acted('merge', half, { shares: '2' });
  for (const [at, value] of ['1', '0', '1'].entries()) await settle('venue_b', tickers[at]!, value);
  await settle('venue_a', winner, '1');
  await settle('venue_a', half, '0.5');
  await killAmidst(tickers.slice(3));
  for (const token of [winner, half])
    await eventually(async () => expect(await position(token)).toMatchObject({ redeemable: true }));
  await acted('redeem', winner, {});
  await acted('redeem', half, { shares: '2.5' });
  for (const venue of ['venue-a', 'venue-b']) await call('DELETE', `/v1/${venue}/orders`);

  rows = await eventually(async () => {
    const after = await balances();
    const { rows: all, sums } = await asJson(...DAY);
    const changed = sums.filter(({ pod }) => pod === 'fund').map(({ venue, cashUsd }) => [venue, units(cashUsd)]);
    const wanted = Object.entries(after).map(([venue, cash]) => [venue, (cash - before[venue]!) * 10_000n]);
    expect(changed.toSorted()).toEqual(wanted.toSorted());
    expect(all.filter(({ kind }) => kind === 'PAYOUT')).not.toEqual([]);
    return all;
  });
  const kinds = new Set(rows.map(({ kind }) => kind));
  expect([...kinds].toSorted()).toEqual(['FILL', 'HELD', 'LOT', 'MERGE', 'PAYOUT', 'REDEMPTION', 'SPLIT']);
  expect(total(rows, 'fee_usd')).toBeGreaterThan(0n);
});

it('with --transfers is all that the account of venue B has, from its opening on', async () => {
  const { userId } = paper.pods.find(({ podId }) => podId === 'fund')!.accounts.venueB;
  const bank = (amount: string) => paper.control('POST', `/venues/venue_b/accounts/${userId}/deposits`, { amount });
  await bank('250.25');
  await bank('-40.5');
  const pods = readPodsFile(join(folder, 'pods.json'));
  const { venueB } = (pods.ok ? pods.value : []).find(({ podId }) => podId === 'fund')!;
  const toMargin = { source: 'event_contract', destination: 'margined', amount: 123_401 };
  expect((await askVenueB(venueB!, '/portfolio/intra_exchange_instance_transfer', toMargin)).status).toBe(200);
  const { out, err } = await eventually(async () => {
    const { venue_b: cash } = await balances();
    const printed = await statement(...DAY, '--transfers', '--format', 'json');
    const { sums } = JSON.parse(printed.out) as { readonly sums: readonly Sum[] };
    const sum = sums.find(({ pod, venue }) => pod === 'fund' && venue === 'venue_b')!;
    expect(units(sum.cashUsd)).toBe(cash! * 10_000n);
    return printed;
  });
  const { rows: all } = JSON.parse(out) as { readonly rows: readonly Row[] };
  const moved = all.filter(({ pod, kind }) => pod === 'fund' && ['DEPOSIT', 'WITHDRAWAL', 'TRANSFER'].includes(kind));
  expect(moved.map(({ kind, actor, market, size, cash_usd }) => [kind, actor, market, size, cash_usd])).toEqual(
    expect.arrayContaining([
      ['DEPOSIT', '', '', '', '1000000'],
      ['DEPOSIT', '', '', '', '250.25'],
      ['WITHDRAWAL', '', '', '', '-40.5'],
      ['TRANSFER', '', '', '', '-12.3401'],
    ]),
  );
  expect(err).toMatch(/^fund venue_a: deposits, withdrawals and transfers happen on the chain, .+$/m);
});

it('counts cost in both ways so that nothing is lost', () => {
  for (const venue of ['venue_a', 'venue_b']) {
    const own = rows.filter(row => row.venue === venue);
    const [cash, fees, proceeds] = [total(own, 'cash_usd'), total(own, 'fee_usd'), total(own, 'proceeds_usd')];
    expect(cash + fees).toBe(proceeds - total(own, 'cost_fifo_usd'));
    const average = total(own, 'cost_average_usd') - total(own, 'cost_fifo_usd');
    expect(Math.abs(Number(average))).toBeLessThan(own.length);
  }
});

it('is what the report says: profit of what was closed, payouts and fees', async () => {
  const [recording, out] = [join(folder, 'recording'), join(folder, 'report')];
  await makeRecording({ folder: recording, markets: 1, changesPerS: 1, seconds: 1 });
  const io = { out: () => {}, err: expect.fail, env: { CROSSBOOK_DATA_DIR: gateway.dataDir } };
  expect(await reportCommand(['--recording', recording, '--out', out], io)).toBe(0);
  const file = await asyncBufferFromFile(join(out, 'markets.parquet'));
  type Figures = Readonly<Record<'market' | 'realized' | 'paid out' | 'fees', string | number>>;
  const all = (await parquetReadObjects({ file })).find(({ market }) => market === 'all') as Figures;
  const ofKinds = (...kinds: string[]) => rows.filter(({ kind }) => kinds.includes(kind));
  const lots = ofKinds('LOT');
  // Each row is rounded to a millionth of a dollar.
  const is = (exact: bigint) => expect.closeTo(Number(exact) / 1e10, 4);
  expect(all).toMatchObject({
    realized: is(total(lots, 'proceeds_usd') - total(lots, 'cost_average_usd')),
    'paid out': is(total(ofKinds('PAYOUT', 'REDEMPTION'), 'cash_usd')),
    fees: is(total(rows, 'fee_usd')),
  });
});

it('has the same rows in statements of parts of the time, and as CSV', async () => {
  const middle = rows[Math.floor(rows.length / 2)]!.at;
  const early = await asJson('--from', '2000-01-01', '--to', middle);
  const late = await asJson('--from', middle, '--to', '2100-01-01');
  const moved = ({ kind }: Row): boolean => kind !== 'HELD';
  expect([...early.rows.filter(moved), ...late.rows.filter(moved)]).toEqual(rows.filter(moved));
  const { out, err } = await statement(...DAY);
  const lines = out.trimEnd().split('\n');
  expect(lines[0]).toBe(COLUMNS.join(','));
  expect(lines.slice(1)).toEqual(rows.map(row => COLUMNS.map(name => row[name]).join(',')));
  expect(err).toMatch(/^fund venue_a: cash -?[\d.]+ USD, of which fees [\d.]+ USD$/m);
});

it.each([
  [['--from', '2026-11-28'], '--to: is required'],
  [['--from', 'yesterday', '--to', '2026-11-28'], '--from: must be a day such as'],
  [['--from', '2026-11-28', '--to', '2026-11-28'], '--to: must be later than --from'],
  [[...DAY, '--format', 'xml'], '--format: must be csv or json'],
])('refuses %j', async (args, words) => {
  expect(await run(...args)).toMatchObject({ code: 2, err: expect.stringContaining(words) });
});
