// The path that a refusal suggests when the requested path does not exist.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifySignature } from '../../../src/core/auth/ed25519.ts';
import { createKeyPair } from '../../../src/core/auth/key-pair.ts';
import type { OrderOperation } from '../../../src/core/domain/operation.ts';
import { ok } from '../../../src/core/domain/result.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { bareRequest } from '../../../src/core/net/inbound-request.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { type KeyStore, openKeyStore } from '../../../src/core/store/key-store.ts';
import { replyOf } from '../../../src/core/wire/replies.ts';
import { CallerAdmission } from '../../../src/gateway/api/caller-admission.ts';
import { likelyPath } from '../../../src/gateway/api/likely-path.ts';
import { LiveKeys } from '../../../src/gateway/api/live-keys.ts';
import { COUNTED_OPERATIONS, OPERATIONS } from '../../../src/gateway/api/operations.ts';
import type { Needs } from '../../../src/gateway/api/reserved.ts';
import { Operations } from '../../../src/gateway/trading/operations.ts';
import { rateProfiles } from '../../../src/limits.ts';
import { at, signingKey } from '../../core/store/identities.ts';
import { operated } from '../../support/operated.ts';
import { signedHeaders, type TestKey } from '../../support/signed-requests.ts';

it.each([
  ['/v1/venue_b/orders', '/v1/venue-b/orders'],
  ['/v1/VenueB/Orders', '/v1/venue-b/orders'],
  ['/v1/venue-b/orders/', '/v1/venue-b/orders'],
  ['/venue-b/orders', '/v1/venue-b/orders'],
  ['/V1/venue-b/orders', '/v1/venue-b/orders'],
  ['//v1//venue-b/orders', '/v1/venue-b/orders'],
  [
    '/v1/venue_a/orders/5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c4d38/fills',
    '/v1/venue-a/orders/5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c4d38/fills',
  ],
  ['/v1/venue_b/markets/KX_A', '/v1/venue-b/markets/KX_A'],
  ['/v1/orders/cancelAfter', '/v1/orders/cancel-after'],
  ['/v1/order-book', '/v1/orderbook'],
  ['/v1/nothing', null],
  // The door on the engine's thread serves no lists.
  ['/v1/venue-b/orders', null],
  ['/v1/venue_c/orders', null],
  ['/', null],
  ['/v1', null],
])('4039: for %s that is %s', (asked, path) => {
  expect(likelyPath(asked)).toBe(path);
});

it('4039: each path with underscores for hyphens is known', () => {
  const paths = OPERATIONS.map(({ path }) => path).filter(path => path.includes('-'));
  expect(paths.map(path => likelyPath(path.replaceAll('-', '_')))).toEqual(paths);
});

// Before, tickets and other requests that are checked first were refused.
describe('3163: a key that was revoked while its order waited', () => {
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
      perform: admitted => {
        performed.push(admitted.operation);
        admitted.done(replyOf(200, {}));
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
    return operated(admission, request, NEEDS, ({ caller }) =>
      ok({ name: 'cancel-batch', venue: 'venue_b', caller, orderIds: ['x'] }),
    );
  }

  it('an operation whose key is revoked while its signature is checked is refused, and not performed', async () => {
    // The first cancel proves the key: the next cancel takes its place before its check.
    expect((await cancel()).ok).toBe(true);
    beforeAnswer = () => {
      expect(keys.revokeSigningKey(key.keyId, at(2)).ok).toBe(true);
      live.readIfChanged();
    };
    expect(await cancel()).toMatchObject({
      ok: false,
      error: { kind: 'unauthenticated', message: expect.stringContaining('is revoked') },
    });
    expect(performed).toHaveLength(1);
  });
});
