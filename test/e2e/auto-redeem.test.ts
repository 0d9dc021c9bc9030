// Winning positions that nobody redeems (beyond §9), with real processes and the relayer of the paper exchange. CROSSBOOK_REDEEM=auto redeems them at
// both protocols, once each, even if the gateway is killed during a redeem.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ActionView } from '../../src/core/wire/order-views.ts';
import type { DemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import { type Actor, GatewayProcess } from '../soak/gateway-process.ts';
import { PaperProcess } from '../soak/paper-process.ts';
import { steadyPort } from '../soak/steady-port.ts';
import { eventually } from '../support/eventually.ts';
import { ask } from '../support/paper-traders.ts';
import { type Answer, sendSigned } from '../support/signed-requests.ts';

const WALLET = `0x${'77'.repeat(20)}`;
/** Longer than the test. */
const HANG_MS = 3_600_000;

let folder: string;
let paper: PaperProcess;
let actor: Actor;
let byRequest: GatewayProcess;
let automatic: GatewayProcess;
/** The winning tokens: a token of a market of each protocol. */
let tokens: readonly string[];
let signer: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook-auto-redeem-'));
  paper = await PaperProcess.start({ folder, seed: 1, intensity: 0 });
  const opening = { wallet: WALLET, signatureType: 3, balance: '1000' };
  const venueA = await paper.control<DemoAccounts['venueA']>('POST', '/venues/venue_a/accounts', opening);
  signer = venueA.address;
  const pods = paper.pods.map(({ podId, accounts }) =>
    podId === 'fund' ? { podId, accounts: { ...accounts, venueA }, wallet: WALLET } : { podId, accounts },
  );
  const options = {
    folder,
    paper: { urls: paper.urls, pods },
    port: await steadyPort(),
    durability: 'process-safe',
  } as const;
  const environment = { CROSSBOOK_WARM_UP: 'off' };
  byRequest = new GatewayProcess({ ...options, environment });
  automatic = new GatewayProcess({ ...options, environment: { ...environment, CROSSBOOK_REDEEM: 'auto' } });
  actor = (await byRequest.makeActors()).find(({ podId }) => podId === 'fund')!;
});
afterAll(async () => {
  await byRequest.end();
  await automatic.end();
  await paper.end();
  rmSync(folder, { recursive: true });
});

async function winners(): Promise<readonly string[]> {
  const { body } = await ask<readonly { version: string; clobTokenIds: string; positionIds: [string] }[]>(
    `${paper.urls['venue_a gamma']}/markets?limit=500`,
  );
  const [ofV1, ofV2] = ['v1', 'v2'].map(wanted => body.find(({ version }) => version === wanted)!);
  return [(JSON.parse(ofV1!.clobTokenIds) as [string])[0], ofV2!.positionIds[0]];
}

function call(method: string, target: string, body?: object, idempotencyKey = ''): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json' };
  const parts = body === undefined ? {} : { body: JSON.stringify(body), headers, idempotencyKey };
  return sendSigned(automatic.url + target, actor.key, { method, ...parts });
}

async function positions(): Promise<readonly { readonly size: string; readonly redeemable: boolean }[]> {
  const { json, text } = await call('GET', '/v1/venue-a/positions');
  const { positions: found } = json as { readonly positions?: Awaited<ReturnType<typeof positions>> };
  expect(found, text).toBeDefined();
  return found!;
}

async function actions(): Promise<readonly ActionView[]> {
  return ((await call('GET', '/v1/venue-a/actions')).json as { readonly actions: readonly ActionView[] }).actions;
}

async function nonce(): Promise<number> {
  const url = `${paper.urls['venue_a relayer']}/v1/account/transactions/params?address=${signer}&type=WALLET`;
  return Number((await ask<{ readonly nonce: string }>(url)).body.nonce);
}

it('without the setting winners wait for a request, though the account has bounds', async () => {
  await byRequest.start();
  tokens = await winners();
  for (const token of tokens)
    await eventually(async () => {
      const split = await call('POST', `/v1/venue-a/positions/${token}/split`, { amountUsd: '10' }, token);
      expect(split.status, split.text).toBe(201);
    });
  await eventually(async () => expect((await positions()).length).toBe(4));
  for (const token of tokens) await paper.control('POST', `/venues/venue_a/markets/${token}/settle`, { value: '1' });
  await eventually(async () =>
    expect(await positions()).toMatchObject([
      { size: '10', redeemable: true },
      { size: '10', redeemable: true },
    ]),
  );
  await byRequest.stop();
  expect(await nonce()).toBe(2);
});

it('with it they are paid once at both protocols, after a kill while the relayer answers', async () => {
  const fault = { kind: 'hung', hangMs: HANG_MS, isApplied: true };
  const rule = { venue: 'venue_a', operation: 'POST /submit', fault };
  const { id } = await paper.control<{ readonly id: number }>('POST', '/faults', rule);
  await automatic.start();
  await eventually(async () => {
    const { rules } = await paper.control<{ rules: { id: number; struck: number }[] }>('GET', '/faults');
    expect(rules.find(it => it.id === id)!.struck).toBeGreaterThan(0);
  });
  await automatic.kill();
  await paper.control('DELETE', '/faults');
  await automatic.start();

  await eventually(async () => expect(await positions()).toEqual([]));
  expect(await nonce()).toBe(4);
  const { available } = (await call('GET', '/v1/venue-a/balance')).json as { readonly available: string };
  expect(Number(available)).toBeCloseTo(1_000, 6);
  // The redeem of protocol V1 is for the whole wallet, so it belongs to no actor.
  const own = (await actions()).filter(({ kind }) => kind === 'REDEEM');
  expect(own).toMatchObject([{ tokenId: tokens[1], status: 'CONFIRMED', shares: '10', amountUsd: '10' }]);
  await eventually(async () => {
    const metrics = await (await fetch(`${automatic.url}/metrics`)).text();
    expect(metrics).toContain('crossbook_automatic_redeems_total{redeem="confirmed"} 2');
  });
});
