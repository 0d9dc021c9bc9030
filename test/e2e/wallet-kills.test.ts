// A gateway that is killed at each step of a redeem, with real processes. The next one pays the winner once, never twice (beyond §9).

import { randomUUID } from 'node:crypto';
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
const SPLIT_USD = 10;
/** Longer than the test. */
const HANG_MS = 3_600_000;
const NONCE = '/v1/account/transactions/params';

let folder: string;
let paper: PaperProcess;
let gateway: GatewayProcess;
let actor: Actor;
let signer: string;
/** Tokens of markets that are traded. */
let tokens: Readonly<Record<'v1' | 'v2', readonly (readonly [string, string])[]>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook-wallet-kills-'));
  paper = await PaperProcess.start({ folder, seed: 1, intensity: 0 });
  const opening = { wallet: WALLET, signatureType: 3, balance: '1000' };
  const venueA = await paper.control<DemoAccounts['venueA']>('POST', '/venues/venue_a/accounts', opening);
  signer = venueA.address;
  const pods = paper.pods.map(({ podId, accounts }) =>
    podId === 'fund' ? { podId, accounts: { ...accounts, venueA }, wallet: WALLET } : { podId, accounts },
  );
  gateway = new GatewayProcess({
    ...{ folder, paper: { urls: paper.urls, pods }, port: await steadyPort(), durability: 'process-safe' },
  });
  actor = (await gateway.makeActors()).find(({ podId }) => podId === 'fund')!;
  await gateway.start();
  tokens = await tradedTokens();
});
afterAll(async () => {
  await gateway.end();
  await paper.end();
  rmSync(folder, { recursive: true });
});

async function tradedTokens(): Promise<typeof tokens> {
  const { body } = await ask<readonly { version: string; clobTokenIds: string; positionIds: [string, string] }[]>(
    `${paper.urls['venue_a gamma']}/markets?limit=500`,
  );
  const of = (wanted: string) =>
    body
      .filter(({ version }) => version === wanted)
      .map(it => (wanted === 'v2' ? it.positionIds : (JSON.parse(it.clobTokenIds) as [string, string])));
  return { v1: of('v1'), v2: of('v2') };
}

function call(method: string, target: string, body?: object, idempotencyKey?: string): Promise<Answer> {
  const json = { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  const parts = { ...(body === undefined ? {} : json), ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
  return sendSigned(gateway.url + target, actor.key, { method, ...parts });
}

/** Sends the request with the same key until the action is recorded, then reads the action until it is over. */
async function done(kind: string, tokenId: string, body: object, key: string): Promise<ActionView> {
  const actionId = await eventually(async () => {
    const { status, json, text } = await call('POST', `/v1/venue-a/positions/${tokenId}/${kind}`, body, key);
    if (status === 504) return (json as { error: { orderId: string } }).error.orderId;
    expect(status, text).toBe(201);
    return (json as ActionView).actionId;
  });
  return eventually(async () => {
    const { json } = await call('GET', `/v1/venue-a/actions/${actionId}`);
    expect(json).toMatchObject({ status: 'CONFIRMED', error: null });
    return json as ActionView;
  });
}

async function position(tokenId: string): Promise<unknown> {
  const { json } = await call('GET', `/v1/venue-a/positions?tokenId=${tokenId}`);
  return (json as { readonly positions: readonly unknown[] }).positions[0] ?? null;
}

async function cash(): Promise<number> {
  const { json, text } = await call('GET', '/v1/venue-a/balance');
  const { available } = json as { readonly available: string };
  expect(available, text).toBeDefined();
  return Number(available);
}

/** Returns the number of transactions that the chain has taken from the wallet. */
async function nonce(): Promise<number> {
  const url = `${paper.urls['venue_a relayer']}${NONCE}?address=${signer}&type=WALLET`;
  return Number((await ask<{ readonly nonce: string }>(url)).body.nonce);
}

/** Makes requests hang from now on. Resolves with a function that waits until a request hangs. */
async function hang(operation: string, isApplied = false): Promise<() => Promise<void>> {
  const fault = { kind: 'hung', hangMs: HANG_MS, isApplied };
  const { id } = await paper.control<{ readonly id: number }>('POST', '/faults', {
    ...{ venue: 'venue_a', operation, fault },
  });
  return () =>
    eventually(async () => {
      const { rules } = await paper.control<{ rules: { id: number; struck: number }[] }>('GET', '/faults');
      expect(rules.find(it => it.id === id)!.struck).toBeGreaterThan(0);
    });
}

type Redeem = () => Promise<Answer>;

/** Each step runs until the gateway has reached it. The first step needs protocol V1, for which a token's market is read anew. */
const STEPS: Readonly<Record<string, (redeem: Redeem) => Promise<unknown>>> = {
  'before the record': async redeem => {
    const hangs = await hang('GET /markets/*');
    void redeem().catch(() => {});
    await hangs();
  },
  'after the record, before it is signed': async redeem => {
    const hangs = await hang(`GET ${NONCE}`);
    void redeem().catch(() => {});
    await hangs();
  },
  'as its bytes are sent, and do not arrive': async redeem => {
    const hangs = await hang('POST /submit');
    void redeem().catch(() => {});
    await hangs();
  },
  'before the answer of the relayer, which has them': async redeem => {
    const hangs = await hang('POST /submit', true);
    void redeem().catch(() => {});
    await hangs();
  },
  'after the answer': async redeem => {
    await eventually(async () => expect((await redeem()).json).toMatchObject({ status: 'SUBMITTED' }));
  },
  'after the chain has paid, before that is booked': async redeem => {
    const before = await nonce();
    await hang('GET /v1/account/transactions/:id');
    void redeem().catch(() => {});
    await eventually(async () => expect(await nonce()).toBe(before + 1));
  },
};

it.each(Object.keys(STEPS).map((step, index) => ({ step, index, version: index % 2 === 0 ? 'v1' : 'v2' }) as const))(
  'kill -9 $step, protocol $version: the winner is paid once',
  async ({ step, version, index }) => {
    const [winner, loser] = tokens[version][index]!;
    const [before, nonceBefore] = [await eventually(cash), await nonce()];
    await done('split', winner, { amountUsd: String(SPLIT_USD) }, randomUUID());
    await paper.control('POST', `/venues/venue_a/markets/${winner}/settle`, { value: '1' });
    await eventually(async () => expect(await position(winner)).toMatchObject({ redeemable: true }));
    const key = randomUUID();
    await STEPS[step]!(() => call('POST', `/v1/venue-a/positions/${winner}/redeem`, {}, key));
    await gateway.kill();
    await paper.control('DELETE', '/faults');
    await gateway.start();
    const redeemed = await done('redeem', winner, {}, key);
    expect(redeemed).toMatchObject({ kind: 'REDEEM', shares: String(SPLIT_USD), amountUsd: String(SPLIT_USD) });
    expect([await position(winner), await position(loser)]).toEqual([null, null]);
    await eventually(async () => expect(await cash()).toBeCloseTo(before, 6));
    // A second redeem of burnt shares would pay nothing, and would use another nonce.
    expect(await nonce()).toBe(nonceBefore + 2);
  },
);
