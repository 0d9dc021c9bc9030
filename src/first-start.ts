// The first start with the embedded default creates a pod and an actor `demo`, a signing key and an API key in the data directory. Their
// secrets are in files of mode 0600. So a newcomer can send signed requests at once. Main thread, before anything listens.

import { randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { createKeyPair, publicKeyOf } from './core/auth/key-pair.ts';
import { createApiKey, hashApiKey } from './core/auth/keyring.ts';
import { wordsOf } from './core/domain/error-words.ts';
import type { ApiKey, SigningKey } from './core/domain/identity.ts';
import { isObject, parseJson, textOf } from './core/domain/json.ts';
import { type MarketKey, marketAddress } from './core/domain/market.ts';
import type { UnixMillis } from './core/domain/numbers.ts';
import { ok, type Result } from './core/domain/result.ts';
import { makePrivateFolder, readPrivateFile, writePrivateFile } from './core/runtime/private-file.ts';
import { createApiKeyId, createKeyId, isKeyId } from './core/store/key-record.ts';
import type { KeyTransaction } from './core/store/key-registry.ts';
import type { KeyStore } from './core/store/key-store.ts';
import { StoreError } from './core/store/store-error.ts';

/** The identity that was made. Secrets are only in the files. */
export interface DemoIdentity {
  readonly signingKey: SigningKey;
  readonly apiKey: ApiKey;
  /** The file with the JSON `{keyId, seedHex, publicKeyHex}`. */
  readonly keyFile: string;
  /** The file with the API key's text and a line feed. */
  readonly apiKeyFile: string;
}

type Registered = Pick<DemoIdentity, 'signingKey' | 'apiKey'>;

interface DemoKey {
  readonly keyId: string;
  readonly seedHex: string;
  readonly publicKeyHex: string;
}

/** The name of the pod and of its actor. */
export const DEMO = 'demo';
/** The largest size of a file of the demo. A key with its names takes a fifth of it. */
const DEMO_FILE_BYTES_MAX = 1_024;

/**
 * Makes the demo identity. Returns null, and changes nothing, if the store has a pod already. The files are written first, one at a time.
 * The store is changed last, in one transaction. So a start that was interrupted, or that comes after the store was deleted, finds the
 * files and continues. Throws a StoreError that names the file or record in the way.
 */
export async function prepareDemo(dataDir: string, store: KeyStore, nowMs: UnixMillis): Promise<DemoIdentity | null> {
  if (store.read().pods.length > 0) return null;
  const folder = join(dataDir, DEMO);
  const [keyFile, apiKeyFile] = [join(folder, 'key.json'), join(folder, 'api-key.txt')];
  inWords(folder, () => {
    makePrivateFolder(folder);
    chmodSync(folder, 0o700);
  });
  const newKey: DemoKey = { keyId: createKeyId(randomBytes), ...(await createKeyPair()) };
  const keyText = keptText(keyFile, `${JSON.stringify(newKey, null, 2)}\n`);
  const key = await readKey(keyFile, keyText);
  const apiKeyText = keptText(apiKeyFile, `${createApiKey(randomBytes).text}\n`);
  const hashHex = hashApiKey(readApiKey(apiKeyFile, apiKeyText));

  const made = store.change<Registered | null>(transaction => {
    // A second start on the same data directory may have come first. It found the same files.
    if (transaction.records().pods.length > 0) return ok(null);
    return register(transaction, key, hashHex, nowMs);
  });
  if (!made.ok) throw new StoreError(`demo identity: ${made.error}`);
  return made.value === null ? null : { ...made.value, keyFile, apiKeyFile };
}

function register(
  store: KeyTransaction,
  { keyId, publicKeyHex }: DemoKey,
  hashHex: string,
  createdAt: UnixMillis,
): Result<Registered, string> {
  const owner = { podId: DEMO, actorId: DEMO, label: 'made by the first start', createdAt };
  const pod = store.createPod({ podId: DEMO, createdAt });
  if (!pod.ok) return pod;
  const actor = store.createActor({ podId: DEMO, actorId: DEMO, createdAt });
  if (!actor.ok) return actor;
  const signingKey = store.addSigningKey({ ...owner, keyId, publicKeyHex, scopes: ['read', 'trade'], addresses: [] });
  if (!signingKey.ok) return signingKey;
  const apiKey = store.addApiKey({ ...owner, apiKeyId: createApiKeyId(randomBytes), hashHex });
  return apiKey.ok ? ok({ signingKey: signingKey.value, apiKey: apiKey.value }) : apiKey;
}

/** Returns the text of the file. If the file is missing, writes `text` into it. */
function keptText(path: string, text: string): string {
  if (inWords(path, () => writePrivateFile(path, text))) return text;
  const kept = readPrivateFile(path, DEMO_FILE_BYTES_MAX);
  if (!kept.ok) throw new StoreError(`${path}: ${kept.error.words}`);
  return kept.value;
}

async function readKey(path: string, text: string): Promise<DemoKey> {
  const content = parseJson(text);
  const [keyId, seedHex, publicKeyHex] = ['keyId', 'seedHex', 'publicKeyHex'].map(field =>
    isObject(content) ? textOf(content[field]) : '',
  ) as [string, string, string];
  const isPair = /^[0-9a-f]{64}$/.test(seedHex) && (await publicKeyOf(seedHex)) === publicKeyHex;
  if (!isPair || !isKeyId(keyId)) {
    throw new StoreError(`${path}: must hold keyId, seedHex and its publicKeyHex; remove it to have a new one made`);
  }
  return { keyId, seedHex, publicKeyHex };
}

function readApiKey(path: string, text: string): string {
  const key = text.trimEnd();
  if (/^cbk_[\w-]{43}$/.test(key)) return key;
  throw new StoreError(`${path}: must hold an API key; remove it to have a new one made`);
}

/** Turns errors of node:fs into errors that name the file, because the operator needs the file, and node:fs names system calls. */
function inWords<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new StoreError(`${path}: ${wordsOf(error)}`);
  }
}

/** The commands to try first, as text for the terminal. */
export function examples({ keyFile, apiKeyFile }: DemoIdentity, markets: readonly MarketKey[]): string {
  const market = markets.map(it => `${it.venue} ${marketAddress(it)}`).find(it => it.startsWith('venue_b'));
  return `
First start: made the signing key ${keyFile} and the API key ${apiKeyFile}. In another terminal, with the same CROSSBOOK_ variables, try

    npx crossbook call GET /v1/whoami
    npx crossbook markets --executable
    npx crossbook book ${market ?? '<venue> <market>'}
`;
}
