// Found by reading: an order, or a cancel, whose key was revoked while its signature waited for the check pool was still made. Tickets and
// what else is checked first were refused.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { verifySignature } from '../../src/auth/ed25519.ts';
import { createKeyPair } from '../../src/auth/key-pair.ts';
import type { OrderOperation } from '../../src/domain/operation.ts';
import { ok } from '../../src/domain/result.ts';
import { CallerAdmission, type Needs } from '../../src/gateway/api/caller-admission.ts';
import { LiveKeys } from '../../src/gateway/api/live-keys.ts';
import { COUNTED_OPERATIONS } from '../../src/gateway/api/operations.ts';
import { rateProfiles } from '../../src/limits.ts';
import { Metrics } from '../../src/metrics/metrics.ts';
import { bareRequest } from '../../src/net/inbound-request.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { type KeyStore, openKeyStore } from '../../src/store/key-store.ts';
import { Operations } from '../../src/trading/operations.ts';
import { replyOf } from '../../src/wire/replies.ts';
import { at, signingKey } from '../store/identities.ts';
import { signedHeaders, type TestKey } from '../support/signed-requests.ts';

const TARGET = '/v1/venue-b/orders/batch';
const NEEDS: Needs = { scope: 'trade', bucket: 'cancels' };

let folder: string;
let keys: KeyStore;
let live: LiveKeys;
let admission: CallerAdmission;
let key: TestKey;
let performed: OrderOperation[];
let beforeAnswer: () => void;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook-revoked-'));
  keys = openKeyStore(folder);
  const { seedHex, publicKeyHex } = await createKeyPair();
  const record = signingKey(1, { publicKeyHex });
  keys.change(all => {
    all.createPod({ podId: record.podId, createdAt: at(1) });
    all.createActor({ podId: record.podId, actorId: record.actorId, createdAt: at(1) });
    return all.addSigningKey(record);
  });
  key = { keyId: record.keyId, seedHex };
  live = new LiveKeys(keys, silentLog, () => {});
  performed = [];
  beforeAnswer = () => {};
  const metrics = new Metrics({ operations: COUNTED_OPERATIONS });
  const checks = {
    verify: async (check: Parameters<typeof verifySignature>[0]) => {
      beforeAnswer();
      return ok(verifySignature(check));
    },
  };
  const operations = new Operations({
    checks,
    perform: async ({ operation }) => {
      performed.push(operation);
      return ok(replyOf(200, {}));
    },
    metrics,
  });
  admission = new CallerAdmission({ keys: live, checks, operations, metrics, profile: rateProfiles.default });
});
afterEach(async () => {
  live.close();
  await keys.close();
  rmSync(folder, { recursive: true });
});

function cancel() {
  const headers = new Map(
    Object.entries(signedHeaders(key, 'DELETE', TARGET, { idempotencyKey: randomUUID() })).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  );
  const request = {
    ...bareRequest('DELETE', TARGET),
    remoteAddress: '10.0.0.1',
    header: (name: string) => headers.get(name) ?? '',
  };
  return admission.operated(request, NEEDS, ({ podId, actorId, keyId }) =>
    ok({ name: 'cancel-batch', venue: 'venue_b', caller: { podId, actorId, keyId }, orderIds: ['x'] }),
  );
}

it('an operation whose key is revoked while its signature is checked is refused, and not performed', async () => {
  // The first proves the key: the next takes its place before its check.
  expect((await cancel()).ok).toBe(true);
  beforeAnswer = () => {
    expect(keys.revokeSigningKey(key.keyId, at(2)).ok).toBe(true);
    live.current();
  };
  expect(await cancel()).toMatchObject({
    ok: false,
    error: { kind: 'unauthenticated', message: expect.stringContaining('is revoked') },
  });
  expect(performed).toHaveLength(1);
});
