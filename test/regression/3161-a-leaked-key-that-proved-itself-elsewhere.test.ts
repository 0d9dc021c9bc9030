// Found by reading: a request that its key's allow-list refuses was a successful check of that key at that address. So a leaked key got a lane
// of the check pool at each address, without a limit, and evicted its owner's proof. Now such a request counts as a failed check.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { verifySignature } from '../../src/auth/ed25519.ts';
import { createKeyPair } from '../../src/auth/key-pair.ts';
import type { CheckLane } from '../../src/checks/check-queue.ts';
import { ok } from '../../src/domain/result.ts';
import { CallerAdmission, type Needs } from '../../src/gateway/api/caller-admission.ts';
import { LiveKeys } from '../../src/gateway/api/live-keys.ts';
import { COUNTED_OPERATIONS } from '../../src/gateway/api/operations.ts';
import { limits, rateProfiles } from '../../src/limits.ts';
import { Metrics } from '../../src/metrics/metrics.ts';
import { bareRequest } from '../../src/net/inbound-request.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { type KeyStore, openKeyStore } from '../../src/store/key-store.ts';
import { at, signingKey } from '../store/identities.ts';
import { signedHeaders, type TestKey } from '../support/signed-requests.ts';

const HOME = '10.0.0.1';
const READ: Needs = { scope: 'read', bucket: 'reads' };
const TARGET = '/v1/whoami';
const UNUSED = { operate: () => Promise.reject(new Error('not asked')) };

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
  const answer = await admission.signed(request, READ);
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
