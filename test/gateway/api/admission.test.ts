// What is said and counted when the pool could not do an operation whose signature it was to check: nothing of anybody's order to
// whoever cannot sign.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createKeyPair } from '../../../src/auth/key-pair.ts';
import { fail } from '../../../src/domain/result.ts';
import { Admission, type Needs } from '../../../src/gateway/api/admission.ts';
import { LiveKeys } from '../../../src/gateway/api/live-keys.ts';
import { GatewayMetrics } from '../../../src/gateway/gateway-metrics.ts';
import type { InboundRequest } from '../../../src/net/inbound.ts';
import { silentLog } from '../../../src/runtime/log.ts';
import { type KeyStore, openKeyStore } from '../../../src/store/key-store.ts';
import type { OrderOperation } from '../../../src/threads/order-tasks.ts';
import { createOrderPool, type OrderPool } from '../../../src/threads/pools.ts';
import { at, signingKey } from '../../store/identities.ts';
import { signedHeaders, type TestKey } from '../../support/signed-requests.ts';

const NEEDS: Needs = { scope: 'trade', bucket: 'submissions' };
const BURST = 3;
const TARGET = '/v1/venue-b/orders';

let folder: string;
let keys: KeyStore;
let live: LiveKeys;
let pool: OrderPool;
let admission: Admission;
let owner: TestKey;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook-admission-'));
  keys = openKeyStore(folder);
  const { seedHex, publicKeyHex } = await createKeyPair();
  const key = signingKey(1, { publicKeyHex });
  keys.change(all => {
    all.createPod({ podId: key.podId, createdAt: at(1) });
    all.createActor({ podId: key.podId, actorId: key.actorId, createdAt: at(1) });
    return all.addSigningKey(key);
  });
  owner = { keyId: key.keyId, seedHex };
  live = new LiveKeys(keys, silentLog, () => {});
  const metrics = new GatewayMetrics();
  const workerUrl = new URL('../../threads/dying-order-worker.ts', import.meta.url);
  pool = await createOrderPool({ threads: 1, metrics: metrics.metrics, log: silentLog, workerUrl });
  // None comes back while a test lasts.
  const rate = { perS: 0.001, burstMax: BURST };
  const profile = { reads: rate, submissions: rate, cancels: rate, failedChecks: rate };
  admission = new Admission({ keys: live, pool, metrics, profile });
  // From now on its address is known to hold the key.
  expect((await admission.signed(requestOf(owner), { scope: 'read', bucket: 'reads' })).ok).toBe(true);
});
afterEach(async () => {
  await pool.close();
  live.close();
  await keys.close();
  rmSync(folder, { recursive: true });
});

function requestOf(key: TestKey): InboundRequest {
  const headers = new Map(
    Object.entries(signedHeaders(key, 'POST', TARGET, { idempotencyKey: randomUUID() })).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  );
  return {
    method: 'POST',
    path: TARGET,
    query: '',
    target: TARGET,
    remoteAddress: '10.0.0.1',
    body: new Uint8Array(0),
    header: name => headers.get(name) ?? '',
    isRepeated: () => false,
  };
}

const forged = (): TestKey => ({ ...owner, seedHex: '00'.repeat(32) });
const operate = (key: TestKey) =>
  admission.operated(requestOf(key), NEEDS, ({ podId, actorId, keyId }) => {
    const caller = { podId, actorId, keyId };
    const operation: OrderOperation = { name: 'cancel', venue: 'venue_b', caller, orderId: 'x' };
    return { ok: true, value: operation };
  });

/** Tokens that the owner has, this one counted. */
function left(): number {
  const key = live.known.signingKey(owner.keyId)!.key;
  const headers = admission.mayDo(key, NEEDS);
  return Number(/r=(\d+)/.exec(headers.ok ? headers.value[0]![1] : '')?.[1] ?? -1) + 1;
}

it('of a forged request nothing is said but that it is forged, and nothing is counted under the key', async () => {
  expect(await operate(forged())).toMatchObject({ ok: false, error: { kind: 'unauthenticated' } });
  expect(pool.tasksInFlight).toBe(0);
  expect(left()).toBe(BURST);
});

it('its owner is told that it failed, and how its key stands', async () => {
  const done = await operate(owner);
  expect(done).toMatchObject({ ok: true, value: { outcome: fail('FAULT'), operation: { name: 'cancel' } } });
  expect(done.ok && done.value.headers[0]).toEqual(['RateLimit', expect.stringContaining(`r=${BURST - 1};`)]);
  expect(left()).toBe(BURST - 1);
});

it('a key that is revoked while its signature is checked is refused', async () => {
  const reads: Needs = { scope: 'read', bucket: 'reads' };
  const asked = admission.signed(requestOf(owner), reads);
  expect(keys.revokeSigningKey(owner.keyId, at(2)).ok).toBe(true);
  live.current();
  expect(await asked).toMatchObject({ ok: false, error: { kind: 'unauthenticated' } });
});

it('what there was no room for is not counted', async () => {
  await pool.close();
  expect(await operate(owner)).toMatchObject({ ok: true, value: { outcome: fail('BUSY'), headers: [] } });
  expect(left()).toBe(BURST);
});
