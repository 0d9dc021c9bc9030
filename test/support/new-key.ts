// More signing keys for a gateway under test.

import { randomBytes } from 'node:crypto';
import { createKeyPair } from '../../src/core/auth/key-pair.ts';
import type { Scope } from '../../src/core/domain/identity.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { createKeyId } from '../../src/core/store/key-record.ts';
import type { KeyStore } from '../../src/core/store/key-store.ts';
import type { TestKey } from './signed-requests.ts';

export interface NewKey {
  readonly scopes?: readonly Scope[];
  readonly addresses?: readonly string[];
  /** The pod and the actor are `demo` by default. They are made if they do not exist. */
  readonly podId?: string;
  readonly actorId?: string;
}

export async function newKey(keyStore: KeyStore, use: NewKey = {}): Promise<TestKey> {
  const { scopes = ['read', 'trade'], addresses = [], podId = 'demo', actorId = 'demo' } = use;
  const { seedHex, publicKeyHex } = await createKeyPair();
  const keyId = createKeyId(randomBytes);
  const createdAt = Date.now() as UnixMillis;
  const owner = { podId, actorId, createdAt };
  keyStore.createPod({ podId, createdAt });
  keyStore.createActor(owner);
  const added = keyStore.addSigningKey({ ...owner, label: 'a test', keyId, publicKeyHex, scopes, addresses });
  if (!added.ok) throw new Error(added.error);
  return { keyId, seedHex };
}
