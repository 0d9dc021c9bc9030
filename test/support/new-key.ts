// More signing keys for a gateway under test.

import { randomBytes } from 'node:crypto';
import { createKeyPair } from '../../src/core/auth/key-pair.ts';
import type { Scope } from '../../src/core/domain/identity.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { createKeyId } from '../../src/core/store/key-record.ts';
import type { KeyStore } from '../../src/core/store/key-store.ts';
import type { TestKey } from './signed-requests.ts';

interface NewKey {
  readonly scopes?: readonly Scope[];
  readonly addresses?: readonly string[];
  /** Of the pod `demo`. */
  readonly actorId?: string;
}

/** A new key of an actor of the demo pod. */
export async function newKey(keyStore: KeyStore, use: NewKey = {}): Promise<TestKey> {
  const { scopes = ['read', 'trade'], addresses = [], actorId = 'demo' } = use;
  const { seedHex, publicKeyHex } = await createKeyPair();
  const keyId = createKeyId(randomBytes);
  const owner = { actorId, podId: 'demo', label: 'a test', createdAt: Date.now() as UnixMillis };
  const added = keyStore.addSigningKey({ ...owner, keyId, publicKeyHex, scopes, addresses });
  if (!added.ok) throw new Error(added.error);
  return { keyId, seedHex };
}
