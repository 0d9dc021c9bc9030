// The cost of checking a signed request: the whole check of a submission, from header texts to the verdict. Beside it a bare verification runs with
// everything prepared. Also measures that verification by three libraries side by side. Every request is different and keys take turns, so that
// nothing can be cached.

import { createHash, verify } from 'node:crypto';
import { createRequire } from 'node:module';
import * as noble from '@noble/ed25519';
import { precheck } from '../src/core/auth/check.ts';
import { verifySignature } from '../src/core/auth/ed25519.ts';
import { Keyring } from '../src/core/auth/keyring.ts';
import { NO_LIMITS } from '../src/core/domain/identity.ts';
import { alternate, type BenchSuite, median, timesLess, type Work } from './harness.ts';
import { type ReadyCheck, readyChecks, type SignedOrders, signedOrders } from './load/http-signed-orders.ts';

const KEYS = 64;
/** The number of requests. A power of two makes taking turns almost free. */
const REQUESTS = 2_048;
const SMOKE_REQUESTS = 64;

/** The part of sodium-native that is used here; it has no types of its own. */
interface Sodium {
  crypto_sign_verify_detached(signature: Buffer, message: Buffer, publicKey: Buffer): boolean;
}
const sodium = createRequire(import.meta.url)('sodium-native') as Sodium;

export const suite: BenchSuite = {
  name: 'auth',
  async run(options) {
    const orders = signedOrders(KEYS, options.smoke ? SMOKE_REQUESTS : REQUESTS);
    const checks = readyChecks(orders);
    noble.hashes.sha512 = message => Uint8Array.from(createHash('sha512').update(message).digest());
    const [whole, native, libsodium, portable] = alternate(
      [
        wholeChecks(orders),
        verifications(checks, ({ message, key, signature }) => verify(null, message, key, signature)),
        verifications(checks, ({ message, publicKey, signature }) =>
          sodium.crypto_sign_verify_detached(signature, message, publicKey),
        ),
        verifications(checks, ({ message, publicKey, signature }) => noble.verify(signature, message, publicKey)),
      ],
      options,
    ) as [number[], number[], number[], number[]];
    const row = (name: string, ns: number[], beside: number[], baseline: string) => ({
      name,
      value: median(ns) / 1_000,
      unit: 'µs',
      baseline,
      ratio: baseline === '' ? null : timesLess(ns, beside),
    });
    return [
      row('auth/verify', whole, libsodium, 'libsodium alone, key and message ready'),
      row('auth/verify node crypto', native, native, ''),
      row('auth/verify libsodium', libsodium, native, 'node:crypto'),
      row('auth/verify noble', portable, native, 'node:crypto'),
    ];
  },
};

/** The gateway's whole check, with both halves on one thread. */
function wholeChecks({ keys, requests, nowMs }: SignedOrders): Work {
  const owner = { podId: 'bench', actorId: 'bench', label: '', createdAt: nowMs, revokedAt: null };
  const signingKeys = keys.map(({ keyId, publicKeyHex }) => {
    return { ...owner, keyId, publicKeyHex, scopes: ['trade'] as const, addresses: [] };
  });
  const keyring = new Keyring({ pods: [], actors: [{ ...owner, limits: NO_LIMITS }], apiKeys: [], signingKeys });
  return times => {
    let right = 0;
    for (let index = 0; index < times; index++) {
      const before = precheck(
        requests[index % requests.length]!,
        keyring.signingKey(requests[index % requests.length]!.keyId),
        nowMs,
      );
      if (before.ok && verifySignature(before.value.check)) right += 1;
    }
    return allOf(times, right);
  };
}

function verifications(checks: readonly ReadyCheck[], isRight: (check: ReadyCheck) => boolean): Work {
  return times => {
    let right = 0;
    for (let index = 0; index < times; index++) if (isRight(checks[index % checks.length]!)) right += 1;
    return allOf(times, right);
  };
}

function allOf(times: number, right: number): number {
  if (right !== times) throw new Error(`${times - right} right signatures were found wrong`);
  return right;
}
