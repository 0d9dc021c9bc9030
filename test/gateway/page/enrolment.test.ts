// The link that a start prints registers one key, once, within the link's time.

import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createKeyPair } from '../../../src/core/auth/key-pair.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { type KeyStore, openKeyStore } from '../../../src/core/store/key-store.ts';
import { Enrolment } from '../../../src/gateway/page/enrolment.ts';
import { pageRoutes } from '../../../src/gateway/page/page-routes.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const createdAt = 1_795_237_201_250 as UnixMillis;
let folder: string;
let keyStore: KeyStore;
let elapsedMs = 0;
let enrolment: Enrolment;
let publicKey: string;

beforeEach(async () => {
  folder = temporaryFolder();
  keyStore = openKeyStore(folder);
  keyStore.createPod({ podId: 'demo', createdAt });
  keyStore.createActor({ podId: 'demo', actorId: 'demo', createdAt });
  elapsedMs = 0;
  const owner = { podId: 'demo', actorId: 'demo' };
  enrolment = new Enrolment({ keyStore, owner, now: () => createdAt, elapsed: () => elapsedMs });
  publicKey = (await createKeyPair()).publicKeyHex;
});
afterEach(async () => {
  await keyStore.close();
  removeFolder(folder);
});

it('registers a key that observes and cancels from this machine, and never trades', () => {
  const key = enrolment.enrol(enrolment.token, publicKey);
  expect(key).toMatchObject({
    ok: true,
    value: { podId: 'demo', actorId: 'demo', publicKeyHex: publicKey, scopes: ['read', 'observe', 'cancel'] },
  });
  expect(keyStore.read().signingKeys).toMatchObject([{ publicKeyHex: publicKey, addresses: ['127.0.0.0/8', '::1'] }]);
});

it('works once', async () => {
  expect(enrolment.enrol(enrolment.token, publicKey).ok).toBe(true);
  const other = (await createKeyPair()).publicKeyHex;
  expect(enrolment.enrol(enrolment.token, other)).toMatchObject({
    ok: false,
    error: expect.stringContaining('used already'),
  });
  expect(keyStore.read().signingKeys).toHaveLength(1);
});

it('4030: a request that gives a key twice registers none, and leaves the link as it is', async () => {
  const route = pageRoutes({ enrolment, hasTls: true }).find(({ method }) => method === 'post')!;
  const ask = async (text: string): Promise<number> => {
    const body = Buffer.from(text);
    const header = (name: string): string => (name === 'content-type' ? 'application/json' : '');
    return (await route.handle({ body, header } as never, [], {} as never))!.status;
  };
  const once = JSON.stringify({ token: enrolment.token, publicKey });
  expect(await ask(once.replace('{', `{"publicKey":"${'00'.repeat(32)}",`))).toBe(400);
  expect(keyStore.read().signingKeys).toEqual([]);
  expect(await ask(once)).toBe(201);
});

it('works for ten minutes', () => {
  elapsedMs = 599_999;
  expect(enrolment.enrol(enrolment.token, 'no key')).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^publicKey/),
  });
  elapsedMs = 600_000;
  expect(enrolment.enrol(enrolment.token, publicKey)).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^token/),
  });
});

it.each(['', 'x', randomBytes(32).toString('base64url')])('refuses the token %j', token => {
  expect(enrolment.enrol(token, publicKey)).toMatchObject({ ok: false, error: expect.stringMatching(/^token/) });
});

it('is not spent by a key that is refused', () => {
  expect(enrolment.enrol(enrolment.token, '00'.repeat(32)).ok).toBe(false);
  expect(enrolment.enrol(enrolment.token, publicKey).ok).toBe(true);
});
