// The page's signing key. The browser makes it, keeps its private half in IndexedDB, and lets no script read that half. Browser.

import type { Signer } from '../client/signer.ts';

export interface OwnKey {
  readonly pair: CryptoKeyPair;
  /** The key as 32 bytes in lower-case hex. */
  readonly publicKeyHex: string;
  /** The id that the gateway has given the key. Null means that the key is not known to be registered. */
  readonly keyId: string | null;
}

const DATABASE = 'crossbook';
const STORE = 'keys';
const NAME = 'own';

/** The key of this browser, which is made at the first visit. Rejects if the browser has no Ed25519 or no storage. */
export async function loadKey(): Promise<OwnKey> {
  const kept = await inStore<OwnKey | undefined>('readonly', store => store.get(NAME));
  if (kept !== undefined) return kept;
  const pair = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair;
  const bytes = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  const publicKeyHex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  return keep({ pair, publicKeyHex, keyId: null });
}

export function keepKeyId(key: OwnKey, keyId: string): Promise<OwnKey> {
  return keep({ ...key, keyId });
}

export async function forgetKey(): Promise<void> {
  await inStore('readwrite', store => store.delete(NAME));
}

export function signerOf({ pair }: OwnKey, keyId: string): Signer {
  const sign = async (message: Uint8Array): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, new Uint8Array(message)));
  return { keyId, sign };
}

async function keep(key: OwnKey): Promise<OwnKey> {
  await inStore('readwrite', store => store.put(key, NAME));
  return key;
}

async function inStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await settled<IDBDatabase>(opening);
  try {
    return await settled<T>(work(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function settled<T>(request: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as T);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB failed'));
  });
}
