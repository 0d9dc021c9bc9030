// Answers and counts when the pool cannot perform an operation with an unchecked signature: callers who cannot sign learn nothing about any
// order. In virtual time, floods cost the owner of a key nothing.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SignatureCheck } from '../../../src/core/auth/check.ts';
import { verifySignature } from '../../../src/core/auth/ed25519.ts';
import { createKeyPair } from '../../../src/core/auth/key-pair.ts';
import { fail, ok } from '../../../src/core/domain/result.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import type { InboundRequest } from '../../../src/core/net/inbound.ts';
import { bareRequest } from '../../../src/core/net/inbound-request.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { type KeyStore, KeysAge, openKeyStore } from '../../../src/core/store/key-store.ts';
import type { Refusal } from '../../../src/gateway/api/api-refusals.ts';
import { CallerAdmission } from '../../../src/gateway/api/caller-admission.ts';
import { LiveKeys } from '../../../src/gateway/api/live-keys.ts';
import { COUNTED_OPERATIONS } from '../../../src/gateway/api/operations.ts';
import type { Needs } from '../../../src/gateway/api/reserved.ts';
import { type CheckPool, createCheckPool } from '../../../src/gateway/checks/check-pool.ts';
import type { CheckLane } from '../../../src/gateway/checks/check-queue.ts';
import { Operations, routedTo } from '../../../src/gateway/trading/operations.ts';
import { limits, rateProfiles } from '../../../src/limits.ts';
import { at, signingKey } from '../../core/store/identities.ts';
import { neverAsked, operated } from '../../support/operated.ts';
import { signedHeaders, type TestKey } from '../../support/signed-requests.ts';

const NEEDS: Needs = { scope: 'trade', bucket: 'submissions' };
const BURST = 3;
const TARGET = '/v1/venue-b/orders';
const ADDRESS = '10.0.0.1';
const CANCEL: Needs = { scope: 'trade', bucket: 'cancels' };
const UNUSED = { operate: neverAsked };
const READ: Needs = { scope: null, bucket: 'reads' };

let folder: string;
let keys: KeyStore;
let live: LiveKeys;
let pool: CheckPool;
let operations: Operations;
let admission: CallerAdmission;
let owner: TestKey;
let nowMs = 0;

beforeAll(async () => {
  pool = await startPool();
});
afterAll(() => pool.close());
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
  await admitBy(pool);
});
afterEach(async () => {
  live.close();
  await keys.close();
  rmSync(folder, { recursive: true });
});

function startPool(): Promise<CheckPool> {
  const workerUrl = new URL('../checks/dying-check-worker.ts', import.meta.url);
  const parts = { threads: 1, usesMain: false, pageSecretHex: '00', log: silentLog, workerUrl };
  return createCheckPool({ ...parts, metrics: new Metrics({ operations: COUNTED_OPERATIONS }) });
}

async function admitBy(checks: CheckPool): Promise<void> {
  const metrics = new Metrics({ operations: COUNTED_OPERATIONS });
  // Pages of the catalog need neither engine nor history.
  const perform = routedTo({ checks, engine: UNUSED, history: UNUSED });
  operations = new Operations({ checks, perform, metrics });
  // No token comes back while a test lasts.
  const rate = { perS: 0.001, burstMax: BURST };
  const profile = { reads: rate, submissions: rate, cancels: rate, failedChecks: rate };
  nowMs = performance.now();
  admission = new CallerAdmission({ keys: live, checks, operations, metrics, profile, nowMs: () => nowMs });
  // From now on the owner's address is known to hold the key.
  expect((await admission.admitSigned(requestOf(owner), { scope: 'read', bucket: 'reads' })).ok).toBe(true);
}

function requestOf(key: TestKey, remoteAddress = ADDRESS): InboundRequest {
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
    remoteAddress,
    body: new Uint8Array(0),
    header: name => headers.get(name) ?? '',
    repeatedOf: () => null,
  };
}

const forged = (): TestKey => ({ ...owner, seedHex: '00'.repeat(32) });
const operate = (key: TestKey) =>
  operated(admission, requestOf(key), NEEDS, ({ caller }) =>
    ok({ name: 'event-markets', caller, eventId: 'x', catalog: null, tradable: [] }),
  );

/** Returns the tokens that the owner has, including the token of this request. */
function left(): number {
  const key = live.lastRead.signingKey(owner.keyId)!;
  const headers = admission.checkScopeAndRate(key, NEEDS);
  return Number(/r=(\d+)/.exec(headers.ok ? headers.value[0]![1] : '')?.[1] ?? -1) + 1;
}

it('the answer to a forged request says only that it is forged, and nothing counts under the key', async () => {
  expect(await operate(forged())).toMatchObject({ ok: false, error: { kind: 'unauthenticated' } });
  expect(pool.tasksInFlight).toBe(0);
  expect(left()).toBe(BURST);
});

it('an operation that has killed its threads has done nothing, and is not counted', async () => {
  const done = await operate(owner);
  expect(done).toMatchObject({ ok: true, value: { outcome: fail('FAULT'), headers: [] } });
  expect(left()).toBe(BURST);
});

it('a key that is revoked while its signature is checked is refused', async () => {
  const reads: Needs = { scope: 'read', bucket: 'reads' };
  const asked = admission.admitSigned(requestOf(owner), reads);
  expect(keys.revokeSigningKey(owner.keyId, at(2)).ok).toBe(true);
  live.readIfChanged();
  expect(await asked).toMatchObject({ ok: false, error: { kind: 'unauthenticated' } });
});

it('keys that may be out of date let cancels in, and nothing else', async () => {
  const stale = openKeyStore(folder, limits, new KeysAge());
  const staleKeys = new LiveKeys(stale, silentLog, () => {});
  const profile = rateProfiles.default;
  const metrics = new Metrics({ operations: COUNTED_OPERATIONS });
  const late = new CallerAdmission({ keys: staleKeys, checks: pool, operations, metrics, profile });
  const unavailable = {
    ok: false,
    error: { kind: 'unavailable', message: expect.stringContaining('the stream of keys') },
  };
  for (const needs of [NEEDS, READ]) {
    expect(await late.admitSigned(requestOf(owner), needs)).toMatchObject(unavailable);
    expect(late.admitMessage(owner.keyId, ADDRESS, needs)).toMatchObject(unavailable);
  }
  expect(late.admitApiKey(requestOf(owner))).toMatchObject(unavailable);
  expect((await late.admitSigned(requestOf(owner), CANCEL)).ok).toBe(true);
  expect(late.admitMessage(owner.keyId, ADDRESS, CANCEL).ok).toBe(true);
  staleKeys.close();
  await stale.close();
});

it('a request for several orders counts as several, and takes nothing if there is no room for all', () => {
  const isAdmitted = (cost: number) => admission.admitMessage(owner.keyId, ADDRESS, { ...NEEDS, cost }).ok;
  expect([2, 2, 1, 1].map(isAdmitted)).toEqual([true, false, true, false]);
});

it('an operation for which there was no room is not counted', async () => {
  const closed = await startPool();
  await admitBy(closed);
  await closed.close();
  expect(await operate(owner)).toMatchObject({ ok: true, value: { outcome: fail('BUSY'), headers: [] } });
  expect(left()).toBe(BURST);
});

describe('200 requests a second', () => {
  /** After four of these seconds, no failed check of an address is left. */
  const SECONDS = 10;
  /** Rates so high that none of the owner's own limits is reached. */
  const often = { perS: 1_000, burstMax: 2_000 };
  const profile = { ...rateProfiles.default, reads: often, submissions: often, cancels: often };
  const unknown: TestKey = { keyId: 'key_nobody', seedHex: '00'.repeat(32) };
  let checks: SignatureCheck[];

  beforeEach(async () => {
    checks = [];
    const verify: CheckPool['verify'] = (check, ...rest) => {
      checks.push(check);
      return pool.verify(check, ...rest);
    };
    const metrics = new Metrics({ operations: COUNTED_OPERATIONS });
    admission = new CallerAdmission({
      keys: live,
      checks: { verify },
      operations,
      metrics,
      profile,
      nowMs: () => nowMs,
    });
    expect((await admission.admitSigned(requestOf(owner), READ)).ok).toBe(true);
    checks = [];
  });

  /** Returns the refusals of the owner, who reads, submits and cancels in each second. */
  async function refusedAmid(noise: InboundRequest, needs: Needs): Promise<readonly Refusal[]> {
    const refused: Refusal[] = [];
    for (let second = 0; second < SECONDS; second++) {
      nowMs += 1_000;
      await Promise.all(Array.from({ length: 200 }, () => admission.admitSigned(noise, needs)));
      for (const own of [READ, NEEDS, CANCEL]) {
        const answer = await admission.admitSigned(requestOf(owner), own);
        if (!answer.ok) refused.push(answer.error);
      }
    }
    return refused;
  }

  it.each([
    ['under an unknown key id', () => unknown, ADDRESS],
    ['under the owner’s, forged', forged, ADDRESS],
    ['under the owner’s, forged, from elsewhere', forged, '10.0.0.2'],
  ])('%s refuses the owner nothing', async (_what, key, address) => {
    for (const needs of [READ, CANCEL]) expect(await refusedAmid(requestOf(key(), address), needs)).toEqual([]);
  });

  it('under an unknown key id costs no signature check', async () => {
    await refusedAmid(requestOf(unknown), READ);
    expect(checks).toHaveLength(3 * SECONDS);
  });
});

it('cancels are refused last', async () => {
  const refusedAs = async (needs: Needs): Promise<string> => {
    const answer = await admission.admitSigned(requestOf(forged(), '10.0.0.2'), needs);
    return answer.ok ? '' : answer.error.kind;
  };
  for (let failure = 0; failure < BURST; failure++) expect(await refusedAs(READ)).toBe('unauthenticated');
  expect(await refusedAs(READ)).toBe('limited');
  expect(await refusedAs(NEEDS)).toBe('unavailable');
  for (let failure = 0; failure < BURST; failure++) expect(await refusedAs(CANCEL)).toBe('unauthenticated');
  expect(await refusedAs(CANCEL)).toBe('limited');
});

it('forged requests under way hold no more than half of the owner’s tokens', async () => {
  const held = [operate(forged()), operate(forged()), operate(forged())];
  expect(left()).toBe(BURST - 2);
  await Promise.all(held);
  expect(left()).toBe(BURST - 1);
});

// So a leaked key got a lane of the check pool at each address, without a limit, and evicted its owner's proof. Now such a request counts
// as a failed check.
describe('3161: a leaked key that proved itself elsewhere', () => {
  const HOME = '10.0.0.1';
  const READ: Needs = { scope: 'read', bucket: 'reads' };
  const TARGET = '/v1/whoami';
  const UNUSED = { operate: neverAsked };

  let folder: string;
  let keys: KeyStore;
  let live: LiveKeys;
  let admission: CallerAdmission;
  let key: TestKey;
  let lanes: CheckLane[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'crossbook-leaked-'));
    keys = openKeyStore(folder);
    const { seedHex, publicKeyHex } = await createKeyPair();
    const record = signingKey(1, { publicKeyHex, addresses: [HOME] });
    keys.change(all => {
      all.createPod({ podId: record.podId, createdAt: at(1) });
      all.createActor({ podId: record.podId, actorId: record.actorId, createdAt: at(1) });
      return all.addSigningKey(record);
    });
    key = { keyId: record.keyId, seedHex };
    live = new LiveKeys(keys, silentLog, () => {});
    lanes = [];
    admission = new CallerAdmission({
      keys: live,
      checks: {
        verify: (check, lane) => {
          lanes.push(lane);
          return Promise.resolve(ok(verifySignature(check)));
        },
      },
      operations: UNUSED,
      metrics: new Metrics({ operations: COUNTED_OPERATIONS }),
      profile: rateProfiles.default,
      nowMs: () => 0,
    });
  });
  afterEach(async () => {
    live.close();
    await keys.close();
    rmSync(folder, { recursive: true });
  });

  async function read(remoteAddress: string): Promise<string> {
    const headers = new Map(
      Object.entries(signedHeaders(key, 'GET', TARGET)).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const request = { ...bareRequest('GET', TARGET), remoteAddress, header: (name: string) => headers.get(name) ?? '' };
    const answer = await admission.admitSigned(request, READ);
    return answer.ok ? 'admitted' : answer.error.kind;
  }

  it('a key is not proven at an address that its allow-list refuses, and stays proven at the owner’s', async () => {
    expect(await read(HOME)).toBe('admitted');
    for (let count = 0; count < limits.provenAddressesPerKeyMax; count++) {
      for (let times = 0; times < 2; times++) expect(await read(`192.0.2.${count}`)).toBe('forbidden');
    }
    expect(lanes.filter(lane => lane !== null)).toEqual([]);
    expect(await read(HOME)).toBe('admitted');
    expect(lanes.at(-1)).not.toBeNull();
  });

  it('requests of a key from an address that its allow-list refuses are limited as failed checks', async () => {
    const { burstMax } = rateProfiles.default.failedChecks;
    for (let count = 0; count < burstMax; count++) expect(await read('192.0.2.1')).toBe('forbidden');
    lanes = [];
    expect(await read('192.0.2.1')).toBe('limited');
    expect(lanes).toEqual([]);
    expect(await read(HOME)).toBe('admitted');
  });
});
