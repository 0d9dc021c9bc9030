// Pools of check workers with real threads, and checks of known outcome for them.

import { beforeAll, expect, onTestFinished } from 'vitest';
import type { SignatureCheck } from '../../../src/core/auth/check.ts';
import { createKeyPair } from '../../../src/core/auth/key-pair.ts';
import { ok } from '../../../src/core/domain/result.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { type CheckPool, type CheckPoolOptions, createCheckPool } from '../../../src/gateway/checks/check-pool.ts';
import { PATIENCE_MS } from '../../support/eventually.ts';
import { signNatively } from '../../support/sign-natively.ts';

export const FAULTY = new URL('./faulty-check-worker.ts', import.meta.url);
const key = await createKeyPair();

/** Returns the n-th check. Every third check is forged. */
export function signedCheck(n: number): SignatureCheck {
  const message = `GET\n/v1/whoami?n=${n}\n1700000000000\n\n\n`;
  const signature = Buffer.from(signNatively(message, key.seedHex)).toString('base64');
  return { publicKeyHex: key.publicKeyHex, message: n % 3 === 0 ? `${message} ` : message, signature };
}
export const isRight = (n: number): boolean => n % 3 !== 0;
export const someChecks = Array.from({ length: 60 }, (_, n) => signedCheck(n));

export interface Started {
  readonly pool: CheckPool;
  readonly metrics: Metrics;
}

/** Starts a pool, which is closed after the test. */
export async function start(
  threads: number,
  workerUrl?: URL,
  options: Partial<CheckPoolOptions> = {},
): Promise<Started> {
  const started = await startFor(threads, workerUrl, options);
  onTestFinished(() => started.pool.close());
  return started;
}

/** Starts a pool for all tests of a block. Its counters go on from test to test. */
export function shared(threads: number, workerUrl?: URL, options: Partial<CheckPoolOptions> = {}): () => Started {
  let started: Started;
  beforeAll(async () => {
    started = await startFor(threads, workerUrl, options);
    return () => started.pool.close();
  });
  return () => started;
}

async function startFor(
  threads: number,
  workerUrl: URL | undefined,
  options: Partial<CheckPoolOptions>,
): Promise<Started> {
  const metrics = new Metrics({ operations: [] });
  const url = workerUrl && { workerUrl };
  const pool = await createCheckPool({
    threads,
    metrics,
    log: silentLog,
    pageSecretHex: '00',
    usesMain: false,
    // A busy machine may take longer than the product waits for the checks that a thread of a replaced pool has begun.
    drainMs: 2 * PATIENCE_MS,
    ...url,
    ...options,
  });
  return { pool, metrics };
}

export async function expectHealthy(pool: CheckPool): Promise<void> {
  const outcomes = await Promise.all(someChecks.map(check => pool.verify(check, 'proven')));
  expect(outcomes).toEqual(someChecks.map((_, n) => ok(isRight(n))));
  expect(pool.tasksInFlight).toBe(0);
}
